import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { publishPlatformListings } from '../platform/index.ts';
import { readJson, readWholeLedger, recompute } from '../testing/fixtures/demand-oracle.ts';
import { newListingOf } from '../testing/fixtures/new-listing.ts';
import { addPurchase } from '../testing/fixtures/new-sale.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { addSalesOfAllKinds } from '../testing/fixtures/sales-of-all-kinds.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const { DB, TEST_MIGRATIONS } = testBindings;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

/** What was answered before is no longer fresh. */
const later = () => market.clock.advance(6000);

beforeAll(async () => {
  await publishPlatformListings(market.newPorts());
  await addSalesOfAllKinds(market, 70);
});

it('takes in what was there before: the same answer after the migration is made anew over full tables', async () => {
  later();
  const before = await readWholeLedger(market);
  expect(before.ledger.length).toBe(30);
  await remakeMigration();
  later();
  const after = await readWholeLedger(market);
  // Only changes from then on are counted.
  const ofRead = { generatedAt: null, revision: null };
  expect({ ...after, ...ofRead }).toEqual({ ...before, ...ofRead });
  expect(after).toMatchObject(recompute(after.ledger));
  // And it goes on from there.
  await addSalesOfAllKinds(market, 20);
  later();
  const more = await readWholeLedger(market);
  expect(more.ledger.length).toBeGreaterThan(30);
  expect(more).toMatchObject(recompute(more.ledger));
});

/** Removes all that the migration made, tables and triggers, and applies it again. */
async function remakeMigration(): Promise<void> {
  const queries = TEST_MIGRATIONS.market
    .filter(({ name }) => /statistics|self_sales|demand_statements|demand_revision/.test(name))
    .flatMap((migration) => migration.queries);
  const made = queries.flatMap((sql) => [...sql.matchAll(/^\s*CREATE (TABLE|TRIGGER|VIEW|INDEX) (\w+)/gm)]);
  expect(made.length).toBeGreaterThan(20);
  const dropped = made.reverse().map(([, kind, name]) => DB.prepare(`DROP ${kind} IF EXISTS ${name}`));
  const totals = "DELETE FROM totals WHERE name IN ('distinct_buyers', 'distinct_sellers', 'escrow_cents')";
  await DB.batch([...dropped.filter((_, n) => made[n]?.[1] !== 'TABLE'), DB.prepare(totals)]);
  await DB.batch(dropped.filter((_, n) => made[n]?.[1] === 'TABLE'));
  for (const sql of queries) await DB.prepare(sql).run();
}

describe('pages', () => {
  clause('demand.ledger');
  it.each([1, 3, 7, 1000])('of %i hold every row once, newest first', async (limit) => {
    later();
    const { ledger } = await readWholeLedger(market, limit);
    const { results } = await DB.prepare(
      `SELECT id FROM purchases WHERE status IN ('held', 'releasing', 'released') ORDER BY created_at DESC, id DESC`,
    ).all<{ id: string }>();
    expect(ledger.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
  });

  it('go on where they were when a sale comes in between', async () => {
    later();
    const first = await readJson<{ nextCursor: string; ledger: { id: string }[] }>(
      market,
      '/proof/demand?limit=5',
    );
    await addPurchase(market, await newListingOf(market), null);
    const path = `/proof/demand?limit=5&cursor=${encodeURIComponent(first.nextCursor)}`;
    const second = await readJson<{ ledger: { id: string }[] }>(market, path);
    later();
    const whole = await readWholeLedger(market);
    const ids = [...first.ledger, ...second.ledger].map(({ id }) => id);
    expect(ids).toEqual(whole.ledger.slice(1, 11).map(({ id }) => id));
  });

  it.each(['limit=0', 'cursor=x', 'cursor=2026-01-01_x', 'affiliatedCursor=%27'])(
    'refuse %s',
    async (query) => {
      const response = await market.request('GET', `/proof/demand?${query}`);
      const { body } = await readSigned(response);
      expect([response.status, body.code]).toEqual([400, 'validation_failed']);
    },
  );
});

describe('what it costs', () => {
  it.each([
    ['/proof/demand', 1, 0],
    ['/stats', 1, 1],
    ['/marketplace/stats', 1, 1],
    ['/broadcast', 1, 1],
  ])('%s takes %i round trip to the market and %i to the search index', async (path, toMarket, toSearch) => {
    later();
    market.market.roundTrips.length = 0;
    market.search.roundTrips.length = 0;
    expect((await market.request('GET', path)).status).toBe(200);
    expect([market.market.roundTrips.length, market.search.roundTrips.length]).toEqual([toMarket, toSearch]);
  });

  it('scans nothing that grows with the ledger', async () => {
    later();
    market.market.roundTrips.length = 0;
    await market.request('GET', '/proof/demand?limit=10');
    for (const sql of market.market.roundTrips.flat()) {
      const holes = (sql.match(/\?/g) ?? []).map(() => 1);
      const { results } = await DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...holes)
        .all<{ detail: string }>();
      const scans = results.filter(
        ({ detail }) =>
          /SCAN|TEMP B-TREE/.test(detail) &&
          !/SCAN (CONSTANT ROW|demand_cells|designation_state|affiliated_merchants)/.test(detail),
      );
      expect(scans, sql).toEqual([]);
    }
  });
});

