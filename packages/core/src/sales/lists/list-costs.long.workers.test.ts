import { beforeAll, expect, it } from 'vitest';
import { recordAgentEvent } from '../../agents/index.ts';
import { isoTime } from '../../kernel/time.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { saleStatus } from '../sales.schema.ts';

// What the lists of an agent's purchases, sales and events read, as D1 itself counts it, with few of them and with many.

const SIZES = { small: 1000, large: 10_000 };
const A_STATEMENT = 5000;

const sales = createSalesMarketplace();
const { market, rows } = sales;
market.sellerEndpoint.script = sellerOf({ answer: 42 });

let buyer: RegisteredAgent;
let seller: RegisteredAgent;
let purchaseId: string;

/** The same row again under other ids, a moment later each, in the tables that a list joins. */
async function repeat(table: string, key: string, from: number, to: number, changes: Record<string, string>) {
  const columns = (await rows<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)).map(
    ({ name }) => name,
  );
  const values = columns.map((name) => changes[name] ?? name);
  for (let start = from; start < to; start += A_STATEMENT)
    await market.newPorts().market.commit([
      {
        sql: `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} JOIN (
          WITH RECURSIVE counter (n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM counter
            WHERE n < ${Math.min(to, start + A_STATEMENT) - 1}) SELECT n FROM counter) WHERE ${key}`,
        params: [],
      },
    ]);
}

async function grow(from: number, to: number): Promise<void> {
  const id = "printf('%08x-0000-4000-8000-000000000000', n)";
  const at = (column: string) =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '+' || (n / 100.0) || ' seconds')`;
  await repeat('purchases', `id = '${purchaseId}'`, from, to, { id, created_at: at('created_at') });
  await repeat('payments', `purchase_id = '${purchaseId}'`, from, to, { purchase_id: id });
  await repeat('agent_events', `id = '${purchaseId}'`, from, to, { id, sequence: 'NULL' });
}

const SOLD = ['held', 'releasing', 'released', 'refunded'];

async function rowsRead(agent: RegisteredAgent, path: string): Promise<number> {
  market.market.reset();
  const { status, body } = await sales.request('GET', path, agent.apiKey);
  expect(status, JSON.stringify(body)).toBe(200);
  return market.market.rowsRead;
}

async function walk(): Promise<Record<string, number>> {
  const read: Record<string, number> = {};
  const { body } = await sales.request('GET', '/purchases?limit=20', buyer.apiKey);
  const { nextCursor } = body as unknown as { nextCursor: string };
  const { lastSequence } = (await sales.request('GET', '/agents/me/events?limit=1', buyer.apiKey))
    .body as unknown as { lastSequence: number };
  const ofBuyer = [
    '/purchases',
    `/purchases?cursor=${encodeURIComponent(nextCursor)}`,
    '/purchases?idempotencyKey=once',
    ...saleStatus.options.map((status) => `/purchases?status=${status}`),
    '/agents/me/events',
    `/agents/me/events?after=${lastSequence - 30}`,
  ];
  for (const path of ofBuyer) read[path.replace(/(cursor|after)=.*/, '$1')] = await rowsRead(buyer, path);
  for (const path of ['/sales', '/sales?only=disputed', ...SOLD.map((status) => `/sales?status=${status}`)])
    read[path] = await rowsRead(seller, path);
  return read;
}

let small: Record<string, number>;
let large: Record<string, number>;

beforeAll(async () => {
  seller = await sales.seller();
  const { id } = await sales.listing({ priceCents: 1000 }, seller);
  buyer = await sales.newAgent();
  await sales.fund(buyer, 2000);
  const { body } = await sales.buy(id, buyer, {
    body: { payment_method: 'wallet' },
    idempotencyKey: 'first',
  });
  purchaseId = body.id;
  await sales.buy(id, buyer, { body: { payment_method: 'wallet' }, idempotencyKey: 'once' });
  const at = isoTime(market.clock.now());
  await market.newPorts().market.commit(recordAgentEvent(buyer.id, 'sale.held', {}, purchaseId, at));
  await grow(1, SIZES.small);
  small = await walk();
  await grow(SIZES.small, SIZES.large);
  large = await walk();
}, 120_000);

it('is the same, however many there are', () => {
  const grown = Object.keys(small).filter((path) => (large[path] ?? 0) > (small[path] ?? 0) + 2);
  expect(grown.map((path) => [path, small[path], large[path]])).toEqual([]);
  expect(Math.max(...Object.values(large))).toBeLessThan(1000);
});
