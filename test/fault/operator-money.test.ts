import { bookGasCosts } from '@agent-marketplace/core/ledger/index.ts';
import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { newNonce } from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import { expect, it } from 'vitest';

// What operators do about money, and what is booked of gas, cut off at everything it waits for: after one more try the
// books are those of a try that nothing broke.

const query = createQueryMarketplace();
const { sales, market, chain } = query;
const { cards } = sales;
const shop = createUsdcShop(query);
const HOUR = 3_600_000;
const CENT = 10_000n;
const ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };
chain.fund(chain.payTo, 1_000_000n * CENT);

interface Work {
  /** What is left of it in the end. */
  readonly end: object;
  /** What has to be there before: the purchase, if any. */
  prepare(): Promise<string>;
  /** The same again for the same key. */
  act(id: string, key: string): Promise<unknown>;
}

const operate =
  (path: string, body: object = {}) =>
  (id: string, key: string) =>
    sales.request(
      'POST',
      path.replace('{id}', id),
      null,
      { reason: 'Test.', ...body },
      { ...ADMIN, 'idempotency-key': key },
    );

/** A sale by card in escrow. */
async function soldByCard(): Promise<string> {
  const { id } = await sales.listing({ priceCents: 3000 });
  const buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
  const { status, body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
  expect([status, body.status]).toEqual([200, 'held']);
  return body.id;
}

/** While this call to the card processor never arrives. */
async function without(method: string, work: () => Promise<unknown>): Promise<void> {
  cards.fault = (call) => (call.method === method ? 'lose_request' : undefined);
  await work();
  await market.background.settled();
  cards.fault = () => undefined;
}

async function soldForUsdc(bearsGas: boolean): Promise<string> {
  const { seller, buyer } = await shop.open();
  if (bearsGas) await sales.request('POST', '/sell/payouts/gas', seller.apiKey, { bearsGas });
  return shop.sell(seller, buyer, 100);
}

/** A buyer's credits, of which a dollar is spent. */
const FUNDED = { card_clearing: -20_000, wallet: 19_900 };

const WORKS: Record<string, Work> = {
  'a hold': {
    end: { status: 'held', moved: { card_clearing: -3000, escrow: 2850, fees: 150 } },
    prepare: soldByCard,
    act: operate('/admin/purchases/{id}/hold'),
  },
  'a lift of a hold': {
    end: { status: 'released', moved: { card_clearing: -3000, fees: 150, payouts: 2850 }, transfers: 1 },
    async prepare() {
      const id = await soldByCard();
      await operate('/admin/purchases/{id}/hold')(id, `hold-${id}`);
      return id;
    },
    act: operate('/admin/purchases/{id}/hold/lift'),
  },
  'a refund without a dispute': {
    end: { status: 'refunded', moved: {}, refunds: 3000, transfers: 0 },
    prepare: soldByCard,
    act: operate('/admin/purchases/{id}/refund'),
  },
  'a retry of a refund': {
    end: { status: 'refunded', moved: {}, refunds: 3000, transfers: 0 },
    async prepare() {
      const id = await soldByCard();
      await without('refund', () => operate('/admin/purchases/{id}/refund')(id, `refund-${id}`));
      return id;
    },
    act: operate('/admin/purchases/{id}/retry'),
  },
  'a retry of a transfer': {
    end: { status: 'released', moved: { card_clearing: -3000, fees: 150, payouts: 2850 }, transfers: 1 },
    async prepare() {
      const id = await soldByCard();
      market.clock.advance(73 * HOUR);
      await without('transfer', sales.clock);
      expect(await shop.statusOf(id)).toBe('releasing');
      return id;
    },
    act: operate('/admin/purchases/{id}/retry'),
  },
  'a payment from elsewhere': {
    end: { status: 'released', moved: { card_clearing: -3000, fees: 150, bank: 2850 }, transfers: 0 },
    async prepare() {
      const id = await soldByCard();
      market.clock.advance(73 * HOUR);
      return id;
    },
    act: operate('/admin/purchases/{id}/paid-elsewhere', {
      party: 'seller',
      evidence: { text: 'Bank transfer 4711.' },
    }),
  },
  'an adjustment': {
    end: { moved: { adjustments: 125, bank: -125 } },
    prepare: async () => market.newPorts().ids.uuid(),
    act: (id, key) =>
      operate('/admin/ledger/adjustments', {
        account: 'bank',
        counterAccount: 'adjustments',
        amountCents: 125,
        reference: `Statement ${id}`,
      })('', key),
  },
  'a retry of a payout in USDC': {
    end: { status: 'released', moved: { ...FUNDED, payouts_usdc: 100 }, onChain: [100n * CENT] },
    async prepare() {
      const id = await soldForUsdc(false);
      market.clock.advance(73 * HOUR);
      chain.stopMining();
      await sales.clock();
      chain.startMining();
      return id;
    },
    async act(id, key) {
      const [payout] = await sales.rows<{ id: string }>(
        'SELECT payout_batch_id AS id FROM transfers WHERE purchase_id = ?',
        id,
      );
      return operate('/admin/payouts/{id}/retry')(payout?.id ?? '', key);
    },
  },
  'a payout in USDC whose seller bears its gas': {
    end: {
      status: 'released',
      moved: { ...FUNDED, payouts_usdc: 60, payout_gas: 40 },
      onChain: [60n * CENT],
    },
    async prepare() {
      chain.gasState = { balanceWei: 10n ** 18n, transfersLeft: 1000, payoutUnits: 40n * CENT };
      const id = await soldForUsdc(true);
      market.clock.advance(73 * HOUR);
      return id;
    },
    act: () => sales.clock(),
  },
  'the booking of gas': {
    end: { moved: { gas: -3, relayer_gas: 3 } },
    async prepare() {
      chain.spent.push({ id: chain.spent.length + 1, transaction: newNonce(), wei: 3_000_000_000n });
      return '';
    },
    act: () => bookGasCosts(market.newPorts()),
  },
};

interface Break {
  readonly at: number;
  readonly fault: 'lose_request' | 'lose_reply';
}
const NOWHERE: Break = { at: Number.POSITIVE_INFINITY, fault: 'lose_request' };

/** From that call on nothing gets through any more: the process is dead. Gives how many calls there were. */
async function cutOff(work: () => Promise<unknown>, { at, fault }: Break): Promise<number> {
  let calls = 0;
  const next = () => {
    const call = calls++;
    return call === at ? fault : call > at ? ('lose_request' as const) : undefined;
  };
  const lines = [
    market.market,
    market.search,
    chain,
    query.claims,
    cards,
    market.jobs,
    market.sellerEndpoint,
  ];
  for (const line of lines) line.fault = next;
  await work().catch(() => {});
  await market.background.settled();
  for (const line of lines) line.fault = () => undefined;
  return calls;
}

async function balances(): Promise<Map<string, number>> {
  const { balances: all, findings } = await reconcile(
    market.newPorts().market,
    { processor: null, chain: null },
    market.clock.now(),
  );
  expect(findings).toEqual([]);
  return new Map(all.map(({ account, amount }) => [account, amount]));
}

let runs = 0;
/** What became of it, and what it left in the books and with the outside. */
async function run({ prepare, act }: Work, how: Break) {
  runs += 1;
  const before = await balances();
  const outside = [cards.transfers.length, chain.transfers.length] as const;
  const id = await prepare();
  const calls = await cutOff(() => act(id, `try-${runs}`), how);
  // Whoever asked may have to wait until the first try is over for sure.
  market.clock.advance(61_000);
  await act(id, `try-${runs}`);
  await query.heal();
  await sales.pass(80 * HOUR, 8);
  await sales.audit();
  const after = await balances();
  const moved = [...after].map(([account, cents]) => [account, cents - (before.get(account) ?? 0)] as const);
  const refunds = cards.payments.find(({ reference }) => reference?.id === id)?.refundedCents;
  return {
    calls,
    end: {
      status: await shop.statusOf(id),
      moved: Object.fromEntries(moved.filter(([, cents]) => cents !== 0)),
      transfers: cards.transfers.length - outside[0],
      onChain: chain.transfers.slice(outside[1]).map(({ units }) => units),
      refunds,
    },
  };
}

it.each(Object.entries(WORKS))('%s, cut off anywhere', { timeout: 300_000 }, async (_name, work) => {
  const { calls, end } = await run(work, NOWHERE);
  expect(calls).toBeGreaterThan(1);
  expect(end).toMatchObject(work.end);
  expect(end.moved).toEqual((work.end as typeof end).moved);
  for (let at = 0; at < calls; at += 1)
    for (const fault of ['lose_request', 'lose_reply'] as const)
      expect((await run(work, { at, fault })).end, `${fault} at ${at} of ${calls}`).toEqual(end);
});
