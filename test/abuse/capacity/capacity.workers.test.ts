import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { HOUR_MS } from '@agent-marketplace/core/kernel/time.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/sales-marketplace.ts';
import { beforeAll, expect, it } from 'vitest';
import page from '../../../docs/capacity.md?raw';
import { type Counted, PLAN_DOLLARS, PRICES, PRICES_READ_ON } from './platform-prices.data.ts';

// What each kind of request costs, as D1 and the ports count it, at the platform's list prices; docs/capacity.md has the table.

const LISTINGS = 50;
const sales = createSalesMarketplace();
const { market } = sales;
const NAMES = Object.keys(PRICES) as (keyof typeof PRICES)[];
const lines = new Map<string, Counted>();

/** One request, or one run of the jobs, which leaves no data point, with what it leaves to the background. */
async function count(kind: string, work: () => Promise<unknown>, dataPoints = 1): Promise<void> {
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  const [messages, wakes] = [market.jobs.sent.length, market.eventWaits.woken.length];
  await work();
  await market.background.settled();
  lines.set(kind, {
    requests: 1,
    rowsRead: market.market.rowsRead + market.search.rowsRead,
    rowsWritten: market.market.rowsWritten + market.search.rowsWritten,
    objectCalls: market.eventWaits.woken.length - wakes,
    objectRowsWritten: 0,
    queueMessages: market.jobs.sent.length - messages,
    dataPoints,
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
  await sales.read(id, buyer, 'omit');
  await runEveryMinute(market.newPorts());
  await count('a minute of the jobs with nothing to do', () => runEveryMinute(market.newPorts()), 0);
  const idle = lines.get('a minute of the jobs with nothing to do') as Counted;
  for (let n = 0; n < 16; n += 1) await buy(priced.id);
  market.clock.advance(100 * HOUR_MS);
  await count('the payout', () => runEveryMinute(market.newPorts()), 0);
  const [{ released } = { released: 0 }] = await sales.rows<{ released: number }>(
    "SELECT COUNT(*) AS released FROM purchases WHERE status = 'released' AND amount_cents > 0",
  );
  expect(released).toBeGreaterThan(10);
  const all = lines.get('the payout') as Counted;
  const each = (name: keyof Counted) => Math.ceil(Math.max(0, all[name] - idle[name]) / released);
  lines.set(
    'the jobs of one sale, with its payout',
    Object.fromEntries(NAMES.map((name) => [name, name === 'requests' ? 0 : each(name)])) as Counted,
  );
  lines.delete('the payout');
  // The door's own figures: docs/security.md, counted by test/fault/ingress-costs.test.ts.
  const door = { requests: 1, rowsRead: 0, rowsWritten: 0, queueMessages: 0, dataPoints: 1 };
  lines.set('an admission at the door', { ...door, objectCalls: 2, objectRowsWritten: 2 });
  lines.set('a heartbeat', { ...door, objectCalls: 1, objectRowsWritten: 1 });
}, 180_000);

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
      `| ${[kind, ...NAMES.map((name) => counted[name]), rounded(dollarsOf(counted))].join(' | ')} |`,
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
