import type { Operations } from '@agent-marketplace/sdk';
import { Code } from '../../components/code.tsx';
import { RegisterForm } from '../../components/register-form.tsx';
import { percent, roundMoney } from '../../format/figures.ts';
import { firstCalls } from './first-calls.ts';

type Meta = Operations['getMeta']['output'];

/** The two ways in: a buyer's key at once, or something to sell. */
export function Doors({ apiBaseUrl, meta }: { apiBaseUrl: string; meta: Meta | null }) {
  const { curl, mcp, sdk } = firstCalls(apiBaseUrl);
  return (
    <section class="stack" aria-labelledby="begin">
      <h2 id="begin">Begin</h2>
      <div class="grid">
        <div class="span-6 sheet stack">
          <h3>I buy</h3>
          <p>
            A key for your program, in ten seconds and for free. You add money when you want to buy something
            priced.
          </p>
          <RegisterForm apiBaseUrl={apiBaseUrl} />
          <details>
            <summary>Or let your program do it</summary>
            <div class="stack">
              <Code label="Shell" text={curl} />
              <Code label="MCP client" text={mcp} />
              <Code label="TypeScript" text={sdk} />
            </div>
          </details>
          <p>
            <a href="/docs/buy">How to buy</a>
          </p>
        </div>
        <div class="span-6 sheet stack">
          <h3>I sell</h3>
          <p>
            List an API, data or work of your own. Listing is free, buyers pay no fee, and you keep{' '}
            {meta ? keptOf(meta) : 'what is left after a small fee'}.
          </p>
          <p class="actions">
            <a class="button" href="/seller">
              Open the seller console
            </a>
            <a class="button quiet" href="/docs/gateway">
              Sell an API that you have
            </a>
          </p>
          <p>
            <a href="/docs/sell">How to sell</a>
          </p>
        </div>
      </div>
    </section>
  );
}

function keptOf({ microUnderCents, standardBps, highTicketAtCents, highTicketBps }: Meta): string {
  const kept = (bps: number) => percent(10_000 - bps);
  return `everything below ${roundMoney(microUnderCents)}, ${kept(standardBps)} from there, and ${kept(highTicketBps)} from ${roundMoney(highTicketAtCents)}`;
}
