import { afterEach, describe, expect, it } from 'vitest';
import { saleStatus } from '../sales/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { newListingOf } from '../testing/fixtures/new-listing.ts';
import { addPurchase } from '../testing/fixtures/new-sale.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';

// What buyers and sellers find of their purchases: all of their own, in pages that stand still, at a cost that does not
// grow with what others do.

const sales = createSalesMarketplace();
const { market } = sales;
market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  market.market.fault = () => undefined;
  await market.background.settled();
});

interface Row {
  readonly id: string;
  readonly purchaseId: string;
  readonly status: string;
  readonly createdAt: string;
}
interface Page {
  readonly limit: number;
  readonly nextCursor: string | null;
  readonly purchases: readonly Row[];
  readonly sales: readonly Row[];
}

async function page(path: string, { apiKey }: RegisteredAgent): Promise<Page> {
  const { status, body } = await sales.request('GET', path, apiKey);
  expect([path, status]).toEqual([path, 200]);
  return body as unknown as Page;
}
const ids = async (path: string, agent: RegisteredAgent) =>
  (await page(path, agent)).purchases.map(({ id }) => id);

const at = (second: number) => new Date(Date.parse('2026-05-01T00:00:00.000Z') + second * 1000).toISOString();

/** Straight into the database: several at the same moment. */
async function bought(buyer: RegisteredAgent, count: number, fields: Parameters<typeof addPurchase>[3] = {}) {
  const listing = await newListingOf(market);
  const made: { id: string; createdAt: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const createdAt = at(Math.floor(n / 3));
    const row = { amountCents: 0, platformFeeCents: 0, status: 'released', createdAt, ...fields } as const;
    made.push({ id: await addPurchase(market, listing, buyer.id, row), createdAt: row.createdAt });
  }
  const newestFirst = made.toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1));
  return { listing, ids: newestFirst.map(({ id }) => id) };
}

/** The steps by which a statement is run. */
async function planOf(sql: string): Promise<string[]> {
  const params = sql.match(/\?/g)?.map(() => '50') ?? [];
  const plan = await market
    .newPorts()
    .market.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
  return plan.map(({ detail }) => detail);
}

/** Every page from the first to the last; `between` runs before each next one. */
async function walk(path: string, agent: RegisteredAgent, between: (nth: number) => Promise<unknown>) {
  const found: Row[] = [];
  let cursor = '';
  for (let nth = 0; ; nth += 1) {
    const { purchases, sales: sold, nextCursor } = await page(`${path}${cursor}`, agent);
    found.push(...(purchases ?? sold));
    if (nextCursor === null) return found.map(({ id, purchaseId }) => id ?? purchaseId);
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    await between(nth);
  }
}

