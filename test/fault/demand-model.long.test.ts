import { weighBuyers } from '@agent-marketplace/core/agents/index.ts';
import { PLATFORM_LISTINGS, publishPlatformListings } from '@agent-marketplace/core/platform/index.ts';
import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  readJson,
  readWholeLedger,
  recompute,
  type ShownLedger,
} from '@agent-marketplace/core/testing/fixtures/demand-oracle.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import fc from 'fast-check';
import { beforeAll, expect, inject, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { createOracle } from './oracle/create-oracle.ts';
import { createLedgerVerifier } from './verify-ledger.ts';

// Whatever is bought, refused, disputed, refunded, released, designated and disclosed in whatever order: after
// every step the totals of all three answers, the rows of the ledger summed up, the purchases themselves and
// the double entries agree; and whoever recomputes them from the log finds nothing missing, altered or counted twice.

const SEQUENCES = inject('everySchedule') ? 30 : 12;
const HOUR = 3600_000;
const ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };

const sales = createSalesMarketplace();
const { market } = sales;
const oracle = createOracle(market, sales.cards);
const verifier = await createLedgerVerifier(market);

const SHELF = ['free', 'micro', 'standard', 'others', 'reference', 'curated', 'smoke'] as const;
type Shelf = (typeof SHELF)[number];
const PARTIES = ['house_buyer', 'house_seller', 'internal', 'affiliated', null] as const;
type Designation = (typeof PARTIES)[number];
const AGENTS = ['ada', 'bob', 'shop', 'other'] as const;

interface World {
  readonly agents: Record<(typeof AGENTS)[number], RegisteredAgent>;
  readonly smoke: RegisteredAgent;
  readonly listings: Record<Shelf, string>;
}
let world: World;

/** What was said, and which purchases should be in the ledger, in plain code. */
const said = new Map<string, Designation>();
const settled = new Set<string>();
const open = new Map<string, RegisteredAgent>();
const disputed = new Map<string, RegisteredAgent>();
const seen = new Set<string>();
const statuses = new Set<string>();
const noted = new Set<string>();
const paidPairs = new Set<string>();
let isConfigured = false;
let disclosed = { count: 0, grossCents: 0 };

async function newSmokeTest(): Promise<RegisteredAgent> {
  const body = { name: 'Smoke', smokeTest: true };
  const response = await sales.request('POST', '/agents/register', null, body, ADMIN);
  expect(response.status).toBe(201);
  return response.body as unknown as RegisteredAgent;
}

beforeAll(async () => {
  await publishPlatformListings(market.newPorts());
  const [shop, other, ada, bob] = [
    await sales.seller(),
    await sales.seller(),
    await sales.newAgent(),
    await sales.newAgent(),
  ];
  for (const buyer of [ada, bob]) await sales.saveCard(buyer, 'available_at_once');
  const listed = async (priceCents: number, by: RegisteredAgent) =>
    (await sales.listing({ priceCents }, by)).id;
  const smokeSeller = await newSmokeTest();
  market.sellerEndpoint.script = sellerOf({});
  const callback = { callbackUrl: 'https://smoke.example.com/hook' };
  expect((await sales.request('POST', '/sell/callback', smokeSeller.apiKey, callback)).status).toBe(200);
  world = {
    agents: { ada, bob, shop, other },
    smoke: await newSmokeTest(),
    listings: {
      free: await listed(0, shop),
      micro: await listed(1999, shop),
      standard: await listed(12_345, shop),
      others: await listed(2000, other),
      reference: PLATFORM_LISTINGS.find(({ kind }) => kind === 'reference')?.id ?? '',
      curated: PLATFORM_LISTINGS.find(({ kind }) => kind !== 'reference')?.id ?? '',
      smoke: await listed(0, smokeSeller),
    },
  };
}, 60_000);

