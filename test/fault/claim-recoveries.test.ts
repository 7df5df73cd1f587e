import { bookProcessorEntries } from '@agent-marketplace/core/ledger/index.ts';
import { recoverClaims, returnTransfers, settleChargeback } from '@agent-marketplace/core/sales/index.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterAll, afterEach, expect, it } from 'vitest';
import { breakAt, schedules } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';
import { expectStatementsAddUp } from './statements-add-up.ts';

// A bank takes money of a sale whose seller was paid by a transfer: the seller's share of that is taken back by a reversal of
// this very transfer, once. What the seller's account has not, it owes: its next payouts bear it, or somebody settles it.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market, chain } = query;
const { cards } = sales;
const shop = createUsdcShop(query);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
cards.dashboard.fund(1_000_000);
chain.fund(chain.payTo, 10_000_000_000n);

afterEach(async () => {
  cards.fault = () => undefined;
  await query.heal();
  await sales.audit();
  // What was read of reversals at the processor, and what they were for, agree.
  await minute();
  expect(await sales.account('transfer_reversals')).toBe(byHand);
});
afterAll(() => expectStatementsAddUp(sales));

/** Reversed in the dashboard in part: nobody knows what for. */
let byHand = 0;

type Seller = Awaited<ReturnType<typeof sales.seller>>;

async function minute(): Promise<void> {
  const ports = market.newPorts();
  await recoverClaims(ports);
  await bookProcessorEntries(ports);
  await returnTransfers(ports);
}

async function newSeller({ keepsBalance }: { keepsBalance: boolean }): Promise<Seller> {
  const seller = await sales.seller();
  if (keepsBalance) cards.dashboard.keepBalance(seller.accountId);
  return seller;
}

async function sell(seller: { readonly apiKey: string; readonly id: string }, priceCents: number) {
  const buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
  const { id } = await sales.listing({ priceCents }, seller as Seller);
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
  const payment = cards.payments.find(({ reference }) => reference?.id === body.id);
  return { purchaseId: body.id, buyer, paymentId: payment?.paymentId ?? '' };
}

/** Paid out, and then its bank takes so much of it. */
async function lost(seller: Seller, priceCents: number, amountCents: number) {
  const sold = await sell(seller, priceCents);
  await sales.pass(4 * DAY, 8);
  const disputeId = cards.disputePayment(sold.paymentId, { amountCents });
  cards.closeDispute(disputeId, 'lost');
  await hear(disputeId);
  return { ...sold, disputeId };
}

const hear = (disputeId: string) => settleChargeback(market.newPorts(), disputeId);
const sentTo = ({ accountId }: Seller) => cards.transfers.filter((one) => one.accountId === accountId);
const amountsOf = (seller: Seller) =>
  sentTo(seller).map(({ amountCents, takenBackCents }) => [amountCents, takenBackCents]);
const claimOf = async (disputeId: string) =>
  (
    await sales.rows<{ claim: number; borne: number }>(
      'SELECT claim_cents AS claim, withheld_cents AS borne FROM seller_claims WHERE dispute_id = ?',
      disputeId,
    )
  )[0];
const newsOf = async (seller: Seller) =>
  (
    await sales.rows<{ data: string }>(
      `SELECT data FROM agent_events WHERE agent_id = ? AND type = 'sale.chargeback' ORDER BY rowid`,
      seller.id,
    )
  ).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
const overdue = async (disputeId: string) => {
  const { body } = await sales.request('GET', '/admin/overdue?limit=100', null, undefined, admin);
  const { overdue: rows } = body as unknown as { overdue: Record<string, unknown>[] };
  return rows.find(({ subjectId }) => subjectId === disputeId);
};
const settle = (disputeId: string, account: string) =>
  sales.request(
    'POST',
    `/admin/chargebacks/${disputeId}/settlement`,
    null,
    { account, reason: 'By bank.' },
    admin,
  );

