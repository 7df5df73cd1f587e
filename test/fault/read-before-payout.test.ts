import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settleChargeback, sweepChargebacks } from '@agent-marketplace/core/sales/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeAtEnd } from './oracle/judge-both.ts';

// What happened to a payment at the processor, and was never told, is seen before the seller's share leaves. None of the
// processor's messages arrive here.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market, chain } = query;
const { cards } = sales;
const shop = createUsdcShop(query);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PRICE = 2000;
const NET = 1900;
const CENT = 10_000n;
chain.fund(chain.payTo, 1_000_000n * CENT);
cards.dashboard.fund(1_000_000);

const PAYEES = {
  'to an account at the processor': async () => {
    const seller = await sales.seller();
    const transfers = () => cards.transfers.map(({ amountCents }) => amountCents);
    const before = transfers().length;
    return { seller, sent: () => transfers().slice(before) };
  },
  'to a wallet in USDC': async () => {
    const { seller, account } = await shop.open();
    return { seller, sent: () => shop.received(account.address).map((units) => Number(units / CENT)) };
  },
};

function paymentOf(reference: string): string {
  const payment = cards.payments.find((one) => one.reference?.id === reference);
  if (!payment) throw new Error('It was not paid by card.');
  return payment.paymentId;
}

async function sellByCard(seller: RegisteredAgent) {
  const buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
  const { id } = await sales.listing({ priceCents: PRICE }, seller);
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
  return { purchaseId: body.id, paymentId: paymentOf(body.id) };
}

async function sellForCredits(seller: RegisteredAgent) {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 5000);
  const topUp = cards.payments.at(-1)?.paymentId ?? '';
  return { purchaseId: await shop.sell(seller, buyer, PRICE), topUp };
}

/** So many cents of a payment are refunded by hand; the bank of the card has not said yet that it has them. */
function refundPending(paymentId: string, cents: number): string {
  cards.dashboard.setRefundStatus('pending');
  const refundId = cards.dashboard.refund(paymentId, cents);
  cards.dashboard.setRefundStatus('succeeded');
  return refundId;
}

const overdue = async (purchaseId: string) => {
  const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  const { body } = await sales.request('GET', '/admin/overdue?limit=100', null, undefined, admin);
  const { overdue: rows } = body as unknown as { overdue: { subjectId: string; kind: string }[] };
  return rows.filter(({ subjectId }) => subjectId === purchaseId).map(({ kind }) => kind);
};

beforeEach(async () => {
  await cards.takeWebhooks();
});
afterEach(async () => {
  cards.fault = () => undefined;
  await query.heal();
});

