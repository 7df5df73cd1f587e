import { beforeEach, expect, it } from 'vitest';
import { sweepSearchOutbox } from '../listings/refresh-search-documents.ts';
import { newListingOf, verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const operator = { 'x-mkt-admin': TEST_ADMIN_SECRET };

async function rebuild(body: object = {}, headers: Record<string, string> = operator) {
  const response = await market.request('POST', '/admin/search-index/rebuild', { body, headers });
  return { status: response.status, body: (await readSigned(response)).body as Record<string, unknown> };
}

async function browse() {
  const response = await market.request('GET', '/marketplace/listings?limit=100');
  const { body } = await readSigned(response);
  const { total, listings } = body as { total: number; listings: { id: string }[] };
  return { total, ids: listings.map(({ id }) => id).sort() };
}

const documents = async () => {
  const { results } = await testBindings.SEARCH.prepare('SELECT listing_id AS id FROM documents').all<{
    id: string;
  }>();
  return results.map(({ id }) => id).sort();
};

const outbox = async () =>
  (await testBindings.DB.prepare('SELECT COUNT(*) AS n FROM search_outbox').first<{ n: number }>())?.n;

let active: string[];
let inactive: string;
beforeEach(async () => {
  const seller = await verifiedSellerOf(market);
  for (let n = 0; n < 3; n += 1) await newListingOf(market, { title: `Tide tables ${n}` }, seller);
  ({ id: inactive } = await newListingOf(market, { title: 'Withdrawn' }, seller));
  await market.request('POST', `/marketplace/listings/${inactive}/deactivate`, {
    body: {},
    apiKey: seller.apiKey,
  });
  const { results } = await testBindings.DB.prepare(
    "SELECT id FROM listings WHERE status = 'active' ORDER BY id",
  ).all<{ id: string }>();
  active = results.map(({ id }) => id);
});

const healthy = () => ({ total: active.length, ids: active });

it('writes lost and outdated documents anew, and knows what is not for sale', async () => {
  await testBindings.SEARCH.prepare('DELETE FROM documents WHERE listing_id = ?').bind(active[0]).run();
  await testBindings.SEARCH.prepare("UPDATE documents SET summary = '{}' WHERE listing_id = ?")
    .bind(active[1])
    .run();
  expect((await browse()).total).toBe(active.length - 1);
  expect(await rebuild()).toMatchObject({ status: 202, body: { emptied: false, waiting: await outbox() } });
  await sweepSearchOutbox(market.newPorts());
  expect(await browse()).toEqual(healthy());
});

it('finds listings that nothing was ever noted of', async () => {
  await testBindings.DB.prepare('DELETE FROM search_outbox').run();
  expect((await rebuild({ empty: true })).status).toBe(202);
  await sweepSearchOutbox(market.newPorts());
  expect(await browse()).toEqual(healthy());
});

it('starts from nothing where the listings were set back behind the index', async () => {
  const ghost = '11111111-1111-4111-8111-111111111111';
  await testBindings.SEARCH.batch([
    testBindings.SEARCH.prepare('UPDATE indexed_marks SET mark = 1000'),
    testBindings.SEARCH.prepare('UPDATE documents SET listing_id = ? WHERE listing_id = ?').bind(
      ghost,
      active[0],
    ),
  ]);
  await rebuild();
  await sweepSearchOutbox(market.newPorts());
  expect(await documents(), 'newer marks win').toEqual([ghost, ...active.slice(1)].sort());

  expect((await rebuild({ empty: true })).body.emptied).toBe(true);
  expect((await browse()).total).toBe(0);
  await sweepSearchOutbox(market.newPorts());
  expect(await browse()).toEqual(healthy());
  expect(await documents()).toEqual(active);
});

it.each(['search', 'market'] as const)(
  'can be repeated when the database %s fails at any point',
  async (name) => {
    for (const fault of ['lose_request', 'lose_reply'] as const) {
      for (let at = 1, broken = true; broken; at += 1) {
        let count = 0;
        market[name].fault = () => {
          count += 1;
          return count === at ? fault : undefined;
        };
        const { status } = await rebuild({ empty: true });
        market[name].fault = () => undefined;
        broken = count >= at;
        expect([202, 503]).toContain(status);
        if (status === 503) expect((await rebuild({ empty: true })).status).toBe(202);
        await market.background.settled();
        await sweepSearchOutbox(market.newPorts());
        expect(await browse()).toEqual(healthy());
      }
    }
  },
);

it('is for the operator', async () => {
  const { body } = await rebuild({ empty: true }, {});
  expect(body.code).toBe('admin_required');
  expect(await browse()).toEqual(healthy());
});