it('tells the seller in its statement what was reversed or settled, and what banks took, in halves too', async () => {
  const seller = await newSeller({ keepsBalance: true });
  const reversed = await lost(seller, 2000, 500);
  const { purchaseId } = reversed;
  await minute();
  const ofNone = await newSeller({ keepsBalance: false });
  const { disputeId } = await lost(ofNone, 2000, 2000);
  await minute();
  expect((await settle(disputeId, 'bank')).status).toBe(200);
  const { body: listed } = await sales.request('GET', '/admin/disputes', null, undefined, admin);
  const { chargebacks } = listed as unknown as { chargebacks: { disputeId: string }[] };
  expect(chargebacks.find((one) => one.disputeId === disputeId)).toMatchObject({
    claimCents: 1900,
    reversedCents: 0,
    settledCents: 1900,
    withheldCents: 0,
    lossCents: 100,
  });
  expect(chargebacks.find((one) => one.disputeId === reversed.disputeId)).toMatchObject({
    claimCents: 475,
    reversedCents: 475,
    settledCents: 0,
    withheldCents: 0,
    lossCents: 25,
  });
  const inHalves = await sell(seller, 3000);
  for (const amountCents of [1500, 1500]) {
    const half = cards.disputePayment(inHalves.paymentId, { amountCents });
    cards.closeDispute(half, 'lost');
    await hear(half);
  }
  const month = new Date(market.clock.now()).toISOString().slice(0, 7);
  const linesOf = async ({ apiKey }: Seller) => {
    const { body } = await sales.request('GET', `/sell/statements/${month}`, apiKey);
    const { lines } = body as unknown as {
      lines: { kind: string; grossCents: number; purchaseId: string }[];
    };
    return lines.map(({ kind, grossCents, purchaseId: id }) => [kind, grossCents, id]);
  };
  expect(await linesOf(seller)).toEqual([
    ['sale', 2000, purchaseId],
    ['payout', -1900, purchaseId],
    ['reversal', 475, purchaseId],
    ['chargeback', -475, purchaseId],
    ['sale', 3000, inHalves.purchaseId],
    ['chargeback', -1500, inHalves.purchaseId],
    ['chargeback', -1500, inHalves.purchaseId],
  ]);
  expect((await linesOf(ofNone)).slice(2).map(([kind, cents]) => [kind, cents])).toEqual([
    ['adjustment', 1900],
    ['chargeback', -1900],
  ]);
  const path = `/marketplace/purchases/${inHalves.purchaseId}/documents`;
  const { body } = await sales.request('GET', path, inHalves.buyer.apiKey);
  const { documents } = body as unknown as { documents: { kind: string; amountCents: number }[] };
  expect(documents.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ['receipt', 3000],
    ['credit_note', 1500],
    ['credit_note', 1500],
  ]);
});

it('reverses the seller’s share of a part that the bank took, once, and of another part the rest', async () => {
  const seller = await newSeller({ keepsBalance: true });
  const loss = await sales.account('chargebacks');
  const { disputeId, paymentId, purchaseId } = await lost(seller, 2000, 500);
  await minute();
  await minute();
  // 95 of 100 cents are the seller's; the fee's part is the platform's loss.
  expect(amountsOf(seller)).toEqual([[1900, 475]]);
  expect(await claimOf(disputeId)).toEqual({ claim: 475, borne: 475 });
  expect((await sales.account('chargebacks')) - loss).toBe(-25);
  expect(await newsOf(seller)).toMatchObject([
    { chargeback: 'lost', claimCents: 475 },
    { chargeback: 'lost', reversedCents: 475 },
  ]);
  // The bank takes the rest.
  const second = cards.disputePayment(paymentId, { amountCents: 1500 });
  cards.closeDispute(second, 'lost');
  await hear(second);
  await minute();
  expect(amountsOf(seller)).toEqual([[1900, 1900]]);
  expect((await sales.account('chargebacks')) - loss).toBe(-100);
  // What we took back for a bank is not in escrow again, although all of the transfer is back.
  expect(await shop.statusOf(purchaseId)).toBe('released');
  expect(await overdue(second)).toBeUndefined();
});

