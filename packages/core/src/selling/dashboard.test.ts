import { afterEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { recordNotification } from '../agents/index.ts';
import { insertInto } from '../db/insert-into.ts';
import { offers, payments } from '../db/tables/sales.ts';
import { isoTime } from '../kernel/time.ts';
import { netCents } from '../ledger/index.ts';
import { rateListing } from '../ratings/index.ts';
import { type ListingOnMarket, newListingOf, verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import { addPurchase } from '../testing/fixtures/new-sale.ts';
import { newAgentOf, newSellerOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { getEarnings, getSellerDashboard } from './index.ts';

const market = createTestMarketplace();
const rest = createTestMarketplace({ operations: [getSellerDashboard, getEarnings] });

afterEach(async () => {
  await market.background.settled();
});

type Json = Record<string, unknown>;

const dashboard = async ({ apiKey }: RegisteredAgent, page = {}) =>
  (await market.call(getSellerDashboard, page, { apiKey })).json;
const earnings = async ({ apiKey }: RegisteredAgent, page = {}) =>
  (await market.call(getEarnings, page, { apiKey })).json;

async function move(purchaseId: string, status: string): Promise<void> {
  const sql = 'UPDATE purchases SET status = ? WHERE id = ?';
  await market.newPorts().market.commit([{ sql, params: [status, purchaseId] }]);
}

describe.each(['/sell/me', '/sell/earnings'])('%s', (path) => {
  it('is 401 without a key, with one that nobody has, and with one that is no seller’s', async () => {
    const agent = await newAgentOf(market);
    const keys = [undefined, `mkt_live_${'0'.repeat(43)}`, agent.apiKey];
    const answers = await Promise.all(
      keys.map((apiKey) => rest.request('GET', path, apiKey === undefined ? {} : { apiKey })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    const codes = await Promise.all(answers.map(async (answer) => (await readSigned(answer)).body.code));
    expect(codes).toEqual(['missing_api_key', 'invalid_api_key', 'not_a_seller']);
  });

  it('takes the key as Bearer, as x-api-key and in the query, and costs two round trips', async () => {
    const { apiKey } = await verifiedSellerOf(market);
    const answers = [
      await rest.request('GET', path, { apiKey }),
      await rest.request('GET', path, { headers: { 'x-api-key': apiKey } }),
      await rest.request('GET', `${path}?api_key=${apiKey}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    rest.market.reset();
    await rest.request('GET', path, { apiKey });
    expect(rest.market.count).toBe(2);
  });
});

describe('the dashboard', () => {
  it('of a seller who has nothing yet', async () => {
    const seller = await newSellerOf(market, { name: 'Private Name', country: 'DE' });
    const json = await dashboard(seller);
    expect(json).toMatchObject({
      earnings: { availableCents: 0, grossCents: 0, pendingCents: 0, platformFeeCents: 0, salesCount: 0 },
      endpoint: null,
      listingCounts: { active: 0, inactive: 0, pending: 0 },
      listings: [],
      notifications: [],
      offers: [],
      payouts: {
        account: null,
        connected: false,
        paidTo: null,
        requiredFor: 'priced listings',
        wallet: null,
      },
      profile: { country: 'DE', handle: seller.connect.handle, id: seller.id, ratingAvg: 0, ratingCount: 0 },
      releasedPayouts: [],
      sales: [],
      usdcPayouts: [],
    });
    expect(JSON.stringify(json)).not.toContain('Private Name');
    expect(getSellerDashboard.output.safeParse(withoutProvenance(json)).error).toBeUndefined();
  });

  it('shows endpoint, listings by page, sales under pseudonyms, and ratings without their purchases', async () => {
    const listing = await newListingOf(market, { title: 'First' });
    const { seller } = listing;
    market.clock.advance(1000);
    const second = await newListingOf(market, { title: 'Second' }, seller);
    const buyer = await newAgentOf(market);
    const held = await addPurchase(market, listing, buyer.id);
    market.clock.advance(1000);
    await addPurchase(market, second, null, { amountCents: 0, platformFeeCents: 0, status: 'released' });
    for (const status of ['pending_payment', 'authorized', 'expired', 'failed'] as const) {
      await addPurchase(market, listing, buyer.id, { status });
    }
    const rating = { listingId: listing.id, purchaseId: held, rating: 4 };
    await market.call(rateListing, rating, { apiKey: buyer.apiKey });

    const json = await dashboard(seller, { limit: 1 });
    expect(json).toMatchObject({
      endpoint: {
        callbackType: 'webhook',
        callbackUrl: `https://seller-${seller.id}.example.com/hook`,
        verified: true,
      },
      limit: 1,
      listingCounts: { active: 2, inactive: 0, pending: 0 },
      listings: [{ id: second.id, title: 'Second' }],
      notifications: [{ type: 'rating.received', data: { listingId: listing.id, rating: 4 } }],
      profile: { ratingAvg: 4, ratingCount: 1 },
    });
    expect((await dashboard(seller, { limit: 1, offset: 1 })).listings).toMatchObject([{ ratingAvg: 4 }]);
    expect(json.sales).toMatchObject([
      { amountCents: 0, buyer: null, status: 'released', title: 'Second' },
      { amountCents: 2500, buyer: expect.stringMatching(/^buyer-/), purchaseId: held, status: 'held' },
    ]);
    expect(JSON.stringify(json.notifications)).not.toContain(held);
    expect(JSON.stringify(json)).not.toContain(buyer.id);
    expect(getSellerDashboard.output.safeParse(withoutProvenance(json)).error).toBeUndefined();
  });

  clause('seller.notifications', 'limits.notifications');
  it('shows the 50 most recent notifications and sales, and those of this seller alone', async () => {
    const listing = await newListingOf(market);
    const other = await verifiedSellerOf(market);
    const { market: db, ids, clock } = market.newPorts();
    const buyer = await newAgentOf(market);
    for (let n = 0; n < 60; n += 1) {
      market.clock.advance(1000);
      const at = new Date(clock.now()).toISOString();
      await db.commit([
        recordNotification(listing.seller.id, 'payout.failed', { n }, ids.uuid(), at),
        recordNotification(other.id, 'payout.failed', { other: n }, ids.uuid(), at),
      ]);
      await addPurchase(market, listing, buyer.id);
    }
    const json = await dashboard(listing.seller);
    const notes = (json.notifications as { data: { n: number } }[]).map(({ data }) => data.n);
    expect(notes).toEqual(Array.from({ length: 50 }, (_, index) => 59 - index));
    const times = (json.sales as { createdAt: string }[]).map(({ createdAt }) => createdAt);
    expect(times).toHaveLength(50);
    expect(times).toEqual(times.toSorted().reverse());
    expect((json.earnings as Json).salesCount).toBe(60);
  });

  clause('seller.offers');
  it('shows live offers without their buyers, and the orders that wait to be shipped', async () => {
    const listing = await newListingOf(market, { listingType: 'exclusive', fulfilment: 'physical' });
    const [buyer, other] = [await newAgentOf(market), await newAgentOf(market)];
    const { market: db, ids, clock } = market.newPorts();
    const at = (offsetMs: number) => isoTime(clock.now() + offsetMs);
    const offer = (by: RegisteredAgent, id: string, expiresAt: string) =>
      insertInto(offers, {
        ...{ id, listingId: listing.id, sellerId: listing.seller.id, buyerId: by.id, amountCents: 900 },
        ...{ query: { lot: 1 }, status: 'open' as const, expiresAt, createdAt: at(-1000) },
      });
    const [live, ended] = [ids.uuid(), ids.uuid()];
    const order = await addPurchase(market, listing, buyer.id);
    const terms = { fingerprint: `sha256:${'0'.repeat(64)}`, fulfilment: 'physical' as const, holdHours: 72 };
    await db.commit([
      offer(buyer, live, at(1000)),
      offer(other, ended, at(0)),
      insertInto(payments, { purchaseId: order, ...terms }),
    ]);
    const json = await dashboard(listing.seller);
    expect(json.offers).toEqual([
      {
        amountCents: 900,
        createdAt: at(-1000),
        expiresAt: at(1000),
        id: live,
        listingId: listing.id,
        query: { lot: 1 },
      },
    ]);
    expect(json.sales).toMatchObject([{ awaitsShipment: true, holdUntil: null, purchaseId: order }]);
  });

  it('reads notifications, sales and listings from indexes', async () => {
    const seller = await verifiedSellerOf(market);
    market.market.reset();
    await dashboard(seller);
    for (const [table, index] of [
      ['"seller_notifications"', 'seller_notifications_recent'],
      ['view_count', 'listings_of_seller_by_age'],
      ['"ledger_entries"', 'ledger_entries_of_account'],
    ] as const) {
      const query = market.market.roundTrips.flat().find((sql) => sql.includes(table)) ?? '';
      const values = Array.from({ length: query.split('?').length - 1 }, () => 1);
      const plan = await market.market.d1
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...values)
        .all();
      const steps = plan.results.map(({ detail }) => String(detail)).join('\n');
      expect(steps).toContain(index);
      expect(steps, table).not.toContain('TEMP B-TREE');
    }
  });
});

const withoutProvenance = ({ provenance: _, ...body }: Json) => body;

describe('earnings', () => {
  /** What was sold, in the simplest form: the figures must be sums over it. */
  interface Sale {
    readonly listingId: string;
    readonly amountCents: number;
    readonly platformFeeCents: number;
    status: 'held' | 'releasing' | 'released' | 'refunded' | 'authorized';
  }

  function modelOf(sales: readonly Sale[]) {
    const paid = sales.filter(
      ({ amountCents, status }) => amountCents > 0 && ['held', 'releasing', 'released'].includes(status),
    );
    const net = (some: readonly Sale[]) => some.reduce((sum, sale) => sum + netCents(sale), 0);
    return {
      availableCents: net(paid.filter(({ status }) => status === 'released')),
      grossCents: paid.reduce((sum, { amountCents }) => sum + amountCents, 0),
      pendingCents: net(paid.filter(({ status }) => status !== 'released')),
      platformFeeCents: paid.reduce((sum, { platformFeeCents }) => sum + platformFeeCents, 0),
      salesCount: paid.length,
    };
  }

  const NEXT: Record<Sale['status'], readonly Sale['status'][]> = {
    authorized: ['held'],
    held: ['releasing', 'refunded'],
    releasing: ['released', 'held'],
    released: [],
    refunded: [],
  };

  clause('seller.earnings', 'seller.pending', 'selling.earnings');
  it('are sums over the sales, in total and by listing, whatever became of each', async () => {
    const first = await newListingOf(market);
    const { seller } = first;
    const listings: ListingOnMarket[] = [first];
    for (let n = 0; n < 3; n += 1) listings.push(await newListingOf(market, {}, seller));
    const buyer = await newAgentOf(market);
    const bystander = await newListingOf(market);
    await addPurchase(market, bystander, buyer.id);

    const sales = new Map<string, Sale>();
    let seed = 7;
    const pick = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let step = 0; step < 150; step += 1) {
      const open = [...sales].filter(([, { status }]) => NEXT[status].length > 0);
      const [id, sale] = open[pick(open.length)] ?? [];
      if (id !== undefined && sale && pick(2) === 0) {
        const next = NEXT[sale.status];
        const status = next[pick(next.length)] ?? 'held';
        if (sale.status === 'authorized') {
          const sql = `UPDATE purchases SET status = 'held', content_digest = 'sha256:0', delivered_at = 'x' WHERE id = ?`;
          await market.newPorts().market.commit([{ sql, params: [id] }]);
        } else {
          await move(id, status);
        }
        sale.status = status;
        continue;
      }
      const listing = listings[pick(3)] ?? first;
      const amountCents = [0, 999, 2000, 12_345, 5_000_000][pick(5)] ?? 0;
      const platformFeeCents = amountCents < 2000 ? 0 : Math.floor(amountCents / 20);
      const status = amountCents === 0 ? 'released' : pick(2) === 0 ? 'held' : 'authorized';
      const fields = { amountCents, platformFeeCents, status } as const;
      sales.set(await addPurchase(market, listing, buyer.id, fields), { listingId: listing.id, ...fields });
    }

    const {
      listings: rows,
      limit,
      offset,
      payoutsWaiting,
      total,
      reserveCents,
      ...totals
    } = withoutProvenance(await earnings(seller));
    expect(payoutsWaiting).toBeNull();
    expect(totals).toEqual(modelOf([...sales.values()]));
    expect((await dashboard(seller)).earnings).toEqual({ ...totals, reserveCents });
    expect(reserveCents).toBe(0);
    const byListing = listings
      .map(({ id }) => ({
        listingId: id,
        ...modelOf([...sales.values()].filter(({ listingId }) => listingId === id)),
      }))
      .filter(({ salesCount }) => salesCount > 0)
      .sort((a, b) => b.grossCents - a.grossCents);
    expect(rows).toMatchObject(byListing);
    expect([limit, offset, total]).toEqual([50, 0, byListing.length]);
    expect((rows as Json[]).length).toBe(byListing.length);

    const pages = await Promise.all([0, 1, 2].map((skip) => earnings(seller, { limit: 1, offset: skip })));
    expect(pages.flatMap(({ listings: page }) => page)).toEqual(rows);
    expect(getEarnings.output.safeParse(withoutProvenance(await earnings(seller))).error).toBeUndefined();
  });

  it('do not scan the sales: what is in reserve is found among those in escrow', async () => {
    const { seller } = await newListingOf(market);
    market.market.reset();
    await earnings(seller);
    const statements = market.market.roundTrips.flat();
    // Those that wait for their payout, or are in reserve, are found by indexes of their own, and are few.
    const ofSales = statements.filter((sql) => sql.includes('purchases'));
    const [reading, ...more] = ofSales.filter((sql) => !sql.includes('from "gathered_sales"'));
    expect(more).toEqual([]);
    const plan = await market.newPorts().market.all<{ detail: string }>({
      sql: `EXPLAIN QUERY PLAN ${reading}`,
      params: [seller.id, '2026-06-01'],
    });
    expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX purchases_held_of_seller');
  });
});

describe('released payouts', () => {
  it('are those of the ledger, the last first', async () => {
    const listing = await newListingOf(market);
    const { market: db } = market.newPorts();
    const escrow = `escrow:${listing.seller.id}`;
    const post = async (kind: string, id: string, accounts: [string, number][], at: string) => {
      const legs = JSON.stringify(accounts.map(([account, amountCents]) => ({ account, amountCents })));
      const sql =
        'INSERT INTO ledger_postings (id, kind, reference, legs, created_at) VALUES (?, ?, ?, ?, ?)';
      await db.commit([{ sql, params: [`${kind} ${id}`, kind, id, legs, at] }]);
    };
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.push(await addPurchase(market, listing, null, { amountCents: 100 + n, platformFeeCents: 0 }));
    for (const [n, id] of ids.entries()) {
      await post(
        'capture',
        id,
        [
          ['card_clearing', -100 - n],
          [escrow, 100 + n],
        ],
        '2026-06-01T12:00:00.000Z',
      );
    }
    const [first = '', second = ''] = ids;
    await post(
      'payout',
      second,
      [
        [escrow, -101],
        ['payouts', 101],
      ],
      '2026-06-04T12:00:00.000Z',
    );
    await post(
      'payout',
      first,
      [
        [escrow, -100],
        ['payouts', 100],
      ],
      '2026-06-05T12:00:00.000Z',
    );
    expect((await dashboard(listing.seller)).releasedPayouts).toEqual([
      { amountCents: 100, listingId: listing.id, purchaseId: first, releasedAt: '2026-06-05T12:00:00.000Z' },
      { amountCents: 101, listingId: listing.id, purchaseId: second, releasedAt: '2026-06-04T12:00:00.000Z' },
    ]);
  });
});
