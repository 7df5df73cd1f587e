import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';

const sales = createSalesMarketplace();
const { market, cards, request, rows } = sales;
const HOUR = 3600_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

type Method = 'wallet' | 'card';

async function sold(method: Method = 'wallet', fulfilment: 'digital' | 'physical' = 'digital') {
  const listing = await sales.listing({ priceCents: 4000, fulfilment });
  const buyer = await sales.newAgent({ name: 'B', callbackUrl: 'https://buyer.example.com/hook' });
  if (method === 'wallet') await sales.fund(buyer, 4000);
  else await sales.saveCard(buyer, 'available_at_once');
  const { status, body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...listing, buyer, purchaseId: String(body.id) };
}

interface Row {
  readonly kind: string;
  readonly mendWith: string[];
  readonly since: string;
  readonly subjectId: string;
}

async function overdue(query = '') {
  const { status, body } = await request('GET', `/admin/overdue${query}`, null, undefined, admin);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as { overdue: Row[]; nextCursor: string | null };
}
const kindsOf = async (purchaseId: string) =>
  (await overdue('?limit=100')).overdue
    .filter(({ subjectId }) => subjectId === purchaseId)
    .map(({ kind }) => kind);
const operate = (purchaseId: string, what: string, reason = 'Because.') =>
  request('POST', `/admin/purchases/${purchaseId}/${what}`, null, { reason }, admin) as unknown as Promise<{
    status: number;
    body: Record<string, unknown>;
  }>;
const statusOf = async (purchaseId: string) =>
  (await rows<{ status: string }>('SELECT status FROM purchases WHERE id = ?', purchaseId))[0]?.status;
const noticesOf = async (agentId: string) =>
  (
    await rows<{ notice: string }>(
      `SELECT data ->> 'notice' AS notice FROM agent_events WHERE agent_id = ? AND type = 'purchase.notice'`,
      agentId,
    )
  ).map(({ notice }) => notice);