const pick = fc.nat({ max: 20 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      what: fc.constantFrom(...SHELF),
      who: fc.constantFrom(
        'ada' as const,
        'bob' as const,
        'nobody' as const,
        'shop' as const,
        'smoke' as const,
      ),
      method: fc.constantFrom('wallet' as const, 'card' as const),
      seller: fc.constantFrom(
        'good' as const,
        'good' as const,
        'good' as const,
        'down' as const,
        'wrong' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), sale: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dispute' as const), sale: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      sale: pick,
      decision: fc.constantFrom('refund' as const, 'release' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 80 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('designate' as const),
      who: fc.constantFrom(...AGENTS),
      party: fc.constantFrom(...PARTIES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('configure' as const), configured: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('disclose' as const),
      cents: fc.integer({ min: 0, max: 90_000 }),
      mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
      status: fc.constantFrom('paid' as const, 'paid' as const, 'refunded' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const script = {
  good: sellerOf({ answer: 42 }),
  down: () => ({ kind: 'timed_out' }) as const,
  wrong: () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }),
};

function nth<V>(of: ReadonlyMap<string, V>, index: number): [string, V] | undefined {
  const entries = [...of];
  return entries[index % Math.max(entries.length, 1)];
}

async function take(one: Step): Promise<void> {
  const { agents, listings, smoke } = world;
  switch (one.kind) {
    case 'buy': {
      market.sellerEndpoint.script = script[one.seller];
      const buyer = one.who === 'nobody' ? null : one.who === 'smoke' ? smoke : agents[one.who];
      const options = { body: { payment_method: one.method } };
      const { status, body } = await sales.buy(listings[one.what], buyer, options);
      if (one.what === 'smoke' && one.who !== 'smoke') expect(status).toBe(404);
      if (one.what !== 'smoke' && one.who === 'smoke')
        expect([status, body.code]).toEqual([403, 'smoke_test_isolated']);
      if (status !== 200 || one.who === 'smoke') return;
      settled.add(body.id);
      if (body.status === 'held' && buyer) open.set(body.id, buyer);
      return;
    }
    case 'refund': {
      const [id] = nth(open, one.sale) ?? [];
      if (id === undefined) return;
      expect(await refundSale(market.newPorts(), id, 'model')).toBe('refunded');
      open.delete(id);
      settled.delete(id);
      return;
    }
    case 'dispute': {
      const [id, buyer] = nth(open, one.sale) ?? [];
      if (id === undefined || !buyer) return;
      const path = `/marketplace/purchases/${id}/dispute`;
      expect((await sales.request('POST', path, buyer.apiKey, { reason: 'model' })).status).toBe(200);
      open.delete(id);
      disputed.set(id, buyer);
      return;
    }
    case 'decide': {
      const [id] = nth(disputed, one.sale) ?? [];
      if (id === undefined) return;
      const path = `/admin/disputes/${id}/decision`;
      const { status } = await sales.request('POST', path, null, { decision: one.decision }, ADMIN);
      expect(status).toBe(200);
      disputed.delete(id);
      if (one.decision === 'refund') settled.delete(id);
      return;
    }
    case 'wait':
      await sales.pass(one.hours * HOUR, 3);
      for (const { id } of await sales.rows<{ id: string }>(
        "SELECT id FROM purchases WHERE status = 'released'",
      ))
        open.delete(id);
      // Those that nobody decided in time.
      for (const { id } of await sales.rows<{ id: string }>(
        'SELECT purchase_id AS id FROM disputes WHERE decided_at IS NOT NULL',
      ))
        disputed.delete(id);
      return;
    case 'designate': {
      const { id } = agents[one.who];
      const body = { agentId: id, party: one.party };
      expect((await sales.request('POST', '/admin/designations', null, body, ADMIN)).status).toBe(200);
      said.set(id, one.party);
      return;
    }
    case 'configure': {
      const body = { configured: one.configured };
      expect((await sales.request('PATCH', '/admin/designations', null, body, ADMIN)).status).toBe(200);
      isConfigured = one.configured;
      return;
    }
    case 'disclose': {
      const { cents: amountCents, mode, status } = one;
      const body = {
        merchant: { id: 'kin', name: 'Kin', siteOrigin: 'https://kin.example.com' },
        description: 'A subscription.',
        amountCents,
        rail: 'card',
        mode,
        status,
        paidAt: '2026-01-02T03:04:05.000Z',
      };
      const made = await sales.request('POST', '/admin/affiliated-receipts', null, body, ADMIN);
      expect(made.status).toBe(201);
      if (mode === 'live' && status === 'paid')
        disclosed = { count: disclosed.count + 1, grossCents: disclosed.grossCents + amountCents };
    }
  }
}

/** The rules of the ledger's parties once more, in the order in which docs/demand-ledger.md tells them. */
function partyOf(sellerId: string, buyerId: string | null, isPlatforms: boolean): string {
  const [seller, buyer] = [said.get(sellerId), said.get(buyerId ?? '')];
  const isHouse = (one: Designation | undefined) => one === 'house_buyer' || one === 'house_seller';
  const sellerIsHouse = isPlatforms || isHouse(seller);
  if (seller === 'internal' || buyer === 'internal' || (sellerIsHouse && isHouse(buyer))) return 'internal';
  if (isHouse(buyer)) return 'house_buyer';
  if (sellerIsHouse) return 'house_seller';
  if (seller === 'affiliated' || buyer === 'affiliated') return 'affiliated';
  if (!isConfigured || buyerId === null || !paidPairs.has(`${buyerId} ${sellerId}`)) return 'unclassified';
  const pairs = [...paidPairs].map((pair) => pair.split(' '));
  const hasOtherSeller = pairs.some(([from, to]) => from === buyerId && to !== sellerId);
  const hasOtherBuyer = pairs.some(([from, to]) => to === sellerId && from !== buyerId);
  return hasOtherSeller && hasOtherBuyer ? 'arms_length' : 'unclassified';
}

interface PurchaseRow {
  readonly id: string;
  readonly seller_id: string;
  readonly buyer_id: string | null;
  readonly rail: string;
  readonly status: string;
  readonly amount_cents: number;
  readonly platform_fee_cents: number;
  readonly is_sample: number;
  readonly seller_kind: string;
}

async function check(pageLimit: number): Promise<void> {
  await market.background.settled();
  await notePaid();
  await weighBuyers(market.newPorts());
  // What was answered before is no longer fresh.
  market.clock.advance(6000);
  const shown = await readWholeLedger(market, pageLimit);
  await checkRows(shown);
  const expected = recompute(shown.ledger);
  expect(shown).toMatchObject({ ...expected, armsLengthClassification: { configured: isConfigured } });
  if (!isConfigured) expect(shown.armsLengthCents).toBe(0);
  expect(shown.affiliatedRail).toMatchObject({ ...disclosed, countsTowardArmsLength: false });

  const { settledRows, settledSales, distinctBuyers, grossCents, platformFeeCents } = expected.totals;
  const same = { totalQueries: settledRows, totalQueriers: distinctBuyers, totalSales: settledSales };
  expect(await readJson(market, '/stats')).toMatchObject(same);
  const money = { grossCents, platformFeeCents, armsLengthCents: expected.armsLengthCents };
  expect(await readJson(market, '/marketplace/stats')).toMatchObject({ ...same, ...money });

  const [escrow] = await sales.rows<{ cents: number }>(
    "SELECT COALESCE(SUM(balance_cents), 0) AS cents FROM ledger_accounts WHERE account LIKE 'escrow:%'",
  );
  expect({
    escrow: escrow?.cents,
    fees: await sales.account('fees'),
    payouts: await sales.account('payouts'),
  }).toEqual({
    escrow: (expected.escrow.heldCents ?? 0) + (expected.escrow.releasingCents ?? 0),
    fees: platformFeeCents,
    payouts: expected.escrow.releasedCents,
  });
  expect(shown.reconciliation).toMatch(/^Agrees with the double-entry ledger/);
  await checkLog();
}

/** Where no row waits, as changes of the party alone may, the log's statements make the very same totals. */
async function checkLog(): Promise<void> {
  await verifier.log();
  const { findings, shown, logged, waiting, hasMoved } = await verifier.verify();
  expect([findings, hasMoved]).toEqual([[], false]);
  const { totals, escrow, byRail, window } = shown;
  expect(logged).toMatchObject({ totals, escrow, byRail, window });
  if (waiting.length === 0) expect(logged).toEqual(shown);
}

/** Notes who was paid by whom: after escrow, and while neither was known to be anybody's in particular. */
async function notePaid(): Promise<void> {
  const released = await sales.rows<PurchaseRow>(
    "SELECT purchases.*, seller_kind FROM purchases JOIN listings ON listings.id = listing_id WHERE purchases.status = 'released'",
  );
  for (const { id, seller_id, buyer_id, amount_cents, seller_kind } of released) {
    if (noted.has(id)) continue;
    noted.add(id);
    const isKnown = said.get(seller_id) || said.get(buyer_id ?? '') || seller_kind === 'platform';
    if (amount_cents > 0 && buyer_id !== null && !isKnown) paidPairs.add(`${buyer_id} ${seller_id}`);
  }
}

async function checkRows({ ledger }: ShownLedger): Promise<void> {
  expect(new Set(ledger.map(({ id }) => id))).toEqual(settled);
  expect(ledger.length).toBe(settled.size);
  const purchases = await sales.rows<PurchaseRow>(
    'SELECT purchases.*, is_sample, seller_kind FROM purchases JOIN listings ON listings.id = listing_id',
  );
  const byId = new Map(purchases.map((row) => [row.id, row]));
  for (const { id, rail, status, amountCents, platformFeeCents, isReferenceListing, party } of ledger) {
    const row = byId.get(id);
    seen.add(party);
    statuses.add(status);
    expect({ id, rail, status, amountCents, platformFeeCents, isReferenceListing, party }).toEqual({
      id: row?.id,
      rail: row?.rail,
      status: row?.status,
      amountCents: row?.amount_cents,
      platformFeeCents: row?.platform_fee_cents,
      isReferenceListing: row?.is_sample === 1,
      party: row && partyOf(row.seller_id, row.buyer_id, row.seller_kind === 'platform'),
    });
  }
}

clause('demand.externally-signed');
it('tells in every place what plain code says, in any order', { timeout: 240_000 }, async () => {
  let sequences = 0;
  // Each buyer pays each seller, and nobody is designated yet.
  for (const who of ['ada', 'bob'] as const) {
    await topUp(world.agents[who]);
    for (const what of ['micro', 'others'] as const)
      await take({ kind: 'buy', what, who, method: 'wallet', seller: 'good' });
  }
  await take({ kind: 'wait', hours: 80 });
  await take({ kind: 'wait', hours: 80 });
  await check(2);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      sequences += 1;
      for (const buyer of [world.agents.ada, world.agents.bob]) await topUp(buyer);
      for (const one of steps) {
        await take(one);
        await check(sequences === 1 ? 2 : 500);
      }
    }),
    // Each sequence goes on where the one before ended, so a failing one cannot be shortened by itself.
    { numRuns: SEQUENCES, endOnFailure: true, seed: 20_260_601 },
  );
  const differences = await oracle.differences({ everything: true });
  expect(differences, 'who is owed what, by what was seen outside').toEqual([]);
  // It was not the same few things again and again.
  const { totals } = await readWholeLedger(market);
  expect(seen).toEqual(
    new Set(['affiliated', 'arms_length', 'house_buyer', 'house_seller', 'internal', 'unclassified']),
  );
  expect(totals).toMatchObject({ referenceListingRows: expect.toSatisfy((rows) => rows > 0) });
  expect(statuses).toEqual(new Set(['held', 'released']));
});

/** To where every price can be paid for a while, and refunds still fit. */
async function topUp(buyer: RegisteredAgent): Promise<void> {
  const missing = 20_000 - (await sales.balanceOf(buyer));
  if (missing < 1000) return;
  const opened = await sales.request('POST', '/wallet/fund', buyer.apiKey, { amount_cents: missing });
  if (opened.status === 200) await sales.payTopUp(opened.body.checkoutUrl);
}
