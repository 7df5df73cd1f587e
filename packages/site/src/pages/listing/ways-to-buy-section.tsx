import type { Operations } from '@agent-marketplace/sdk';
import { Code } from '../../components/code.tsx';
import { waysToBuy } from './ways-to-buy.ts';

type Listing = Operations['getListing']['output']['listing'];

/** Its vertical's slug; such data is bought with an attestation, and not by x402. */
const PERSONAL_HEALTH = 'personal-health';

export function WaysToBuy({ listing, apiBaseUrl }: { listing: Listing; apiBaseUrl: string }) {
  const { curl, mcp, sdk, x402 } = waysToBuy(apiBaseUrl, listing);
  const isHealth = listing.verticalSlug === PERSONAL_HEALTH;
  return (
    <section class="stack" aria-labelledby="buy">
      <h2 id="buy">Ways to buy</h2>
      <p>
        {listing.priceCents === 0
          ? 'It is free: the answer holds what was delivered, and its receipt.'
          : 'From a wallet, with a saved card, or at a checkout that a person completes. Nothing is charged unless it is delivered.'}
      </p>
      {isHealth && (
        <p class="note">
          Personal health data: a purchase also says what it is for (<code>buyer_intended_use</code>) and
          attests what it will not be used for (<code>buyer_attestation</code>).
        </p>
      )}
      <div class="columns">
        <Code label="Shell" text={curl} />
        <Code label="MCP tool" text={mcp} />
        <Code label="TypeScript" text={sdk} />
        {!isHealth && listing.fulfilment === 'digital' && (
          <Code label="x402, without an account" text={x402} />
        )}
      </div>
    </section>
  );
}
