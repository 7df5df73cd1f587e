import { beforeAll, describe, expect, it } from 'vitest';
import { copyStorage } from '#test-bindings';
import { FakeIds } from '../../../testing/doubles/fake-ids.ts';
import { sellerOf } from '../../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../../testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '../../../testing/marketplace/sales-marketplace.ts';
import { testBindings } from '../../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../../testing/marketplace/workers-harness.ts';
import { shardOf } from '../../bucket.ts';
import type { Ids } from '../../ports/ids.ts';

if (copyStorage === null) throw new Error('This needs databases that can be copied.');
const SHARDS = 2;
const [first, second] = [testBindings.DB, copyStorage()()[0] as D1Database];
const search = testBindings.SEARCH;

/** As whatever makes agents in this shard does: their ids are of its buckets. */
function idsOf(shard: number): Ids {
  const ids = new FakeIds(shard + 1);
  const uuid = (): string => {
    const id = ids.uuid();
    return shardOf(id, SHARDS) === shard ? id : uuid();
  };
  return { uuid, randomBytes: (length) => ids.randomBytes(length) };
}

const inFirst = createSalesMarketplace(
  {},
  { databases: { market: first, search }, overrides: { ids: idsOf(0) } },
);
const inSecond = createSalesMarketplace(
  {},
  { databases: { market: second, search }, overrides: { ids: idsOf(1) } },
);
/** What is deployed over both. */
const market = createTestMarketplace({ databases: { market: first, search, others: [second] } });

async function send(method: string, path: string, apiKey?: string, body?: object, headers = {}) {
  const response = await market.request(method, path, {
    headers,
    ...(body ? { body } : {}),
    ...(apiKey ? { apiKey } : {}),
  });
  return { status: response.status, body: (await readSigned(response)).body as Record<string, unknown> };
}

async function rowsOf(database: D1Database, table: string): Promise<Record<string, unknown>[]> {
  return (await database.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>()).results;
}

async function everything(): Promise<string> {
  const tables = [
    'purchases',
    'payments',
    'ledger_postings',
    'ledger_entries',
    'idempotency_keys',
    'listings',
  ];
  const all = [first, second].flatMap((database) => tables.map((table) => rowsOf(database, table)));
  return JSON.stringify(await Promise.all(all));
}

describe('a market in two databases', () => {
  let sellers: Awaited<ReturnType<typeof inFirst.listing>>[];
  let buyers: RegisteredAgent[];

  beforeAll(async () => {
    sellers = [await inFirst.listing(), await inSecond.listing()];
    buyers = [await inFirst.newAgent(), await inSecond.newAgent()];
    const [one, two] = buyers as [RegisteredAgent, RegisteredAgent];
    await inFirst.fund(one, 5000);
    await inSecond.fund(two, 5000);
    market.sellerEndpoint.script = sellerOf({});
  });

  it.each([0, 1])(
    'sells within database %i: the purchase, its money and its id are there alone',
    async (shard) => {
      const [listing, buyer] = [sellers[shard], buyers[shard]];
      const path = `/marketplace/listings/${listing?.id}/purchase`;
      const other = JSON.stringify(await rowsOf(shard === 0 ? second : first, 'ledger_postings'));
      const key = { 'idempotency-key': `within-${shard}` };
      const bought = await send('POST', path, buyer?.apiKey, { payment_method: 'wallet' }, key);
      expect([bought.status, bought.body.status]).toEqual([200, 'held']);
      expect(shardOf(String(bought.body.id), SHARDS)).toBe(shard);
      const held = await rowsOf(shard === 0 ? first : second, 'purchases');
      expect(held.map(({ id }) => id)).toContain(bought.body.id);
      expect(JSON.stringify(await rowsOf(shard === 0 ? second : first, 'ledger_postings'))).toBe(other);
      const again = await send('POST', path, buyer?.apiKey, { payment_method: 'wallet' }, key);
      expect(again.body.id).toBe(bought.body.id);
      const read = await send('GET', `/marketplace/purchases/${bought.body.id}?content=omit`, buyer?.apiKey);
      expect([read.status, read.body.id]).toEqual([200, bought.body.id]);
      const balance = await send('GET', '/wallet/balance', buyer?.apiKey);
      expect(balance.body.balanceCents).toBe(4000);
    },
  );

  it.each([0, 1])('shows everybody the listing of database %i, whose ids name it', async (shard) => {
    const listing = sellers[shard];
    expect(shardOf(String(listing?.id), SHARDS)).toBe(shard);
    for (const buyer of [undefined, ...buyers]) {
      for (const part of ['', '/history', '/ratings', '/quality']) {
        const { status } = await send('GET', `/marketplace/listings/${listing?.id}${part}`, buyer?.apiKey);
        expect([part, status]).toEqual([part, 200]);
      }
    }
  });

  it('finds both in one search', async () => {
    const { body } = await send('GET', '/marketplace/listings?limit=50');
    const found = (body.listings as { id: string }[]).map(({ id }) => id);
    expect(found).toEqual(expect.arrayContaining(sellers.map(({ id }) => id)));
  });

  it.each([
    [0, 1],
    [1, 0],
  ])('refuses a purchase by an agent of %i in %i before anything is written or asked', async (from, to) => {
    const before = await everything();
    const asked = market.sellerEndpoint.requests.length;
    const { status, body } = await send(
      'POST',
      `/marketplace/listings/${sellers[to]?.id}/purchase`,
      buyers[from]?.apiKey,
      { payment_method: 'wallet' },
    );
    expect([status, body.code, body.charged]).toEqual([503, 'service_unavailable', false]);
    expect(await everything()).toBe(before);
    expect(market.sellerEndpoint.requests.length).toBe(asked);
  });
});