describe('what is overdue', () => {
  it('is listed until it is done, with what mends it: a transfer whose answer is lost', async () => {
    const { purchaseId } = await sold();
    cards.fault = ({ method }) => (method === 'transfer' ? 'lose_request' : undefined);
    market.clock.advance(72 * HOUR);
    await sales.clock();
    expect(await kindsOf(purchaseId)).toEqual([]);
    market.clock.advance(HOUR);
    expect(await kindsOf(purchaseId)).toEqual(['sale_releasing']);
    cards.fault = () => undefined;
    const retried = await operate(purchaseId, 'retry');
    expect([retried.status, retried.body.status]).toEqual([200, 'released']);
    expect(await kindsOf(purchaseId)).toEqual([]);
    expect((await operate(purchaseId, 'retry')).body.code).toBe('purchase_not_overdue');
  });

  it('has a refund that is not confirmed, which a retry makes once', async () => {
    const { purchaseId } = await sold('card');
    cards.fault = ({ method }) => (method === 'refund' ? 'lose_request' : undefined);
    const refunded = await operate(purchaseId, 'refund');
    expect([refunded.status, refunded.body.status]).toEqual([200, 'held']);
    market.clock.advance(HOUR);
    expect(await kindsOf(purchaseId)).toEqual(['refund_pending']);
    cards.fault = () => undefined;
    expect((await operate(purchaseId, 'retry')).body.status).toBe('refunded');
    expect(await kindsOf(purchaseId)).toEqual([]);
  });

  it('is read in pages, the longest waiting first, by indexes that hold only what is not over', async () => {
    const first = await sold();
    market.clock.advance(HOUR);
    const second = await sold();
    for (const { purchaseId } of [first, second]) await operate(purchaseId, 'hold');
    market.clock.advance(80 * HOUR);
    await sales.clock();
    const seen: string[] = [];
    let cursor: string | null = null;
    const plans: string[] = [];
    market.market.fault = (statements) => {
      plans.push(...statements.filter((one) => /hold_until|refund_requested_at|payout_batches/.test(one)));
      return undefined;
    };
    do {
      const page = await overdue(`?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.overdue.map(({ subjectId }) => subjectId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    market.market.fault = () => undefined;
    expect(seen.filter((id) => [first.purchaseId, second.purchaseId].includes(id))).toEqual([
      first.purchaseId,
      second.purchaseId,
    ]);
    expect(plans.length).toBeGreaterThan(0);
    for (const sql of plans.slice(0, 6)) {
      const plan = await rows(`EXPLAIN QUERY PLAN ${sql}`, ...Array.from(sql.matchAll(/\?/g), () => ''));
      expect(JSON.stringify(plan), sql).not.toContain('SCAN payments');
      expect(JSON.stringify(plan), sql).not.toContain('TEMP B-TREE');
    }
  });
});

describe('money in escrow that no clock moves', () => {
  it('is listed where an order on hold was not shipped in time, and goes back once the hold is lifted', async () => {
    const { purchaseId } = await sold('card', 'physical');
    await operate(purchaseId, 'hold');
    market.clock.advance(13 * 24 * HOUR);
    await sales.clock();
    expect(await kindsOf(purchaseId)).toEqual([]);
    market.clock.advance(25 * HOUR);
    await sales.clock();
    expect(await kindsOf(purchaseId)).toEqual(['sale_on_hold']);
    expect((await operate(purchaseId, 'retry')).body.code).toBe('purchase_not_overdue');
    expect((await operate(purchaseId, 'hold/lift')).status).toBe(200);
    expect(await kindsOf(purchaseId)).toEqual(['sale_held']);
    expect((await operate(purchaseId, 'retry')).body.status).toBe('refunded');
    expect(await kindsOf(purchaseId)).toEqual([]);
  });

  it.each([
    ['digital', 'released'],
    ['physical', 'refunded'],
  ] as const)('is listed where nothing looks at it any more, and a retry moves it: %s', async (kind, end) => {
    const { purchaseId } = await sold('card', kind);
    market.clock.advance(15 * 24 * HOUR);
    await rows('UPDATE payments SET due_at = NULL WHERE purchase_id = ?', purchaseId);
    await sales.clock();
    expect(await statusOf(purchaseId)).toBe('held');
    expect(await kindsOf(purchaseId)).toEqual(['sale_held']);
    expect((await operate(purchaseId, 'retry')).body.status).toBe(end);
    expect(await kindsOf(purchaseId)).toEqual([]);
  });
});

describe('a refund without a dispute', () => {
  it.each(['wallet', 'card'] as const)('%s: is made once, told to both, and recorded', async (method) => {
    const { purchaseId, buyer, seller } = await sold(method);
    const answers = await Promise.all([1, 2, 3].map(() => operate(purchaseId, 'refund', 'It was a fraud.')));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const repeated = await operate(purchaseId, 'refund');
    expect([repeated.status, repeated.body.status]).toEqual([200, 'refunded']);
    const refunds = cards.calls.filter((call) => call.method === 'refund' && call.key?.includes(purchaseId));
    expect(new Set(refunds.map(({ key }) => key)).size).toBe(method === 'card' ? 1 : 0);
    if (method === 'wallet') expect(await sales.balanceOf(buyer)).toBe(4000);
    const events = (agentId: string, type: string) =>
      rows('SELECT 1 FROM agent_events WHERE agent_id = ? AND type = ?', agentId, type);
    expect(await events(buyer.id, 'purchase.refunded')).toHaveLength(1);
    expect(
      await rows(
        `SELECT 1 FROM seller_notifications WHERE seller_id = ? AND type = 'sale.refunded'`,
        seller.id,
      ),
    ).toHaveLength(1);
    const actions = await rows(
      `SELECT 1 FROM operator_actions JOIN audit_texts USING (sequence)
        WHERE statement ->> '$.subject.id' = ? AND texts ->> '$.reason' = 'It was a fraud.'`,
      purchaseId,
    );
    expect(actions).toHaveLength(1);
  });

  it('is not made of a purchase that is not in escrow', async () => {
    const { purchaseId } = await sold();
    market.clock.advance(72 * HOUR);
    await sales.clock();
    expect(await statusOf(purchaseId)).toBe('released');
    expect((await operate(purchaseId, 'refund')).body.code).toBe('not_in_escrow');
  });
});

describe('a refund of what is disputed and on hold', () => {
  it('ends both: neither dispute nor hold is left for anybody to decide', async () => {
    const { purchaseId, buyer } = await sold();
    const path = `/marketplace/purchases/${purchaseId}/dispute`;
    expect((await request('POST', path, buyer.apiKey, { reason: 'Wrong.' })).status).toBe(200);
    expect((await operate(purchaseId, 'hold')).status).toBe(200);
    expect((await operate(purchaseId, 'refund')).body.status).toBe('refunded');
    expect(
      await rows(
        `SELECT decision, lifted_at IS NOT NULL AS lifted FROM disputes JOIN operator_holds USING (purchase_id)
          WHERE purchase_id = ?`,
        purchaseId,
      ),
    ).toEqual([{ decision: 'refund', lifted: 1 }]);
    const open = await request('GET', '/admin/disputes', null, undefined, admin);
    expect(JSON.stringify(open.body)).not.toContain(purchaseId);
    expect((await operate(purchaseId, 'hold/lift')).status).toBe(409);
  });
});

describe('a hold', () => {
  it('is not made of a purchase that is not in escrow, and nobody is told of one', async () => {
    const { purchaseId, buyer } = await sold();
    market.clock.advance(72 * HOUR);
    await sales.clock();
    expect((await operate(purchaseId, 'hold')).body.code).toBe('not_in_escrow');
    expect(await noticesOf(buyer.id)).toEqual([]);
  });

  it('keeps the money in escrow until it is lifted, whatever the clock says, and both are told', async () => {
    const { purchaseId, buyer } = await sold();
    const held = await operate(purchaseId, 'hold');
    expect(held.status).toBe(200);
    expect((await operate(purchaseId, 'hold')).body).toMatchObject({ heldAt: held.body.heldAt });
    market.clock.advance(80 * HOUR);
    await sales.clock();
    expect(await statusOf(purchaseId)).toBe('held');
    expect((await operate(purchaseId, 'retry')).body.code).toBe('purchase_not_overdue');
    expect(await kindsOf(purchaseId)).toEqual(['sale_on_hold']);
    expect((await sales.read(purchaseId, buyer, 'omit')).body).toMatchObject({ notice: { code: 'on_hold' } });
    expect((await operate(purchaseId, 'hold/lift')).status).toBe(200);
    expect((await operate(purchaseId, 'hold/lift')).body.code).toBe('purchase_not_on_hold');
    expect((await sales.read(purchaseId, buyer, 'omit')).body).toMatchObject({ notice: null });
    expect(await noticesOf(buyer.id)).toEqual(['on_hold', 'hold_lifted']);
    await sales.clock();
    expect(await statusOf(purchaseId)).toBe('released');
  });

  it('does not keep a refund', async () => {
    const { purchaseId } = await sold();
    await operate(purchaseId, 'hold');
    expect((await operate(purchaseId, 'refund')).body.status).toBe('refunded');
  });
});

describe('an agent that is limited', () => {
  it('sees since when and why, is told, and buys again once it is lifted', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const agent = await sales.newAgent({ name: 'B', callbackUrl: 'https://buyer.example.com/hook' });
    await sales.fund(agent, 1000);
    const limit = (limited: boolean) =>
      request(
        'POST',
        `/admin/agents/${agent.id}/purchases`,
        null,
        { limited, reason: 'Fraud.', ...(limited ? { rule: 'payment_fraud' } : {}) },
        admin,
      );
    const own = async () => (await request('GET', '/agents/me', agent.apiKey)).body;
    expect(await own()).toMatchObject({ state: 'active', limitedReason: null, limitedSince: null });
    await limit(true);
    expect(await own()).toMatchObject({ state: 'limited', limitedReason: 'operator' });
    expect((await sales.buy(id, agent)).body.code).toBe('buyer_limited');
    await limit(false);
    expect(await own()).toMatchObject({ state: 'active', limitedReason: null, limitedSince: null });
    expect((await sales.buy(id, agent)).status).toBe(200);
    const events = await rows<{ data: string }>(
      `SELECT data FROM agent_events WHERE agent_id = ? AND type = 'account.limited' ORDER BY rowid`,
      agent.id,
    );
    expect(events.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
      { limited: true, reason: 'operator' },
      { limited: false, reason: 'operator' },
    ]);
  });
});
