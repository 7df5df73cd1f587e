import { recoverClaims, settleChargeback } from '@agent-marketplace/core/sales/index.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { afterAll, afterEach, expect, it } from 'vitest';
import { judgeAtEnd } from './oracle/judge-both.ts';
import { expectStatementsAddUp } from './statements-add-up.ts';

// Sellers whose account is in another currency are owed and sent dollars, which the processor converts: what it takes back
// it converts at the rate of that day, and it may send nothing at all to a country, although the account looks as before.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market } = query;
const { cards } = sales;
const DAY = 86_400_000;
const ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };
cards.dashboard.fund(100_000);

afterEach(async () => {
  await query.heal();
  await sales.audit();
});
afterAll(() => expectStatementsAddUp(sales));

async function sell(seller: Awaited<ReturnType<typeof sales.seller>>, priceCents: number) {
  const buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
  const listing = await sales.listing({ priceCents }, seller);
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'card' } });
  expect(body.status).toBe('held');
  const payment = cards.payments.find(({ reference }) => reference?.id === body.id);
  return { purchaseId: body.id, listingId: listing.id, paymentId: payment?.paymentId ?? '' };
}

const statusOf = async (id: string) =>
  (await sales.rows<{ status: string }>('SELECT status FROM purchases WHERE id = ?', id))[0]?.status;
const sentTo = (accountId: string) =>
  cards.transfers
    .filter((one) => one.accountId === accountId)
    .map(({ amountCents, takenBackCents }) => [amountCents, takenBackCents]);
const newsOf = async (sellerId: string, type: string) =>
  (
    await sales.rows<{ data: string }>(
      'SELECT data FROM agent_events WHERE agent_id = ? AND type = ? ORDER BY rowid',
      sellerId,
      type,
    )
  ).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
async function overdueOf(id: string) {
  const { body } = await sales.request('GET', '/admin/overdue?limit=100', null, undefined, ADMIN);
  const { overdue } = body as unknown as { overdue: { subjectId: string }[] };
  return overdue.find(({ subjectId }) => subjectId === id);
}

it('a claim that the account could pay when it was sent the money, and not at the rate of today', async () => {
  cards.dashboard.setExchangeRate('eur', 0.8);
  const seller = await sales.seller('DE');
  cards.dashboard.keepBalance(seller.accountId);
  const { purchaseId, paymentId } = await sell(seller, 2000);
  await sales.pass(4 * DAY, 8);
  expect([await statusOf(purchaseId), sentTo(seller.accountId)]).toEqual(['released', [[1900, 0]]]);
  const disputeId = cards.disputePayment(paymentId);
  cards.closeDispute(disputeId, 'lost');
  await settleChargeback(market.newPorts(), disputeId);
  const claim = async () =>
    (
      await sales.rows<{ claim: number; borne: number }>(
        'SELECT claim_cents AS claim, withheld_cents AS borne FROM seller_claims WHERE dispute_id = ?',
        disputeId,
      )
    )[0];
  const toldOwed = async () =>
    (await newsOf(seller.id, 'sale.chargeback')).filter(({ owedCents }) => owedCents !== undefined);

  cards.dashboard.setExchangeRate('eur', 0.81);
  await recoverClaims(market.newPorts());
  expect([await claim(), sentTo(seller.accountId)]).toEqual([{ claim: 1900, borne: 0 }, [[1900, 0]]]);
  expect(await toldOwed()).toMatchObject([{ owedCents: 1900 }]);
  market.clock.advance(DAY);
  await recoverClaims(market.newPorts());
  expect(await overdueOf(disputeId)).toMatchObject({ kind: 'seller_debt', amountCents: 1900 });
  expect(await toldOwed()).toHaveLength(1);

  cards.dashboard.setExchangeRate('eur', 0.8);
  market.clock.advance(DAY);
  await recoverClaims(market.newPorts());
  expect([await claim(), sentTo(seller.accountId)]).toEqual([{ claim: 1900, borne: 1900 }, [[1900, 1900]]]);
  expect(await overdueOf(disputeId)).toBeUndefined();
});

it('a country that is sent nothing any more: told, in sight, given back or paid once it is served again', async () => {
  const seller = await sales.seller('DE');
  const [returned, later] = [await sell(seller, 3000), await sell(seller, 1000)];
  cards.dashboard.setCountryOpen('DE', false);
  await sales.pass(4 * DAY, 8);
  expect(await Promise.all([returned, later].map(({ purchaseId }) => statusOf(purchaseId)))).toEqual([
    'held',
    'held',
  ]);
  expect(sentTo(seller.accountId)).toEqual([]);
  expect((await newsOf(seller.id, 'payout.failed')).length).toBeGreaterThanOrEqual(2);
  for (const { purchaseId } of [returned, later])
    expect(await overdueOf(purchaseId)).toMatchObject({
      kind: 'payout_refused',
      mendWith: ['retryPurchase', 'markPaidElsewhere', 'refundPurchase'],
    });
  const refund = await sales.request(
    'POST',
    `/admin/purchases/${returned.purchaseId}/refund`,
    null,
    { reason: 'Nothing is sent to its seller any more.' },
    { ...ADMIN, 'idempotency-key': returned.purchaseId },
  );
  expect([refund.status, await statusOf(returned.purchaseId)]).toEqual([200, 'refunded']);
  cards.dashboard.setCountryOpen('DE', true);
  await sales.pass(8 * DAY, 8);
  expect([await statusOf(later.purchaseId), sentTo(seller.accountId)]).toEqual(['released', [[1000, 0]]]);
  expect(await overdueOf(later.purchaseId)).toBeUndefined();
});
