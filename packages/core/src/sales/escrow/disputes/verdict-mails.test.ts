import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../../../compose/card-webhook.ts';
import { sendMail } from '../../../mail/index.ts';
import type { RegisteredAgent } from '../../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../../testing/marketplace/test-bindings.ts';
import { purchasePageOf } from '../../buyer-access.ts';
import { settleChargeback } from '../../rails/card/settle-chargeback.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const PLACE = { baseUrl: 'http://localhost/api', siteUrl: null };
let people = 0;

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

/** Bought on a page by somebody without a key, who gave an address, and collected by the link of the purchase. */
async function soldToPerson(email: string | null) {
  const seller = await sales.seller();
  const { id } = await sales.listing({ priceCents: 4000 }, seller);
  const { body } = await sales.buy(id, null, {
    body: { payment_method: 'checkout', ...(email === null ? {} : { email }) },
  });
  cards.payCheckout(sessionOf(body.checkoutUrl));
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
  const token = new URL((await purchasePageOf(market.newPorts(), PLACE, body.id)).url).searchParams.get(
    'token',
  );
  const path = `/marketplace/purchases/${body.id}`;
  const { body: collected } = await sales.request('GET', `${path}?token=${token}`, null);
  expect(collected.status).toBe('held');
  const dispute = () =>
    sales.request('POST', `${path}/dispute`, null, { token, reason: 'Not what it said.' });
  return { seller, purchaseId: body.id, dispute };
}

async function soldByCard(buyerEmail: string) {
  const seller = await sales.seller();
  await sales.rows('UPDATE agents SET email = ? WHERE id = ?', `seller${++people}@example.com`, seller.id);
  const buyer = await sales.newAgent({ name: 'B', email: buyerEmail });
  await sales.saveCard(buyer, 'available_at_once');
  const { id } = await sales.listing({ priceCents: 4000 }, seller);
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
  const paymentId = cards.payments.find(({ reference }) => reference?.id === body.id)?.paymentId ?? '';
  return { seller, sellerEmail: `seller${people}@example.com`, buyer, purchaseId: body.id, paymentId };
}

async function mailsTo(address: string): Promise<{ subject: string; text: string }[]> {
  await sendMail(market.newPorts());
  return market.mail.tried.filter(({ to }) => to === address);
}

const decided = async (agent: RegisteredAgent, type: string) =>
  (
    await sales.rows<{ data: string }>(
      'SELECT data FROM agent_events WHERE agent_id = ? AND type = ? ORDER BY rowid',
      agent.id,
      type,
    )
  ).map(({ data }) => JSON.parse(data) as Record<string, unknown>);

async function verdict(paymentId: string, outcome: 'won' | 'lost'): Promise<void> {
  const disputeId = cards.disputePayment(paymentId);
  await settleChargeback(market.newPorts(), disputeId);
  cards.closeDispute(disputeId, outcome);
  for (let times = 0; times < 3; times += 1) await settleChargeback(market.newPorts(), disputeId);
}

describe('a bank’s verdict', () => {
  it.each([
    ['lost', 'refund', /The buyer gets the money back/],
    ['won', 'release', /Your share is paid out/],
  ] as const)('%s is told to both parties, by event and by one mail', async (outcome, decision, words) => {
    const buyerEmail = `buyer-${outcome}@example.com`;
    const { seller, sellerEmail, buyer, purchaseId, paymentId } = await soldByCard(buyerEmail);
    await verdict(paymentId, outcome);
    const known = { purchaseId, decision, decidedBy: 'bank', ground: null };
    expect(await decided(buyer, 'purchase.dispute_decided')).toMatchObject([known]);
    expect(await decided(seller, 'sale.dispute_decided')).toMatchObject([known]);
    const [toBuyer, ...moreToBuyer] = await mailsTo(buyerEmail);
    expect([toBuyer?.text, moreToBuyer]).toEqual([
      expect.stringContaining('The bank of whoever paid decided it.'),
      [],
    ]);
    const toSeller = (await mailsTo(sellerEmail)).filter(({ text }) => text.includes(purchaseId));
    expect(toSeller).toHaveLength(1);
    expect(toSeller[0]?.text).toMatch(words);
  });

  it('on a sale that was paid out is told once, whatever else the bank takes of it', async () => {
    const { seller, sellerEmail, paymentId, purchaseId } = await soldByCard('buyer-late@example.com');
    cards.dashboard.fund(10_000);
    await sales.pass(4 * 24 * 3_600_000, 8);
    for (const amountCents of [1000, 3000]) {
      const disputeId = cards.disputePayment(paymentId, { amountCents });
      cards.closeDispute(disputeId, 'lost');
      await settleChargeback(market.newPorts(), disputeId);
    }
    expect(await decided(seller, 'sale.dispute_decided')).toMatchObject([
      { decision: 'refund', decidedBy: 'bank' },
    ]);
    expect((await mailsTo(sellerEmail)).filter(({ text }) => text.includes(purchaseId))).toHaveLength(1);
  });
});

const decideForBuyer = (purchaseId: string) =>
  sales.request(
    'POST',
    `/admin/disputes/${purchaseId}/decision`,
    null,
    { decision: 'refund' },
    { 'x-mkt-admin': TEST_ADMIN_SECRET },
  );

describe('a buyer without a key', () => {
  it('who gave an address is mailed how its dispute ended, and that the money went back: one mail each', async () => {
    const { purchaseId, dispute } = await soldToPerson('person@example.com');
    expect((await dispute()).status).toBe(200);
    for (let times = 0; times < 2; times += 1) await decideForBuyer(purchaseId);
    await sales.pass(3_600_000);
    const mails = await mailsTo('person@example.com');
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      expect.stringMatching(/^A dispute on .* was decided for the buyer$/),
      expect.stringMatching(/^Your purchase on .* was refunded$/),
    ]);
    for (const { text } of mails) expect(text).toContain(purchaseId);
    expect(mails.map(({ text }) => text).join()).not.toContain('Not what it said.');
  });

  it('who gave none is mailed nothing', async () => {
    const { purchaseId, dispute } = await soldToPerson(null);
    await dispute();
    const before = market.mail.tried.length;
    await decideForBuyer(purchaseId);
    await sales.pass(3_600_000);
    await sendMail(market.newPorts());
    expect(market.mail.tried.slice(before).filter(({ text }) => text.includes(purchaseId))).toEqual([]);
  });
});