describe('designations', () => {
  it('are the operator’s alone, and unknown agents are refused', async () => {
    const agent = await newAgentOf(market);
    const body = { agentId: agent.id, party: 'internal' };
    for (const headers of [{}, { 'x-mkt-admin': 'guessed' }]) {
      const refused = await market.request('POST', '/admin/designations', { body, headers });
      expect(refused.status).toBe(403);
    }
    const unknown = { agentId: crypto.randomUUID(), party: 'internal' };
    for (const party of ['internal', null]) {
      const options = { body: { ...unknown, party }, headers: admin };
      const response = await market.request('POST', '/admin/designations', options);
      expect([response.status, (await readSigned(response)).body.code]).toEqual([
        404,
        'designated_agent_not_found',
      ]);
    }
  });

  it('are listed, the latest first, and taken back', async () => {
    const agent = await newAgentOf(market);
    const said = { agentId: agent.id, party: 'affiliated', note: 'The brother’s.' };
    later();
    const set = await readSigned(
      await market.request('POST', '/admin/designations', { body: said, headers: admin }),
    );
    const designatedAt = new Date(market.clock.now()).toISOString();
    expect(set.body).toEqual({ ...said, designatedAt });
    const list = async () =>
      (await readSigned(await market.request('GET', '/admin/designations', { headers: admin }))).body;
    expect(await list()).toMatchObject({ configured: false, designations: [{ ...said, designatedAt }] });
    const body = { agentId: agent.id, party: null };
    expect((await market.request('POST', '/admin/designations', { body, headers: admin })).status).toBe(200);
    expect((await list()).total).toBe(0);
  });

  it('survive a lost reply: the repetition with the same key finds what was said', async () => {
    const agent = await newAgentOf(market);
    const body = { agentId: agent.id, party: 'house_seller' };
    const headers = { ...admin, 'idempotency-key': 'designate-1' };
    market.market.fault = (sql) =>
      sql.some((one) => one.includes('party_designations')) ? 'lose_reply' : undefined;
    expect((await market.request('POST', '/admin/designations', { body, headers })).status).toBe(503);
    market.market.fault = () => undefined;
    const again = await market.request('POST', '/admin/designations', { body, headers });
    expect(again.status).toBe(200);
    expect((await readSigned(again)).body).toMatchObject(body);
    const without = await market.request('POST', '/admin/designations', {
      body,
      headers: { 'idempotency-key': 'designate-1' },
    });
    expect(without.status).toBe(403);
  });
});

clause('demand.reconciliation');
it('says so when rows and double entries differ', async () => {
  // These rows were put there without their postings.
  const inEscrow = async () => {
    later();
    const { reconciliation } = await readJson(market, '/proof/demand?limit=1');
    const told =
      /^Does not agree .*: sellers' shares in escrow are (\d+) cents by the rows and (\d+) cents by/;
    const [, rows, entries] = told.exec(String(reconciliation)) ?? [];
    return { rows: Number(rows), entries: Number(entries) };
  };
  const before = await inEscrow();
  expect(before).toEqual({ rows: expect.any(Number), entries: 0 });
  expect(before.rows).toBeGreaterThan(0);
  await DB.prepare("UPDATE totals SET value = value + 17 WHERE name = 'escrow_cents'").run();
  expect(await inEscrow()).toEqual({ rows: before.rows, entries: 17 });
});

it('is answered from memory while the database is down, and refused where nothing is remembered', async () => {
  later();
  const known = await readJson(market, '/proof/demand?limit=2');
  later();
  market.market.fault = () => 'lose_request';
  expect(await readJson(market, '/proof/demand?limit=2')).toEqual(known);
  expect((await market.request('GET', '/proof/demand?limit=4')).status).toBe(503);
  market.market.fault = () => undefined;
});