describe.each(Object.entries(PAYEES))('a payout %s', (_where, open) => {
  it('leaves without what finance refunded', async () => {
    const { seller, sent } = await open();
    const { paymentId } = await sellByCard(seller);
    cards.dashboard.refund(paymentId, 667);
    await sales.pass(4 * DAY, 8);
    expect(sent()).toEqual([NET - 633]);
  });

  it('waits while a refund that finance made is pending, is listed meanwhile, and leaves without it', async () => {
    const { seller, sent } = await open();
    const { purchaseId, paymentId } = await sellByCard(seller);
    const refundId = refundPending(paymentId, 667);
    await sales.pass(4 * DAY, 8);
    expect([sent(), await overdue(purchaseId)]).toEqual([[], ['sale_held']]);
    cards.dashboard.endRefund(refundId, 'succeeded');
    await sales.pass(2 * HOUR, 4);
    expect([sent(), await overdue(purchaseId)]).toEqual([[NET - 633], []]);
  });

  it('leaves in full once such a refund failed', async () => {
    const { seller, sent } = await open();
    const { paymentId } = await sellByCard(seller);
    const refundId = refundPending(paymentId, 667);
    await sales.pass(4 * DAY, 8);
    cards.dashboard.endRefund(refundId, 'failed');
    await sales.pass(2 * HOUR, 4);
    expect(sent()).toEqual([NET]);
  });

  it('waits for a bank that looks into the payment, and is the seller’s once that is won', async () => {
    const { seller, sent } = await open();
    const { purchaseId, paymentId } = await sellByCard(seller);
    const disputeId = cards.disputePayment(paymentId);
    await sales.pass(4 * DAY, 8);
    expect([sent(), await shop.statusOf(purchaseId)]).toEqual([[], 'held']);
    cards.closeDispute(disputeId, 'won');
    await sweepChargebacks(market.newPorts());
    await sales.pass(DAY, 8);
    expect(sent()).toEqual([NET]);
  });

  it('is not made where the bank has taken the money', async () => {
    const { seller, sent } = await open();
    const { purchaseId, paymentId } = await sellByCard(seller);
    cards.closeDispute(cards.disputePayment(paymentId), 'lost');
    await sales.pass(4 * DAY, 8);
    expect([sent(), await shop.statusOf(purchaseId)]).toEqual([[], 'refunded']);
  });

  it.each(['refunded', 'charged back'])('is not made of credits whose top-up was %s', async (how) => {
    const { seller, sent } = await open();
    const { purchaseId, topUp } = await sellForCredits(seller);
    if (how === 'refunded') cards.dashboard.refund(topUp, 5000);
    else cards.closeDispute(cards.disputePayment(topUp), 'lost');
    await sales.pass(4 * DAY, 8);
    expect([sent(), await shop.statusOf(purchaseId)]).toEqual([[], 'refunded']);
  });

  it('waits while the refund of a top-up that paid for it is pending', async () => {
    const { seller, sent } = await open();
    const { purchaseId, topUp } = await sellForCredits(seller);
    const refundId = refundPending(topUp, 5000);
    await sales.pass(4 * DAY, 8);
    expect([sent(), await shop.statusOf(purchaseId)]).toEqual([[], 'held']);
    cards.dashboard.endRefund(refundId, 'succeeded');
    await sales.pass(2 * HOUR, 4);
    expect([sent(), await shop.statusOf(purchaseId)]).toEqual([[], 'refunded']);
  });

  it.each(['card', 'credits'])('waits for a processor that does not answer, paid by %s', async (paidBy) => {
    const { seller, sent } = await open();
    const { purchaseId } = paidBy === 'card' ? await sellByCard(seller) : await sellForCredits(seller);
    cards.fault = ({ method }) => (method === 'getPayment' ? 'lose_request' : undefined);
    await sales.pass(4 * DAY, 8);
    expect([sent(), await overdue(purchaseId)]).toEqual([[], ['sale_held']]);
    cards.fault = () => undefined;
    await sales.pass(DAY, 8);
    expect(sent()).toEqual([NET]);
  });
});

const SALES: Readonly<Record<string, (seller: RegisteredAgent) => Promise<unknown>>> = {
  'paid by card': sellByCard,
  'paid with credits of one top-up': sellForCredits,
  'paid with credits of two top-ups': async (seller) => {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1500);
    await sales.fund(buyer, 1500);
    await shop.sell(seller, buyer, PRICE);
  },
  'paid by card, disputed and won': async (seller) => {
    const { paymentId } = await sellByCard(seller);
    const disputeId = cards.disputePayment(paymentId);
    cards.closeDispute(disputeId, 'won');
    await settleChargeback(market.newPorts(), disputeId);
  },
  'paid in USDC': async (seller) => {
    const { id } = await sales.listing({ priceCents: PRICE }, seller);
    const { status } = await query.query(id, await query.pay(query.newPayer(), id, 2));
    expect(status).toBe(200);
  },
};

describe.each(Object.entries(PAYEES))('before a payout %s', (_where, open) => {
  it('the processor is asked as often as docs/security.md says', async () => {
    const rows: string[] = [];
    for (const [name, sell] of Object.entries(SALES)) {
      const { seller, sent } = await open();
      await sell(seller);
      const before = cards.calls.length;
      await sales.pass(4 * DAY, 8);
      expect(sent(), name).toEqual([NET]);
      const calls = cards.calls.slice(before).filter(({ method }) => method !== 'transfer');
      rows.push(`| ${name} | ${calls.length} |`);
    }
    const table = ['| payout of a sale | calls to the card processor before it |', '|---|---|', ...rows].join(
      '\n',
    );
    const security = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
    expect(security, `Put this into docs/security.md:\n${table}\n`).toContain(table);
  });
});