it.each(['in turn', 'at once'])(
  'takes back all of a sale of which a bank took two halves after its payout, heard %s; a half that is won comes back alone',
  async (order) => {
    const seller = await newSeller({ keepsBalance: true });
    const loss = await sales.account('chargebacks');
    const { paymentId, purchaseId } = await sell(seller, 2001);
    await sales.pass(4 * DAY, 8);
    const [[net = 0] = []] = amountsOf(seller);
    const halves = [1001, 1000].map((amountCents) => cards.disputePayment(paymentId, { amountCents }));
    for (const half of halves) cards.closeDispute(half, 'lost');
    if (order === 'at once') await Promise.all(halves.map((half) => hear(half).catch(() => {})));
    for (const half of [...halves].reverse()) await hear(half);
    await Promise.all([minute(), minute()]);
    await minute();
    expect(amountsOf(seller)).toEqual([[net, net]]);
    expect((await sales.account('chargebacks')) - loss).toBe(net - 2001);
    const [first, second] = [await claimOf(halves[0] ?? ''), await claimOf(halves[1] ?? '')];
    expect([first?.borne, second?.borne]).toEqual([first?.claim, second?.claim]);
    expect((first?.claim ?? 0) + (second?.claim ?? 0)).toBe(net);
    cards.dashboard.appealDispute(halves[0] ?? '');
    cards.closeDispute(halves[0] ?? '', 'won');
    await hear(halves[0] ?? '');
    await sell(seller, 1000);
    await sales.pass(4 * DAY, 8);
    expect(amountsOf(seller)).toEqual([
      [net, net],
      [1000 + (first?.claim ?? 0), 0],
    ]);
    expect(await claimOf(halves[1] ?? '')).toEqual(second);
    expect(await shop.statusOf(purchaseId)).toBe('released');
  },
);

it('takes back no more than was sent of a sale that its seller was paid in part', async () => {
  const seller = await newSeller({ keepsBalance: true });
  const { paymentId } = await sell(seller, 2000);
  const first = cards.disputePayment(paymentId, { amountCents: 800 });
  cards.closeDispute(first, 'lost');
  await hear(first);
  await sales.pass(4 * DAY, 8);
  expect(amountsOf(seller)).toEqual([[1140, 0]]);
  const second = cards.disputePayment(paymentId, { amountCents: 1200 });
  cards.closeDispute(second, 'lost');
  await hear(second);
  await minute();
  expect(amountsOf(seller)).toEqual([[1140, 1140]]);
});

it('leaves what the account has not as the seller’s debt: told, overdue, asked for again, borne by a payout', async () => {
  const seller = await newSeller({ keepsBalance: false });
  const { disputeId } = await lost(seller, 2000, 2000);
  await minute();
  await minute();
  const asked = () => cards.calls.flatMap(({ key }) => (key?.startsWith(`claim:${disputeId}:`) ? [key] : []));
  expect(asked(), 'not again at once').toEqual([`claim:${disputeId}:1`]);
  expect(await claimOf(disputeId)).toEqual({ claim: 1900, borne: 0 });
  expect((await newsOf(seller)).at(-1)).toMatchObject({ chargeback: 'lost', owedCents: 1900 });
  expect(await overdue(disputeId)).toBeUndefined();
  market.clock.advance(2 * HOUR);
  expect(await overdue(disputeId)).toMatchObject({ kind: 'seller_debt', amountCents: 1900, rail: 'card' });
  market.clock.advance(DAY);
  await minute();
  expect(asked()).toEqual([`claim:${disputeId}:1`, `claim:${disputeId}:2`]);
  expect((await newsOf(seller)).filter(({ owedCents }) => owedCents !== undefined)).toHaveLength(1);
  await sell(seller, 1000);
  await sales.pass(4 * DAY, 8);
  expect(await claimOf(disputeId)).toEqual({ claim: 1900, borne: 1000 });
  expect(await overdue(disputeId)).toMatchObject({ amountCents: 900 });
  const loss = await sales.account('chargebacks');
  const settled = await settle(disputeId, 'bank');
  expect([settled.status, settled.body]).toMatchObject([200, { settledCents: 900, sellerId: seller.id }]);
  expect((await sales.account('chargebacks')) - loss).toBe(900);
  expect(await overdue(disputeId)).toBeUndefined();
  expect(await settle(disputeId, 'bank')).toMatchObject({ status: 409, body: { code: 'claim_settled' } });
  await sell(seller, 1000);
  await sales.pass(4 * DAY, 8);
  expect(amountsOf(seller).map(([sent]) => sent)).toEqual([1900, 1000]);
});

it('tells a debt once, where two ask at once for what was begun before', async () => {
  const seller = await newSeller({ keepsBalance: false });
  const { disputeId } = await lost(seller, 2000, 2000);
  cards.fault = ({ method }) => (method === 'reverseTransfer' ? 'lose_reply' : undefined);
  await minute();
  cards.fault = () => undefined;
  await Promise.all([minute(), minute()]);
  expect((await newsOf(seller)).filter(({ owedCents }) => owedCents !== undefined)).toHaveLength(1);
  expect(await claimOf(disputeId)).toEqual({ claim: 1900, borne: 0 });
});

