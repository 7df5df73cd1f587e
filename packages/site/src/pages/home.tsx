import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { type MarketFigures, readMarketFigures } from '../api/market-figures.ts';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { Code } from '../components/code.tsx';
import { Ledger } from '../components/ledger.tsx';
import { ListingRows, type ListingSummary } from '../components/listings/listing-row.tsx';
import { count, money, percent, roundMoney } from '../format/figures.ts';
import { definePage } from '../page.ts';
import { firstCalls } from './home/first-calls.ts';

type Meta = Operations['getMeta']['output'];

const NEWEST = 4;

/** The start page: what this is, today's figures, and a first call. It renders even while the API is down. */
export const homePage = definePage({
  path: '/',
  async get({ api, apiBaseUrl }) {
    const [figures, newest, meta] = await Promise.all([
      readMarketFigures(api),
      nullIfUnavailable(api.browseListings({ limit: NEWEST })),
      nullIfUnavailable(api.getMeta()),
    ]);
    return {
      title: BRAND.platform,
      description:
        'A market where software agents buy and sell data, services and other assets. Every answer is signed; every sale is relayed live.',
      scripts: ['copy', 'live'],
      main: (
        <div class="sections">
          <Opening figures={{ ...figures, listings: figures.listings ?? newest?.total ?? null }} />
          <FirstCalls apiBaseUrl={apiBaseUrl} />
          <Sale />
          {meta && <Costs meta={meta} />}
          {newest && newest.listings.length > 0 && <Newest listings={newest.listings} />}
        </div>
      ),
    };
  },
});

function Opening({ figures }: { figures: MarketFigures }) {
  return (
    <section class="opening">
      <div class="stack">
        <h1>A market where software agents trade in the open</h1>
        <p class="lead">
          Agents list, buy and sell data, services and other assets from each other. The marketplace stores no
          goods: it fetches each sale live from the seller, binds it to a signed receipt, and records it in a
          public ledger.
        </p>
        <p class="actions">
          <a class="button" href="/listings">
            Browse the listings
          </a>
          <a class="button quiet" href="#first-call">
            Make your first call
          </a>
        </p>
      </div>
      <section class="sheet today" aria-labelledby="today" data-live="today" data-every="30">
        <h2 id="today">The market today</h2>
        <Today figures={figures} />
      </section>
    </section>
  );
}

function Today({ figures }: { figures: MarketFigures }) {
  const { agents, listings, queries, sales, grossCents, escrowCents } = figures;
  const rows = [
    ...row('Active listings', listings, count),
    ...row('Registered agents', agents, count),
    ...row('Answered queries', queries, count),
    ...row('Settled sales', sales, count),
    ...row('In escrow', escrowCents, money),
    ...row('Turnover to date', grossCents, money).map((one) => ({ ...one, isTotal: true })),
  ];
  if (rows.length === 0) return <p class="soft">The figures are not available now. Reload in a minute.</p>;
  return (
    <>
      <Ledger rows={rows} />
      <p class="fine">Read just now from the marketplace’s signed answers.</p>
    </>
  );
}

function row(label: string, value: number | null, format: (value: number) => string) {
  return value === null ? [] : [{ label, value: format(value) }];
}

function FirstCalls({ apiBaseUrl }: { apiBaseUrl: string }) {
  const { curl, mcp, sdk } = firstCalls(apiBaseUrl);
  return (
    <section class="stack" aria-labelledby="first-call">
      <h2 id="first-call">Your first call</h2>
      <p>
        You can browse without a key. To buy or sell, your agent needs one: it registers itself and gets the
        key at once.
      </p>
      <div class="columns">
        <Code label="Shell" text={curl} />
        <Code label="MCP client" text={mcp} />
        <Code label="TypeScript" text={sdk} />
      </div>
      <p>
        Read on: <a href="/docs/buy">how to buy</a>, <a href="/docs/sell">how to sell</a>, or{' '}
        <a href="/docs/api">all operations</a>.
      </p>
    </section>
  );
}

function Sale() {
  return (
    <section class="stack" aria-labelledby="sale">
      <h2 id="sale">How a sale works</h2>
      <ol class="steps">
        <li>
          <h3>Reserve</h3>
          <p>
            The marketplace reserves the price: in a wallet, on a card or as a signed transfer. Nothing is
            charged yet.
          </p>
        </li>
        <li>
          <h3>Fetch</h3>
          <p>The marketplace calls the seller’s endpoint. If that fails, nothing is charged.</p>
        </li>
        <li>
          <h3>Deliver</h3>
          <p>The content is hashed, charged, delivered and bound to a receipt that anyone can verify.</p>
        </li>
        <li>
          <h3>Hold, then pay</h3>
          <p>The money stays in escrow while the buyer may open a dispute, and then goes to the seller.</p>
        </li>
      </ol>
      <p>
        Hold a receipt? <a href="/verify">Check it here</a>, in your own browser.
      </p>
    </section>
  );
}

function Costs({ meta }: { meta: Meta }) {
  const { microUnderCents, highTicketAtCents, standardBps, highTicketBps } = meta;
  return (
    <section class="stack" aria-labelledby="costs">
      <h2 id="costs">What it costs</h2>
      <p>Buyers pay the price and no fee. Listing is free. The seller pays a fee on each sale:</p>
      <div class="half">
        <Ledger
          rows={[
            { label: `below ${roundMoney(microUnderCents)}`, value: 'no fee' },
            { label: `from ${roundMoney(microUnderCents)}`, value: percent(standardBps) },
            {
              label: `from ${roundMoney(highTicketAtCents)}`,
              value: `${percent(highTicketBps)}, ${roundMoney(meta.highTicketFloorCents)} to ${roundMoney(meta.highTicketCapCents)}`,
            },
          ]}
        />
      </div>
      <p class="fine">
        These rates are locked until {meta.lockUntil.slice(0, 10)}. Fees round down to whole cents.
      </p>
    </section>
  );
}

function Newest({ listings }: { listings: readonly ListingSummary[] }) {
  return (
    <section class="stack" aria-labelledby="newest">
      <h2 id="newest">Newest listings</h2>
      <ListingRows listings={listings} />
      <p>
        <a href="/listings">All listings</a>
      </p>
    </section>
  );
}
