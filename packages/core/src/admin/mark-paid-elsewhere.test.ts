import { afterEach, describe, expect, it } from 'vitest';
import { settleChargeback } from '../sales/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';

const sales = createSalesMarketplace();
const { market, cards, request, rows } = sales;
const HOUR = 3600_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
  const { body } = await request('GET', '/admin/reconciliation', null, undefined, admin);
  const { findings } = body as unknown as { findings: { check: string }[] };
  // The processor's own figures are compared in the tests of the reconciliation.
  expect(findings.filter(({ check }) => check !== 'card_processor')).toEqual([]);
});

async function sold(method: 'wallet' | 'card') {
  const listing = await sales.listing({ priceCents: 4000 });
  const buyer = await sales.newAgent({ name: 'B', callbackUrl: 'https://buyer.example.com/hook' });
  if (method === 'wallet') await sales.fund(buyer, 4000);
  else await sales.saveCard(buyer, 'available_at_once');
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  return { ...listing, buyer, purchaseId: body.id };
}

const mark = (purchaseId: string, party: 'seller' | 'buyer', more: object = {}) =>
  request(
    'POST',
    `/admin/purchases/${purchaseId}/paid-elsewhere`,
    null,
    { party, evidence: { text: 'Bank transfer 4711.' }, reason: 'The rail is broken.', ...more },
    admin,
  );
const postings = (purchaseId: string) =>
  rows<{ kind: string; account: string; cents: number }>(
    `SELECT kind, account, amount_cents AS cents FROM ledger_postings JOIN ledger_entries ON posting_id = ledger_postings.id
      WHERE reference = ? AND kind IN ('payout', 'refund') ORDER BY account`,
    purchaseId,
  );
const dataOf = (agentId: string, type: string) =>
  rows<{ data: string }>('SELECT data FROM agent_events WHERE agent_id = ? AND type = ?', agentId, type);

describe('what was paid elsewhere', () => {
  it.each(['wallet', 'card'] as const)(
    '%s: ends a sale for its seller once, who is shown why',
    async (method) => {
      const { purchaseId, seller } = await sold(method);
      expect((await mark(purchaseId, 'seller')).body.code).toBe('payment_still_possible');
      market.clock.advance(72 * HOUR);
      const answers = await Promise.all([mark(purchaseId, 'seller'), mark(purchaseId, 'seller')]);
      expect(answers.map(({ status }) => [200, 409].includes(status))).toEqual([true, true]);
      const { status, body } = await mark(purchaseId, 'seller');
      expect(status).toBe(200);
      expect(body).toMatchObject({ amountCents: 3800, paidFrom: 'bank', status: 'released' });
      expect(await postings(purchaseId)).toEqual([
        { kind: 'payout', account: 'bank', cents: 3800 },
        { kind: 'payout', account: `escrow:${seller.id}`, cents: -3800 },
      ]);
      await sales.clock();
      expect(cards.transfers.filter((one) => one.purchaseId === purchaseId)).toEqual([]);
      expect((await mark(purchaseId, 'buyer')).body.code).toBe('paid_elsewhere_differs');
      const [event, ...others] = await rows<{ data: string }>(
        `SELECT data FROM seller_notifications WHERE seller_id = ? AND type = 'sale.released'`,
        seller.id,
      );
      expect(others).toEqual([]);
      expect(JSON.parse(event?.data ?? '{}')).toMatchObject({
        paidElsewhere: { digest: null, text: 'Bank transfer 4711.', url: null },
        status: 'released',
      });
      const actions = await rows(
        `SELECT 1 FROM operator_actions JOIN audit_texts USING (sequence)
          WHERE statement ->> '$.subject.id' = ? AND texts ->> '$.reason' = 'The rail is broken.'`,
        purchaseId,
      );
      expect(actions).toHaveLength(1);
    },
  );

  it.each(['wallet', 'card'] as const)('%s: refunds a buyer, who is shown how', async (method) => {
    const { purchaseId, buyer, seller } = await sold(method);
    const url = 'https://bank.example.com/4711';
    const { status, body } = await mark(purchaseId, 'buyer', {
      evidence: { url },
      paidFrom: 'usdc_clearing',
    });
    expect([status, body.status]).toEqual([200, 'refunded']);
    expect(await postings(purchaseId)).toEqual([
      { kind: 'refund', account: `escrow:${seller.id}`, cents: -3800 },
      { kind: 'refund', account: 'fees', cents: -200 },
      { kind: 'refund', account: 'usdc_clearing', cents: 4000 },
    ]);
    expect(cards.calls.filter((call) => call.method === 'refund' && call.key?.includes(purchaseId))).toEqual(
      [],
    );
    if (method === 'wallet') expect(await sales.balanceOf(buyer)).toBe(0);
    const shown = await sales.read(purchaseId, buyer, 'omit');
    expect(shown.body).toMatchObject({ status: 'refunded', notice: { code: 'paid_elsewhere' } });
    expect((shown.body as unknown as { notice: { text: string } }).notice.text).toContain(url);
    expect(await dataOf(buyer.id, 'purchase.notice')).toHaveLength(1);
  });

  it.each(['seller', 'buyer'] as const)(
    'is refused for the %s while the bank of the card decides a dispute',
    async (party) => {
      const { purchaseId } = await sold('card');
      const paid = cards.payments.find(({ reference }) => reference?.id === purchaseId);
      const disputeId = cards.disputePayment(paid?.paymentId ?? '');
      await settleChargeback(market.newPorts(), disputeId);
      market.clock.advance(72 * HOUR);
      expect((await mark(purchaseId, party)).body.code).toBe('payment_still_possible');
      cards.closeDispute(disputeId, 'won');
      await settleChargeback(market.newPorts(), disputeId);
      expect((await mark(purchaseId, party)).status).toBe(200);
    },
  );

  it('is refused while a transfer or a refund may still be made, and without evidence', async () => {
    const releasing = await sold('wallet');
    cards.fault = ({ method }) => (method === 'transfer' ? 'lose_reply' : undefined);
    market.clock.advance(72 * HOUR);
    await sales.clock();
    expect((await mark(releasing.purchaseId, 'seller')).body.code).toBe('payment_still_possible');
    const refunding = await sold('card');
    cards.fault = ({ method }) => (method === 'refund' ? 'lose_reply' : undefined);
    await request('POST', `/admin/purchases/${refunding.purchaseId}/refund`, null, { reason: 'So.' }, admin);
    expect((await mark(refunding.purchaseId, 'buyer')).body.code).toBe('payment_still_possible');
    const held = await sold('wallet');
    expect((await mark(held.purchaseId, 'buyer', { evidence: {} })).status).toBe(400);
  });
});