describe('GET /purchases', () => {
  it('shows how each stands, newest first, as the purchase itself does, and asks no seller', async () => {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 3000);
    const listing = await sales.listing({ title: 'Tides of Cork' });
    const first = (await sales.buy(listing.id, buyer)).body;
    market.clock.advance(1000);
    const second = (await sales.buy(listing.id, buyer)).body;
    const asked = market.sellerEndpoint.requests.length;
    const { purchases, limit, nextCursor } = await page('/purchases', buyer);
    expect(purchases.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect([limit, nextCursor, market.sellerEndpoint.requests.length]).toEqual([50, null, asked]);
    const { body } = await sales.read(second.id, buyer, 'omit');
    const { listingTitle, ...shown } = purchases[0] as unknown as Record<string, unknown>;
    expect(listingTitle).toBe('Tides of Cork');
    expect(body).toMatchObject(shown);
    const left = Object.keys(body).filter((field) => !(field in shown));
    expect(left.sort()).toEqual([
      'agent_notice',
      'checkoutUrl',
      'content',
      'contentMatchesReceipt',
      'contentStatus',
      'healthAttestation',
      'linkExpiresAt',
      'query',
      'receipt',
      'redelivery',
    ]);
    expect(JSON.stringify(purchases)).not.toContain('idempotency');
  });

  it('has nothing of what others bought, nor of what was bought without a key', async () => {
    const [one, other] = [await sales.newAgent(), await sales.newAgent()];
    const { listing, ids: own } = await bought(one, 2);
    await addPurchase(market, listing, other.id, { status: 'released' });
    await addPurchase(market, listing, null, { status: 'released' });
    expect(await ids('/purchases', one)).toEqual(own);
    // A cursor is a place in one's own list, whoever was given it.
    const { nextCursor } = await page('/purchases?limit=1', one);
    expect(await ids(`/purchases?cursor=${nextCursor}`, other)).toEqual([]);
  });

  it('pages stand still while purchases are being made, also of the same moment', async () => {
    const buyer = await sales.newAgent();
    const { listing, ids: before } = await bought(buyer, 10);
    const found = await walk('/purchases?limit=2', buyer, (nth) =>
      addPurchase(market, listing, buyer.id, { status: 'released', createdAt: at(100 + nth) }),
    );
    expect(found).toEqual(before);
    expect(await ids('/purchases', buyer)).toHaveLength(14);
  });

  it.each(saleStatus.options)('status=%s: these and no others, on every page', async (status) => {
    const buyer = await sales.newAgent();
    await bought(buyer, 4);
    const { ids: wanted } = await bought(buyer, 5, { status: status as 'held' });
    const found = await walk(`/purchases?status=${status}&limit=2`, buyer, async () => null);
    expect(found.filter((id) => wanted.includes(id))).toEqual(wanted);
    expect(found).toHaveLength(status === 'released' ? 9 : 5);
    for (const { status: shown } of (await page(`/purchases?status=${status}`, buyer)).purchases)
      expect(shown).toBe(status);
  });

  it('a sale in reserve is found under the status it shows', async () => {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 3000);
    const { id: listingId } = await sales.listing();
    const [inReserve, held] = [await sales.buy(listingId, buyer), await sales.buy(listingId, buyer)];
    const until = '2026-12-01T00:00:00.000Z';
    await market.newPorts().market.commit([
      {
        sql: 'UPDATE payments SET reserve_until = ?, due_at = ? WHERE purchase_id = ?',
        params: [until, until, inReserve.body.id],
      },
    ]);
    expect(await ids('/purchases?status=releasing', buyer)).toEqual([inReserve.body.id]);
    expect(await ids('/purchases?status=held', buyer)).toEqual([held.body.id]);
    expect((await sales.read(inReserve.body.id, buyer, 'omit')).body.status).toBe('releasing');
  });

  it.each(['', 'yesterday', '2026-05-01T00:00:00.000Z', 'x'.repeat(200)])(
    'is 400 for the cursor %j, and for a status that there is not',
    async (cursor) => {
      const { apiKey } = await sales.newAgent();
      const bad = [`cursor=${cursor}`, 'status=sold', 'limit=0', 'page=2', 'idempotencyKey='];
      for (const query of bad)
        expect((await sales.request('GET', `/purchases?${query}`, apiKey)).status, query).toBe(400);
    },
  );

  it('costs one round trip beside the key, found by an index for each filter', async () => {
    const buyer = await sales.newAgent();
    await bought(buyer, 3);
    const reads = {
      '': 'purchases_of_buyer ',
      status: 'purchases_of_buyer_by_status ',
      idempotencyKey: 'purchases_of_request ',
    };
    for (const [filter, index] of Object.entries(reads)) {
      market.market.reset();
      await page(`/purchases?${filter && `${filter}=released`}`, buyer);
      expect(market.market.count).toBe(2);
      for (const sql of market.market.roundTrips[1] ?? []) {
        const params = sql.match(/\?/g)?.map(() => '50') ?? [];
        const plan = await market
          .newPorts()
          .market.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
        const steps = plan.map(({ detail }) => detail);
        expect(steps.join('\n')).toContain(`purchases USING INDEX ${index}`);
        expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
      }
    }
  });
});

