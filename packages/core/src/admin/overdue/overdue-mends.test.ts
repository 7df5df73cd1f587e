import { afterEach, describe, expect, it } from 'vitest';
import { keepDeadMessages } from '../../compose/jobs.ts';
import { apiOperations } from '../../operations/api.ts';
import { readCardEvents, refundLateSettlements, settleAccount, settleChargeback } from '../../sales/index.ts';
import { replied, sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';
import { sessionOf } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '../../testing/marketplace/usdc-shop.ts';
import { newAccount, newNonce } from '../../testing/suites/chain.harness.ts';
import { settleTopUp, sweepTopUps } from '../../wallet/index.ts';
import { OVERDUE_KINDS, type OverdueKind, type OverdueRow, operationsThatMend } from './overdue.rules.ts';

const query = createQueryMarketplace();
const { sales, chain } = query;
const { market, cards, request, rows } = sales;
const { open: usdcShop, sell } = createUsdcShop(query);
const HOUR = 3600_000;
const MINUTE = 60_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

afterEach(async () => {
  works();
  await market.background.settled();
  await sales.audit();
});

/** Everything outside answers again. */
function works(): void {
  cards.fault = () => undefined;
  cards.dashboard.setRefundStatus('succeeded');
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
}

function loses(method: string): void {
  cards.fault = (call) => (call.method === method ? 'lose_request' : undefined);
}

async function sold(method: 'wallet' | 'card' = 'wallet') {
  works();
  const listing = await sales.listing({ priceCents: 4000 });
  const buyer = await sales.newAgent({ name: 'B', callbackUrl: 'https://buyer.example.com/hook' });
  if (method === 'wallet') await sales.fund(buyer, 4000);
  else await sales.saveCard(buyer, 'available_at_once');
  const { status, body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...listing, buyer, purchaseId: String(body.id) };
}

interface Trouble {
  readonly subjectId: string;
  /** Puts right what kept it, where the operation can only try again. */
  readonly repair?: () => unknown;
}

async function withCard() {
  const buyer = await sales.newAgent({ name: 'B' });
  await sales.saveCard(buyer, 'available_at_once');
  return buyer;
}

/** Its seller was paid, and then the bank of its buyer took the money. */
async function lostAfterPayout() {
  works();
  const { purchaseId, seller } = await sold('card');
  await sales.pass(74 * HOUR, 2);
  const paymentId = cards.payments.find(({ reference }) => reference?.id === purchaseId)?.paymentId ?? '';
  const disputeId = cards.disputePayment(paymentId);
  cards.closeDispute(disputeId, 'lost');
  await settleChargeback(market.newPorts(), disputeId);
  market.clock.advance(2 * HOUR);
  return { disputeId, seller };
}

async function runClock(): Promise<void> {
  await sales.finish();
  await refundLateSettlements(market.newPorts());
  await sales.clock();
}

/** Brings each kind about, as it comes about. */
const PROVOCATIONS: Readonly<Record<OverdueKind, () => Promise<Trouble>>> = {
  async sale_held() {
    const { purchaseId } = await sold();
    market.clock.advance(74 * HOUR);
    return { subjectId: purchaseId };
  },
  async sale_on_hold() {
    const { purchaseId } = await sold();
    await operate('holdPurchase', { purchaseId });
    market.clock.advance(74 * HOUR);
    return { subjectId: purchaseId };
  },
  async sale_releasing() {
    const { purchaseId } = await sold();
    loses('transfer');
    market.clock.advance(72 * HOUR);
    await runClock();
    // Longer than the processor remembers keys.
    market.clock.advance(30 * HOUR);
    await runClock();
    return { subjectId: purchaseId, repair: works };
  },
  async payout_refused() {
    const { purchaseId } = await sold();
    const { availableCents } = await cards.getBalance();
    cards.dashboard.payOut(availableCents);
    market.clock.advance(72 * HOUR);
    await runClock();
    market.clock.advance(2 * HOUR);
    return { subjectId: purchaseId, repair: () => cards.dashboard.fund(1_000_000) };
  },
  async account_unable() {
    const { purchaseId, seller } = await sold();
    const [account] = await rows<{ id: string }>(
      'SELECT account_id AS id FROM payout_accounts WHERE seller_id = ?',
      seller.id,
    );
    const accountId = account?.id ?? '';
    cards.dashboard.restrictAccount(accountId);
    market.clock.advance(72 * HOUR);
    await settleAccount(market.newPorts(), accountId);
    await runClock();
    market.clock.advance(2 * HOUR);
    await runClock();
    return { subjectId: purchaseId, repair: () => cards.onboard(accountId) };
  },
  async refund_pending() {
    const { purchaseId } = await sold('card');
    loses('refund');
    await operate('refundPurchase', { purchaseId });
    market.clock.advance(HOUR);
    return { subjectId: purchaseId, repair: works };
  },
  async refund_failed() {
    const { purchaseId } = await sold('card');
    cards.dashboard.setRefundStatus('failed');
    await operate('refundPurchase', { purchaseId });
    market.clock.advance(2 * HOUR);
    return { subjectId: purchaseId, repair: works };
  },
  async dispute_undecided() {
    const { purchaseId, buyer } = await sold();
    await request('POST', `/marketplace/purchases/${purchaseId}/dispute`, buyer.apiKey, { reason: 'Old.' });
    await operate('holdPurchase', { purchaseId });
    market.clock.advance(15 * 24 * HOUR);
    await runClock();
    return { subjectId: purchaseId };
  },
  async outcome_undone() {
    const listing = await sales.listing({ priceCents: 4000 });
    const buyer = await sales.newAgent({ name: 'B' });
    await sales.saveCard(buyer, 'available_at_once');
    loses('cancel');
    market.sellerEndpoint.script = () => replied({ available: false }, 404);
    await sales.buy(listing.id, buyer, { body: { payment_method: 'card' } });
    const [purchase] = await sales.purchases(listing.id);
    market.clock.advance(2 * HOUR);
    return { subjectId: purchase?.id ?? '', repair: works };
  },
  async payment_return_owed() {
    works();
    market.sellerEndpoint.script = () => replied({ available: false }, 404);
    const { id } = await sales.listing({ priceCents: 100 });
    const payer = query.newPayer();
    expect((await query.query(id, await query.pay(payer, id, 2))).status).toBe(502);
    const [paid] = await rows<Record<'purchase_id' | 'pay_to' | 'nonce' | 'valid_before', string>>(
      'SELECT purchase_id, pay_to, nonce, valid_before FROM usdc_payments WHERE payer = ?',
      payer.address.toLowerCase(),
    );
    if (!paid) throw new Error('There is no payment.');
    // The payer brings it to the chain all the same.
    chain.relay({
      from: payer.address,
      to: paid.pay_to as `0x${string}`,
      units: 1_000_000n,
      validAfter: 0n,
      validBefore: BigInt(paid.valid_before),
      nonce: paid.nonce as `0x${string}`,
    });
    chain.fault = ({ method }) => (method === 'pay' ? 'lose_request' : undefined);
    await sales.pass(3 * 24 * HOUR, 72);
    return { subjectId: paid.purchase_id, repair: () => (chain.fault = () => undefined) };
  },
  async payout_sending() {
    works();
    const { seller, buyer } = await usdcShop();
    const purchaseId = await sell(seller, buyer, 2000);
    const [from, units] = [chain.payTo, chain.balanceOf(chain.payTo)];
    const move = {
      to: newAccount().address,
      validAfter: 0n,
      validBefore: 10_000_000_000n,
      nonce: newNonce(),
    };
    if (units > 0n) chain.relay({ ...move, from, units });
    market.clock.advance(72 * HOUR);
    await runClock();
    market.clock.advance(2 * HOUR);
    await runClock();
    const { payout_batch_id } = await sales.payment(purchaseId);
    return { subjectId: String(payout_batch_id), repair: () => chain.fund(chain.payTo, 1_000_000_000n) };
  },
  async top_up_undecided() {
    const buyer = await sales.newAgent({ name: 'B' });
    const { body } = await request('POST', '/wallet/fund', buyer.apiKey, { amount_cents: 2000 });
    loses('getCheckout');
    market.clock.advance(4 * HOUR);
    await sweepTopUps(market.newPorts());
    return { subjectId: (body as unknown as { topUpId: string }).topUpId, repair: works };
  },
  async top_up_return_owed() {
    const buyer = await sales.newAgent({ name: 'B' });
    const fund = async () =>
      (await request('POST', '/wallet/fund', buyer.apiKey, { amount_cents: 50_000 })).body as unknown as {
        topUpId: string;
        checkoutUrl: string;
      };
    const first = await fund();
    cards.payCheckout(sessionOf(first.checkoutUrl), 'available_at_once');
    // Given up before the report of its payment came.
    await rows(`UPDATE wallet_top_ups SET status = 'expired' WHERE id = ?`, first.topUpId);
    await sales.payTopUp((await fund()).checkoutUrl);
    cards.dashboard.setRefundStatus('failed');
    await settleTopUp(market.newPorts(), { topUpId: first.topUpId });
    market.clock.advance(2 * HOUR);
    return { subjectId: first.topUpId, repair: works };
  },
  async webhook_missed() {
    works();
    await readCardEvents(market.newPorts());
    const buyer = await sales.newAgent({ name: 'B' });
    const { body } = await request('POST', '/wallet/fund', buyer.apiKey, { amount_cents: 2000 });
    cards.payCheckout(sessionOf(body.checkoutUrl), 'available_at_once');
    const sent = await cards.takeWebhooks();
    market.clock.advance(20 * MINUTE);
    loses('getPayment');
    await readCardEvents(market.newPorts());
    market.clock.advance(2 * HOUR);
    const ids = sent.map(({ rawBody }) => JSON.parse(rawBody) as { id: string; about: { kind: string } });
    const missed = ids.findLast(({ about }) => about.kind === 'payment');
    return { subjectId: missed?.id ?? '', repair: works };
  },
  async seller_debt() {
    const { disputeId } = await lostAfterPayout();
    return { subjectId: disputeId };
  },
  async seller_owed() {
    const { disputeId, seller } = await lostAfterPayout();
    // The next payout bears it, and then the bank decides otherwise.
    const { id } = await sales.listing({ priceCents: 9000 }, seller);
    await sales.buy(id, await withCard(), { body: { payment_method: 'card' } });
    await sales.pass(74 * HOUR, 2);
    cards.dashboard.appealDispute(disputeId);
    cards.closeDispute(disputeId, 'won');
    await settleChargeback(market.newPorts(), disputeId);
    market.clock.advance(2 * HOUR);
    return { subjectId: disputeId };
  },
  async message_given_up() {
    const id = crypto.randomUUID();
    await keepDeadMessages(market.newPorts(), [{ id, body: { kind: 'outbox' } }]);
    market.clock.advance(2 * HOUR);
    return { subjectId: id };
  },
};

/** What each needs beside the subject and a reason. */
const INPUTS: Readonly<Record<string, (kind: OverdueKind) => object>> = {
  decideDispute: () => ({ decision: 'refund' }),
  markPaidElsewhere: (kind) => ({
    party: kind === 'refund_failed' ? 'buyer' : 'seller',
    evidence: { text: 'Bank transfer 4711.' },
  }),
};

/** By its name, as somebody does who reads it in the list. */
async function operate(
  name: string,
  subject: Readonly<Record<string, string>>,
  kind: OverdueKind = 'sale_held',
) {
  const operation = apiOperations.find((one) => one.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  const { method, path } = operation.http;
  const url = path.replace(/\{\w+\}/, Object.values(subject)[0] ?? '');
  const reason = 'reason' in operation.input.shape ? { reason: 'It is overdue.' } : {};
  return request(method.toUpperCase(), url, null, { ...reason, ...INPUTS[name]?.(kind) }, admin);
}

async function entriesOf(subjectId: string, filter = ''): Promise<OverdueRow[]> {
  const found: OverdueRow[] = [];
  let cursor: string | null = null;
  do {
    const path: string = `/admin/overdue?limit=100${filter}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { body } = await request('GET', path, null, undefined, admin);
    const page = body as unknown as { overdue: OverdueRow[]; nextCursor: string | null };
    found.push(...page.overdue);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found.filter((row) => row.subjectId === subjectId);
}

const CASES = OVERDUE_KINDS.flatMap((kind) => operationsThatMend(kind).map((name) => ({ kind, name })));

describe('what is overdue', () => {
  it('names at least one operation for every kind', () => {
    expect(OVERDUE_KINDS.filter((kind) => operationsThatMend(kind).length === 0)).toEqual([]);
  });

  it.each(CASES)('$kind is listed, and mended by $name', async ({ kind, name }) => {
    const { subjectId, repair } = await PROVOCATIONS[kind]();
    const [entry, ...more] = await entriesOf(subjectId);
    expect([entry?.kind, more.length]).toEqual([kind, 0]);
    expect(entry?.mendWith).toContain(name);
    expect(await entriesOf(subjectId, `&kind=${kind}`)).toEqual([entry]);
    const others = OVERDUE_KINDS.filter((one) => one !== kind);
    expect(await entriesOf(subjectId, `&kind=${others[0]}`)).toEqual([]);
    await repair?.();
    const actions = () =>
      rows(
        `SELECT 1 FROM operator_actions WHERE statement ->> '$.subject.id' = ? AND statement ->> '$.operation' = ?`,
        subjectId,
        name,
      );
    const before = (await actions()).length;
    const first = await operate(name, { subjectId }, kind);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    await runClock();
    expect(await entriesOf(subjectId)).toEqual([]);
    expect(await actions()).toHaveLength(before + 1);
    // Once more: nothing moves again.
    const moved = { transfers: cards.transfers.length, entries: cards.entries.length };
    expect([200, 404, 409]).toContain((await operate(name, { subjectId }, kind)).status);
    await runClock();
    expect({ transfers: cards.transfers.length, entries: cards.entries.length }).toEqual(moved);
  });
});
