import { settleChargeback } from '@agent-marketplace/core/sales/index.ts';
import { settlePayment } from '@agent-marketplace/core/sales/rails/card/settle-chargeback.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { breakAt, deaths } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';
import { expectStatementsAddUp } from './statements-add-up.ts';

// A bank takes the money of a sale whose seller was paid already: the seller's share of it is withheld from what that
// seller is paid later, whole or in parts, and comes back with a later payout where the bank decides otherwise after all.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market, chain } = query;
const { cards } = sales;
const shop = createUsdcShop(query);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CENT = 10_000n;
chain.fund(chain.payTo, 1_000_000n * CENT);
cards.dashboard.fund(1_000_000);

afterEach(async () => {
  cards.fault = () => undefined;
  await query.heal();
});
afterAll(() => expectStatementsAddUp(sales));

interface Payee {
  readonly seller: RegisteredAgent;
  readonly sent: () => number[];
  readonly accountId: string;
}
const PAYEES: Readonly<Record<string, () => Promise<Payee>>> = {
  'at the card processor': async () => {
    const seller = await sales.seller();
    const all = () => cards.transfers.map(({ amountCents }) => amountCents);
    const before = all().length;
    return { seller, accountId: seller.accountId, sent: () => all().slice(before) };
  },
  'in USDC': async () => {
    const { seller, account } = await shop.open();
    const sent = () => shop.received(account.address).map((units) => Number(units / CENT));
    return { seller, accountId: '', sent };
  },
};

async function sell(seller: RegisteredAgent, priceCents: number, method: 'card' | 'wallet' = 'card') {
  const buyer = await sales.newAgent();
  if (method === 'card') await sales.saveCard(buyer, 'available_at_once');
  else await sales.fund(buyer, priceCents);
  const { id } = await sales.listing({ priceCents }, seller);
  const { body } = await sales.buy(id, buyer, { body: { payment_method: method } });
  const [topUp] = await sales.rows<{ id: string }>(
    'SELECT id FROM wallet_top_ups WHERE agent_id = ?',
    buyer.id,
  );
  const payment = cards.payments.find(({ reference }) => reference?.id === (topUp?.id ?? body.id));
  return { purchaseId: body.id, buyer, paymentId: payment?.paymentId ?? '' };
}

/** The sale of $20 is paid out, and then its bank takes the money. */
async function lostAfterPayout({ seller, sent }: Payee) {
  const { paymentId } = await sell(seller, 2000);
  await sales.pass(4 * DAY, 8);
  expect(sent()).toEqual([1900]);
  const disputeId = cards.disputePayment(paymentId);
  cards.closeDispute(disputeId, 'lost');
  await hear(disputeId);
  return disputeId;
}

const hear = (disputeId: string) => settleChargeback(market.newPorts(), disputeId);

const lossNow = async () => 0 - (await sales.account('chargebacks'));
const eventsOf = (seller: RegisteredAgent, type: string) =>
  sales
    .rows<{ data: string }>(
      'SELECT data FROM agent_events WHERE agent_id = ? AND type = ? ORDER BY rowid',
      seller.id,
      type,
    )
    .then((rows) => rows.map(({ data }) => JSON.parse(data) as Record<string, unknown>));

async function chargebackOf(disputeId: string) {
  const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  const { body } = await sales.request('GET', '/admin/disputes', null, undefined, admin);
  const { chargebacks } = body as unknown as { chargebacks: Record<string, unknown>[] };
  return chargebacks.find((one) => one.disputeId === disputeId);
}