it('takes back what a payout has left open of a claim, once the account has it', async () => {
  const seller = await newSeller({ keepsBalance: false });
  const { disputeId } = await lost(seller, 2000, 2000);
  await minute();
  await sell(seller, 1000);
  await sales.pass(4 * DAY, 8);
  cards.dashboard.keepBalance(seller.accountId, 5000);
  await minute();
  expect(amountsOf(seller)).toEqual([[1900, 900]]);
  expect(await claimOf(disputeId)).toEqual({ claim: 1900, borne: 1900 });
});

it('reverses no more of a transfer than was sent by it, where it bore another claim', async () => {
  const seller = await newSeller({ keepsBalance: false });
  await lost(seller, 2000, 1000);
  await minute();
  const { paymentId } = await sell(seller, 2000);
  await sales.pass(4 * DAY, 8);
  cards.dashboard.keepBalance(seller.accountId, 5000);
  const disputeId = cards.disputePayment(paymentId);
  cards.closeDispute(disputeId, 'lost');
  await hear(disputeId);
  await minute();
  expect(amountsOf(seller)).toEqual([
    [1900, 0],
    [950, 950],
  ]);
  expect(await claimOf(disputeId)).toEqual({ claim: 1900, borne: 950 });
});

it('owes it back to a seller who sells no more, where an appeal is won, and says so until it is settled', async () => {
  const seller = await newSeller({ keepsBalance: true });
  const { disputeId } = await lost(seller, 2000, 2000);
  await minute();
  expect(amountsOf(seller)).toEqual([[1900, 1900]]);
  cards.dashboard.appealDispute(disputeId);
  await hear(disputeId);
  cards.closeDispute(disputeId, 'won');
  await hear(disputeId);
  market.clock.advance(2 * HOUR);
  await minute();
  expect(await overdue(disputeId)).toMatchObject({ kind: 'seller_owed', amountCents: 1900 });
  const bank = await sales.account('bank');
  expect(await settle(disputeId, 'bank')).toMatchObject({ status: 200, body: { settledCents: -1900 } });
  expect((await sales.account('bank')) - bank).toBe(1900);
  expect(await overdue(disputeId)).toBeUndefined();
  expect((await newsOf(seller)).at(-1)).toMatchObject({ chargeback: 'won', settledCents: -1900 });
});

it('is listed for a seller in USDC, whose transfers nobody can reverse', async () => {
  const { seller } = await shop.open();
  const { paymentId } = await sell(seller, 2000);
  await sales.pass(4 * DAY, 8);
  const disputeId = cards.disputePayment(paymentId);
  cards.closeDispute(disputeId, 'lost');
  await hear(disputeId);
  market.clock.advance(2 * HOUR);
  await minute();
  expect(cards.calls.some(({ key }) => key?.startsWith(`claim:${disputeId}`))).toBe(false);
  expect(await overdue(disputeId)).toMatchObject({ kind: 'seller_debt', amountCents: 1900 });
});

it('takes what finance has reversed by hand for nothing of a claim', async () => {
  const seller = await newSeller({ keepsBalance: true });
  const { disputeId, purchaseId } = await lost(seller, 2000, 1000);
  const transferId = sentTo(seller)[0]?.transferId ?? '';
  cards.dashboard.reverseTransfer(transferId, 1500);
  byHand += 1500;
  await minute();
  expect(amountsOf(seller)).toEqual([[1900, 0]]);
  market.clock.advance(2 * HOUR);
  expect(await overdue(disputeId)).toMatchObject({ kind: 'seller_debt', amountCents: 950 });
  expect(await shop.statusOf(purchaseId)).toBe('released');
});

it.each(schedules(15))(
  'is reversed once, cut off at $at: $fault, dead after it: $isDeath',
  async (schedule) => {
    const seller = await newSeller({ keepsBalance: true });
    const { disputeId } = await lost(seller, 2000, 1000);
    await market.background.settled();
    breakAt(query, schedule);
    const { fault } = market.market;
    cards.fault = () => fault([]);
    await minute().catch(() => {});
    cards.fault = () => undefined;
    await query.heal();
    await Promise.all([minute(), minute()]);
    await minute();
    expect(amountsOf(seller)).toEqual([[1900, 950]]);
    expect(await claimOf(disputeId)).toEqual({ claim: 950, borne: 950 });
    expect((await newsOf(seller)).filter(({ reversedCents }) => reversedCents !== undefined)).toHaveLength(1);
  },
);