describe('a purchase whose reply was lost', () => {
  const RAILS = ['wallet', 'card', 'checkout', 'free', 'bulk'] as const;

  async function buyerOf(rail: (typeof RAILS)[number]) {
    const buyer = await sales.newAgent();
    if (rail === 'card') await sales.saveCard(buyer);
    if (rail === 'wallet' || rail === 'bulk') await sales.fund(buyer, 3000);
    const { id } = await sales.listing({ priceCents: rail === 'free' ? 0 : 1000 });
    const headers = { 'idempotency-key': 'order 7, for Jane' };
    const send = () =>
      rail === 'bulk'
        ? sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, { listing_ids: [id] }, headers)
        : sales.request(
            'POST',
            `/marketplace/listings/${id}/purchase`,
            buyer.apiKey,
            rail === 'free' ? {} : { payment_method: rail },
            headers,
          );
    return { buyer, send };
  }
  const byKey = (buyer: RegisteredAgent) => ids('/purchases?idempotencyKey=order%207%2C%20for%20Jane', buyer);

  it.each(RAILS)('is found by its key, wherever the request dies: %s', async (rail) => {
    let found = 0;
    for (let point = 0; ; point += 1) {
      const { buyer, send } = await buyerOf(rail);
      await market.background.settled();
      let trips = 0;
      let isDead = false;
      market.market.fault = () => {
        if (isDead) return 'lose_request';
        isDead = trips === point;
        trips += 1;
        return isDead ? 'lose_reply' : undefined;
      };
      await send();
      await market.background.settled();
      market.market.fault = () => undefined;
      const made = await sales.rows<{ id: string }>('SELECT id FROM purchases WHERE buyer_id = ?', buyer.id);
      expect(await byKey(buyer), `point ${point}`).toEqual(made.map(({ id }) => id));
      found += made.length;
      if (!isDead) break;
      await sales.pass(7 * 86_400_000);
    }
    expect(found).toBeGreaterThan(1);
  });

  it('is found long after the key itself is forgotten, by its buyer alone, with a status as well', async () => {
    const { buyer, send } = await buyerOf('wallet');
    const other = await buyerOf('wallet');
    const { body } = await send();
    await other.send();
    market.clock.advance(90 * 86_400_000);
    await send();
    expect(await byKey(buyer)).toHaveLength(2);
    expect(await byKey(buyer)).toContain(body.id);
    const later = '/purchases?status=released&idempotencyKey=order%207%2C%20for%20Jane';
    expect(await ids(later, buyer)).toEqual([]);
    const stored = await sales.rows<{ digest: string }>(
      'SELECT DISTINCT idempotency_digest AS digest FROM purchases WHERE idempotency_digest IS NOT NULL',
    );
    expect(JSON.stringify(stored)).not.toContain('Jane');
  });
});

