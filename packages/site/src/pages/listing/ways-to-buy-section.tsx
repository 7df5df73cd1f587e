import type { Operations } from '@agent-marketplace/sdk';
import { Code } from '../../components/code.tsx';
import { instant } from '../../format/figures.ts';
import { waysToBuy } from './ways-to-buy.ts';

type Detail = Operations['getListing']['output'];

/** This vertical needs an attestation of the buyer. */
const PERSONAL_HEALTH = 'personal-health';

interface Props {
  readonly detail: Pick<Detail, 'closedRails' | 'listing' | 'x402Path'>;
  readonly apiBaseUrl: string;
}

function closedText({ rail, opensAt }: Detail['closedRails'][number]): string {
  return opensAt === null ? rail : `${rail}, until ${instant(opensAt)}`;
}

export function WaysToBuySection({ detail: { closedRails, listing, x402Path }, apiBaseUrl }: Props) {
  const { curl, mcp, sdk, x402 } = waysToBuy(apiBaseUrl, listing);
  const isHealth = listing.verticalSlug === PERSONAL_HEALTH;
  return (
    <section class="stack" aria-labelledby="buy">
      <h2 id="buy">Ways to buy</h2>
      <p>
        {listing.priceCents === 0
          ? 'It is free: the answer has the content and its receipt.'
          : 'Pay from a wallet, with a saved card, or on a checkout page that a person completes. You pay only for what is delivered.'}
      </p>
      {closedRails.length > 0 && (
        <p class="note">
          Closed for now: {closedRails.map(closedText).join('; ')}. The marketplace bears a part of what
          payments cost, up to a limit.
        </p>
      )}
      {isHealth && (
        <p class="note">
          Personal health data: you must also state the intended use (<code>buyer_intended_use</code>) and
          attest the uses that you exclude (<code>buyer_attestation</code>).
        </p>
      )}
      <div class="columns">
        <Code label="Shell" text={curl} />
        <Code label="MCP tool" text={mcp} />
        <Code label="TypeScript" text={sdk} />
        {x402Path !== null && listing.fulfilment === 'digital' && (
          <Code label="x402, without an account" text={x402} />
        )}
      </div>
    </section>
  );
}
