import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { HOUR_MS } from '@agent-marketplace/core/kernel/time.ts';
import { tabClientOf } from '@agent-marketplace/core/testing/fixtures/tabs.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { beforeAll, expect, it } from 'vitest';
import page from '../../../docs/capacity.md?raw';
import { type Counted, PLAN_DOLLARS, PRICES, PRICES_READ_ON } from './platform-prices.data.ts';

// What each kind of request costs, as D1 and the ports count it, at the platform's list prices; docs/capacity.md has the table.

const LISTINGS = 50;
const x402 = createQueryMarketplace();
const tabs = tabClientOf(x402);
const { sales, market, chain, claims } = x402;
const { cards } = sales;
const NAMES = Object.keys(PRICES) as (keyof typeof PRICES)[];

/** `subrequests` cost nothing, and a Worker may make only so many: calls of databases, objects, queues, sellers, processor and chain. */
type Line = Counted & { readonly subrequests: number };
const COLUMNS = [...NAMES, 'subrequests'] as const;
const lines = new Map<string, Line>();

const callsOutside = () => market.sellerEndpoint.requests.length + cards.calls.length + chain.calls.length;

/** One request, or one run of the jobs, which leaves no data point, with what it leaves to the background. */
async function count(kind: string, work: () => Promise<unknown>, dataPoints = 1): Promise<void> {
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  claims.calls = 0;
  const [messages, wakes, outside] = [
    market.jobs.sent.length,
    market.eventWaits.woken.length,
    callsOutside(),
  ];
  await work();
  await market.background.settled();
  const objectCalls = market.eventWaits.woken.length - wakes + claims.calls;
  const queueMessages = market.jobs.sent.length - messages;
  lines.set(kind, {
    requests: 1,
    rowsRead: market.market.rowsRead + market.search.rowsRead,
    rowsWritten: market.market.rowsWritten + market.search.rowsWritten,
    objectCalls,
    // Each call about a payment's claim stores a row at most.
    objectRowsWritten: claims.calls,
    queueMessages,
    dataPoints,
    subrequests:
      market.market.count + market.search.count + objectCalls + queueMessages + callsOutside() - outside,
  });
}

const good = async (method: string, path: string, apiKey: string | null, body?: object) => {
  const { status, body: answer } = await sales.request(method, path, apiKey, body);
  expect([path, status < 300]).toEqual([path, true]);
  return answer as unknown as { id: string };
};

beforeAll(async () => {
  const seller = await sales.seller();
  for (let n = 0; n < LISTINGS; n += 1) await sales.listing({ title: `Weather of station ${n}` }, seller);
  const free = await sales.listing({ priceCents: 0 }, seller);
  const priced = await sales.listing({ priceCents: 1000 }, seller);
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const buy = (id: string, body: object = {}) =>
    good('POST', `/marketplace/listings/${id}/purchase`, buyer.apiKey, body);
  // What is done for the first time, as a first receipt, is done once.
  await buy(priced.id);
  await buy(free.id);
  await runEveryMinute(market.newPorts());
  await count('an agent registers', () => good('POST', '/agents/register', null, { name: 'Ada' }));
  await count('a search', () => good('GET', '/marketplace/listings?q=weather&limit=20', null));
  await count('a listing', () => good('GET', `/marketplace/listings/${priced.id}`, null));
  await count('a free purchase', () => buy(free.id));
  let id = '';
  await count('a purchase from the wallet', async () => {
    id = (await buy(priced.id)).id;
  });
  await count('the buyer reads its purchase', () =>
    good('GET', `/marketplace/purchases/${id}?content=omit`, buyer.apiKey),
  );
  const withCard = await sales.buyerWithCard();
  const byCard = () =>
    good('POST', `/marketplace/listings/${priced.id}/purchase`, withCard.apiKey, { payment_method: 'card' });
  await byCard();
  await count('a purchase with a saved card', byCard);
  await countQueries(priced.id);
  await sales.read(id, buyer, 'omit');
  await runEveryMinute(market.newPorts());
  await count('a minute of the jobs with nothing to do', () => runEveryMinute(market.newPorts()), 0);
  const idle = lines.get('a minute of the jobs with nothing to do') as Line;
  for (let n = 0; n < 16; n += 1) await buy(priced.id);
  market.clock.advance(100 * HOUR_MS);
  await count('the payout', () => runEveryMinute(market.newPorts()), 0);
  const [{ released } = { released: 0 }] = await sales.rows<{ released: number }>(
    "SELECT COUNT(*) AS released FROM purchases WHERE status = 'released' AND amount_cents > 0",
  );
  expect(released).toBeGreaterThan(10);
  const all = lines.get('the payout') as Line;
  const each = (name: keyof Line) => Math.ceil(Math.max(0, all[name] - idle[name]) / released);
  lines.set(
    'the jobs of one sale, with its payout',
    Object.fromEntries(COLUMNS.map((name) => [name, name === 'requests' ? 0 : each(name)])) as Line,
  );
  lines.delete('the payout');
  // The door's own figures: docs/security.md, counted by test/fault/ingress-costs.test.ts.
  const door = { requests: 1, rowsRead: 0, rowsWritten: 0, queueMessages: 0, dataPoints: 1 };
  lines.set('an admission at the door', { ...door, objectCalls: 2, objectRowsWritten: 2, subrequests: 2 });
  lines.set('a heartbeat', { ...door, objectCalls: 1, objectRowsWritten: 1, subrequests: 1 });
}, 180_000);