describe('GET /sales', () => {
  it('is for sellers, and has the buyer by its pseudonym and nothing else of it', async () => {
    const seller = await sales.seller();
    const buyer = await sales.newAgent({ name: 'Private Jane', email: 'jane@example.com' });
    expect((await sales.request('GET', '/sales', buyer.apiKey)).body.code).toBe('not_a_seller');
    await sales.fund(buyer, 3000);
    const { id: listingId } = await sales.listing({ title: 'Tides of Cork' }, seller);
    const { body } = await sales.buy(listingId, buyer, { body: { email: 'jane@example.com', query: {} } });
    const page = await sales.request('GET', '/sales', seller.apiKey);
    const [sale] = (page.body as unknown as { sales: Record<string, unknown>[] }).sales;
    const { body: own } = await sales.request('GET', '/agents/me', buyer.apiKey);
    expect(sale).toMatchObject({
      amountCents: 1000,
      buyer: (own as unknown as { buyerLabel: string }).buyerLabel,
      holdUntil: body.holdUntil,
      platformFeeCents: body.platformFeeCents,
      purchaseId: body.id,
      status: 'held',
      title: 'Tides of Cork',
    });
    const text = JSON.stringify(page.body);
    for (const secret of [buyer.id, 'Jane', 'jane@', buyer.connect.handle])
      expect(text).not.toContain(secret);
    const dashboard = await sales.request('GET', '/sell/me', seller.apiKey);
    expect((dashboard.body as unknown as { sales: unknown[] }).sales).toEqual([sale]);
  });

  it('with `only=disputed` has what a buyer or a bank disputes, or did, by an index that has nothing else', async () => {
    const seller = await sales.seller();
    const listing = await newListingOf(market, {}, seller);
    const made: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const fields = { status: n === 6 ? 'refunded' : 'held', amountCents: 0, platformFeeCents: 0 } as const;
      made.unshift(await addPurchase(market, listing, null, { ...fields, createdAt: at(n) }));
    }
    const [last, , bank, , , refunded] = made;
    const newRow = (sql: string, ...params: (string | null | undefined)[]) =>
      market.newPorts().market.commit([{ sql, params: params.map((one) => one ?? null) }]);
    for (const id of [last, refunded])
      await newRow("INSERT INTO disputes (purchase_id, reason, opened_at) VALUES (?, 'No.', ?)", id, at(90));
    const chargeback = `INSERT INTO chargebacks (dispute_id, payment_id, purchase_id, amount_cents, status, withdrawn_cents,
      covered_cents, opened_at, revision) VALUES (?, 'p', ?, 1, 'open', 0, 0, ?, 1)`;
    // A second one of the same sale does not list it twice.
    for (const id of ['d1', 'd2']) await newRow(chargeback, id, bank, at(91));
    expect(await walk('/sales?only=disputed&limit=2', seller, async () => null)).toEqual([
      last,
      bank,
      refunded,
    ]);
    expect(await walk('/sales?only=disputed&status=refunded', seller, async () => null)).toEqual([refunded]);
    const { body } = await sales.request('GET', '/sales?only=released', seller.apiKey);
    expect(body.code).toBe('validation_failed');
    expect((await page('/sales?only=disputed', await sales.seller())).sales).toEqual([]);
    market.market.reset();
    await page('/sales?only=disputed', seller);
    expect(market.market.roundTrips.map(({ length }) => length)).toEqual([1, 1]);
    expect((await planOf(market.market.roundTrips[1]?.[0] ?? ''))[0]).toContain(
      'purchases_disputed_of_seller (seller_id=? AND created_at',
    );
  });

  it('pages stand still, without what never became a sale, each status by an index of its own', async () => {
    const seller = await sales.seller();
    const listing = await newListingOf(market, {}, seller);
    const made: string[] = [];
    const statuses = ['held', 'releasing', 'released', 'refunded', 'failed', 'expired'] as const;
    for (let n = 0; n < 18; n += 1) {
      const status = statuses[n % 6] ?? 'held';
      const fields = { status, amountCents: 0, platformFeeCents: 0, createdAt: at(n) };
      const id = await addPurchase(market, listing, null, fields);
      if (n % 6 < 4) made.unshift(id);
    }
    const found = await walk('/sales?limit=5', seller, (nth) =>
      addPurchase(market, listing, null, {
        status: 'released',
        amountCents: 0,
        platformFeeCents: 0,
        createdAt: at(90 + nth),
      }),
    );
    expect(found).toEqual(made);
    for (const status of ['held', 'releasing', 'refunded'])
      expect(await walk(`/sales?status=${status}&limit=2`, seller, async () => null)).toHaveLength(3);
    market.market.reset();
    await page('/sales', seller);
    // Each status, with what is in reserve and without.
    expect(market.market.roundTrips.map(({ length }) => length)).toEqual([1, 8]);
    const steps = await planOf(market.market.roundTrips[1]?.[0] ?? '');
    expect(steps.join('\n')).toContain('purchases USING INDEX purchases_of_seller_by_status ');
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  });
});