describe.each(Object.entries(PAYEES))('a seller who is paid %s', (where, open) => {
  it('bears its share out of the next payout, and is told; the fee is the platform’s loss', async () => {
    const loss = await lossNow();
    const payee = await open();
    const disputeId = await lostAfterPayout(payee);
    expect(await eventsOf(payee.seller, 'sale.chargeback')).toMatchObject([
      { chargeback: 'lost', claimCents: 1900 },
    ]);
    const { purchaseId } = await sell(payee.seller, 5000);
    await sales.pass(4 * DAY, 8);
    await sell(payee.seller, 1000);
    await sales.pass(4 * DAY, 8);
    expect(payee.sent()).toEqual([1900, 4750 - 1900, 1000]);
    expect(await lossNow()).toBe(loss + 100);
    expect(await chargebackOf(disputeId)).toMatchObject({
      claimCents: 1900,
      withheldCents: 1900,
      lossCents: 100,
    });
    const told = await eventsOf(payee.seller, 'sale.released');
    expect(told.find((one) => one.purchaseId === purchaseId)).toMatchObject({ withheldCents: 1900 });
  });

  it('is paid nothing for small sales until its share is borne', async () => {
    const payee = await open();
    await lostAfterPayout(payee);
    const { purchaseId } = await sell(payee.seller, 1000);
    await sales.pass(4 * DAY, 8);
    expect([payee.sent(), await shop.statusOf(purchaseId)]).toEqual([[1900], 'released']);
    await sell(payee.seller, 1000);
    await sales.pass(4 * DAY, 8);
    expect(payee.sent()).toEqual([1900, 100]);
  });

  it('bears nothing while the bank has not decided, and of what is still in escrow nothing', async () => {
    const payee = await open();
    const { paymentId } = await sell(payee.seller, 2000);
    await sales.pass(4 * DAY, 8);
    const inEscrow = await sell(payee.seller, 5000);
    const disputeId = cards.disputePayment(paymentId);
    await hear(disputeId);
    await sales.pass(4 * DAY, 8);
    expect(payee.sent()).toEqual([1900, 4750]);
    const later = await sell(payee.seller, 5000);
    cards.closeDispute(disputeId, 'lost');
    await hear(disputeId);
    expect(await sales.payment(later.purchaseId)).toMatchObject({ taken_net_cents: 0, withheld_cents: 0 });
    expect(await shop.statusOf(inEscrow.purchaseId)).toBe('released');
    await sales.pass(4 * DAY, 8);
    expect(payee.sent()).toEqual([1900, 4750, 4750 - 1900]);
  });

  it('bears nothing of what finance refunded after its payout', async () => {
    const payee = await open();
    const { paymentId } = await sell(payee.seller, 2000);
    await sales.pass(4 * DAY, 8);
    cards.dashboard.refund(paymentId, 2000);
    await settlePayment(market.newPorts(), paymentId);
    await sell(payee.seller, 5000);
    await sales.pass(4 * DAY, 8);
    expect(payee.sent()).toEqual([1900, 4750]);
  });

  it('has it back with its next payout where an appeal is won', async () => {
    const loss = await lossNow();
    const payee = await open();
    const disputeId = await lostAfterPayout(payee);
    await sell(payee.seller, 5000);
    await sales.pass(4 * DAY, 8);
    cards.dashboard.appealDispute(disputeId);
    await hear(disputeId);
    cards.closeDispute(disputeId, 'won');
    await hear(disputeId);
    await sell(payee.seller, 5000);
    await sales.pass(4 * DAY, 8);
    expect(payee.sent()).toEqual([1900, 4750 - 1900, 4750 + 1900]);
    expect(await lossNow()).toBe(loss);
    expect(await chargebackOf(disputeId)).toMatchObject({ claimCents: 0, withheldCents: 0, lossCents: 0 });
  });

  it.each(['card', 'wallet'] as const)(
    'has with its next payout what a bank took of a %s’s sale before its own and gave back after it',
    async (method) => {
      const loss = await lossNow();
      const payee = await open();
      const { paymentId } = await sell(payee.seller, 2000, method);
      const disputeId = cards.disputePayment(paymentId, { amountCents: 500 });
      cards.closeDispute(disputeId, 'lost');
      await hear(disputeId);
      await sales.pass(4 * DAY, 8);
      expect([payee.sent(), await lossNow()]).toEqual([[1425], loss]);
      cards.dashboard.appealDispute(disputeId);
      await hear(disputeId);
      cards.closeDispute(disputeId, 'won');
      for (let told = 0; told < 2; told += 1) await hear(disputeId);
      await sell(payee.seller, 5000);
      await sales.pass(4 * DAY, 8);
      // Of the fee, what came back is the platform's.
      expect([payee.sent(), await lossNow()]).toEqual([[1425, 4750 + 475], loss - 25]);
      await sales.audit();
      if (method === 'card') {
        const back = { claimCents: -475, withheldCents: -475, lossCents: -25 };
        expect(await chargebackOf(disputeId)).toMatchObject(back);
      }
      cards.closeDispute(disputeId, 'lost');
      await hear(disputeId);
      await sell(payee.seller, 5000);
      await sales.pass(4 * DAY, 8);
      expect([payee.sent().at(-1), await lossNow()]).toEqual([4750 - 475, loss]);
      const told = (await eventsOf(payee.seller, 'sale.chargeback')).map((one) => one.claimCents);
      expect(told.filter((one) => one !== undefined)).toEqual([0, 475]);
    },
  );

  it.each(['in turn', 'at once'])(
    'has back to the cent what two banks took of one sale before its payout, heard %s, and bears one that is lost after all',
    async (order) => {
      const payee = await open();
      const buyer = await sales.newAgent();
      const before = cards.payments.length;
      await sales.fund(buyer, 1001);
      await sales.fund(buyer, 1000);
      const topUps = cards.payments.slice(before);
      const { id } = await sales.listing({ priceCents: 2001 }, payee.seller);
      await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
      const disputes = topUps.map(({ paymentId }) => cards.disputePayment(paymentId, { amountCents: 10 }));
      const hearAll = async (outcome: 'won' | 'lost') => {
        for (const disputeId of disputes) {
          if (outcome === 'won') cards.dashboard.appealDispute(disputeId);
          cards.closeDispute(disputeId, outcome);
        }
        if (order === 'at once') await Promise.all(disputes.map((one) => hear(one).catch(() => {})));
        for (const disputeId of disputes) await hear(disputeId);
      };
      await hearAll('lost');
      await sales.pass(4 * DAY, 8);
      // 19 of its 1901: rounded apart, 9 and 9.
      expect(payee.sent()).toEqual([1882]);
      await hearAll('won');
      await sell(payee.seller, 5000);
      await sales.pass(4 * DAY, 8);
      expect(payee.sent()).toEqual([1882, 4750 + 19]);
      for (const disputeId of disputes) {
        cards.closeDispute(disputeId, 'lost');
        await hear(disputeId);
      }
      await sell(payee.seller, 5000);
      await sales.pass(4 * DAY, 8);
      expect(payee.sent()).toEqual([1882, 4750 + 19, 4750 - 19]);
      await sales.audit();
    },
  );

  it.each(deaths(20))('bears it once, cut off at $at: $fault, dead after it: $isDeath', async (schedule) => {
    const payee = await open();
    await lostAfterPayout(payee);
    await sell(payee.seller, 1000);
    await sell(payee.seller, 5000);
    market.clock.advance(73 * HOUR);
    await market.background.settled();
    breakAt(query, schedule);
    await sales.clock().catch(() => {});
    await query.heal();
    await sales.pass(DAY, 12);
    expect(payee.sent().reduce((sum, cents) => sum + cents, 0)).toBe(1900 + 1000 + 4750 - 1900);
    await sales.audit();
  });

  if (where === 'at the card processor')
    it('bears it of another sale where a transfer is refused, or reversed by hand', async () => {
      const payee = await open();
      await lostAfterPayout(payee);
      const refused = await sell(payee.seller, 5000);
      cards.dashboard.restrictAccount(payee.accountId);
      await sales.pass(4 * DAY, 8);
      expect(await sales.payment(refused.purchaseId)).toMatchObject({
        withheld_cents: 0,
        transferred_cents: 0,
      });
      cards.onboard(payee.accountId);
      await sales.pass(2 * DAY, 8);
      expect(payee.sent()).toEqual([1900, 4750 - 1900]);
    });
});