/** What needs no account. The first of each payer is done for the first time. */
async function countQueries(listingId: string): Promise<void> {
  const payer = x402.newPayer();
  const answered = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    expect(status, text).toBe(200);
  };
  await answered(x402.query(listingId, await x402.pay(payer, listingId, 2)));
  await count('the terms of a query', () => x402.query(listingId));
  const paid = await x402.pay(payer, listingId, 2);
  await count('a query paid in USDC', () => answered(x402.query(listingId, paid)));
  const price = { priceCents: 1, priceMicros: 500 };
  const { id } = await sales.listing(price);
  const opening = await tabs.payFor(payer, id, 100);
  let tabId = '';
  await count('a tab is opened', async () => {
    tabId = (await tabs.open(id, 100, opening)).body.tabId;
  });
  const ask = (sequence: number) =>
    answered(tabs.ask(payer, tabId, { sequence, ceilingMicros: sequence * price.priceMicros }));
  await ask(1);
  await count("a tab's query", () => ask(2));
}

/** US dollars for a million of them. */
const dollarsOf = (counted: Counted): number =>
  NAMES.reduce((sum, name) => sum + counted[name] * PRICES[name].perMillion, 0);
const rounded = (dollars: number): string => dollars.toFixed(2);

/** What goes with one purchase, in a month of a million. */
const PER_PURCHASE: Readonly<Record<string, number>> = {
  'a search': 10,
  'a listing': 3,
  'a purchase from the wallet': 1,
  'the buyer reads its purchase': 1,
  'the jobs of one sale, with its payout': 1,
};
const MINUTES_OF_MONTH = 43_200;

function tableOf(): string[] {
  const rows = [...lines].map(
    ([kind, counted]) =>
      `| ${[kind, ...COLUMNS.map((name) => counted[name]), rounded(dollarsOf(counted))].join(' | ')} |`,
  );
  const monthly = Object.entries(PER_PURCHASE).map(([kind, times]) => {
    const dollars = times * dollarsOf(lines.get(kind) as Counted);
    return { line: `| ${kind} | ${times} | ${rounded(dollars)} |`, dollars };
  });
  const idle =
    (dollarsOf(lines.get('a minute of the jobs with nothing to do') as Counted) * MINUTES_OF_MONTH) / 1e6;
  const total = monthly.reduce((sum, { dollars }) => sum + dollars, idle + PLAN_DOLLARS);
  return [
    ...rows,
    ...monthly.map(({ line }) => line),
    `| the jobs, every minute | – | ${rounded(idle)} |`,
    `| the plan | – | ${rounded(PLAN_DOLLARS)} |`,
    `| in all | – | ${rounded(total)} |`,
  ];
}

it('docs/capacity.md has the figures and adds up', () => {
  const expected = tableOf();
  const documented = page.split('\n').filter((line) => line.startsWith('| '));
  expect(documented.filter((line) => /\d\.\d\d \|$/.test(line))).toEqual(expected);
  for (const { source } of Object.values(PRICES)) expect(page).toContain(source);
  expect(page).toContain(PRICES_READ_ON);
});
