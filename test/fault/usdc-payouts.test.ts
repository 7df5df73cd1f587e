import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';

// USDC that leaves the platform. A payout and a refund are each one transfer of the exact units, whichever call of
// the job breaks, or is the last one that it makes.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market, chain } = query;
const shop = createUsdcShop(query);
const HOUR = 3_600_000;
const CENT = 10_000n;

/** What the operator put into the account, as the reconciliation is told. */
const addedCents = 1_000_000;
chain.fund(chain.payTo, BigInt(addedCents) * CENT);

afterEach(async () => {
  await query.heal();
});

/** Everything that is due was done: the ledger agrees with itself, and with what lies on chain. */
async function expectAgreement(): Promise<void> {
  await sales.audit();
  const outside = {
    processor: null,
    chain: { balanceUnits: (await chain.balance()) ?? -1n, addedCents },
  };
  const { findings } = await reconcile(market.newPorts().market, outside, market.clock.now());
  expect(findings).toEqual([]);
}

/** The clock once, with this call of it broken; then as often as it takes. */
async function runBroken(schedule: Parameters<typeof breakAt>[1]): Promise<number> {
  await market.background.settled();
  const made = breakAt(query, schedule);
  await sales.clock().catch(() => {});
  const calls = made();
  await query.heal();
  await sales.pass(6 * HOUR, 12);
  return calls;
}

describe('a payout of three sales of one seller', () => {
  /** Database 15, chain 2. */
  const CALLS = 17;

  async function due() {
    const { seller, account, buyer } = await shop.open();
    const ids = [
      await shop.sell(seller, buyer, 2000),
      await shop.sell(seller, buyer, 1999),
      await shop.sell(seller, buyer, 300),
    ];
    market.clock.advance(73 * HOUR);
    return { account, ids };
  }

  it('makes no more calls than are broken below', async () => {
    await due();
    expect(await runBroken(NOTHING)).toBe(CALLS);
    await expectAgreement();
  });

  it.each(schedules(CALLS))('breaks at $at: $fault, dead after it: $isDeath', async (schedule) => {
    const { account, ids } = await due();
    await runBroken(schedule);
    // 5% of the first; the others are below the fee's reach.
    expect(shop.received(account.address)).toEqual([4199n * CENT]);
    expect(await Promise.all(ids.map(shop.statusOf))).toEqual(['released', 'released', 'released']);
    await expectAgreement();
  });

  it('waits while the chain stands still, and is made once when it goes on', async () => {
    const { account, ids } = await due();
    chain.stopMining();
    await sales.pass(6 * HOUR, 6);
    expect(await Promise.all(ids.map(shop.statusOf))).toEqual(['releasing', 'releasing', 'releasing']);
    chain.startMining();
    await sales.pass(6 * HOUR, 6);
    expect(shop.received(account.address)).toEqual([4199n * CENT]);
    await expectAgreement();
  });

  it('is made once though a reorganisation forgets it before it is recorded', async () => {
    const { account, ids } = await due();
    chain.stopMining();
    await sales.clock();
    chain.mine();
    chain.dropLastBlock({ keepTransactions: false });
    chain.startMining();
    await sales.pass(6 * HOUR, 6);
    expect(shop.received(account.address)).toEqual([4199n * CENT]);
    expect(await Promise.all(ids.map(shop.statusOf))).toEqual(['released', 'released', 'released']);
    await expectAgreement();
  });
});

describe('two sales that do not cover their gas before a third is due', () => {
  /** Ten cents: a tenth of a dollar. */
  const GAS = { balanceWei: 10n ** 18n, transfersLeft: 1000, payoutUnits: 100_000n };
  /** The clock that has them wait: database 13, chain 1. The one that sends them, with the third: database 15, chain 2. */
  const GATHERING = 14;
  const SENDING = 17;

  beforeEach(() => {
    chain.gasState = GAS;
  });
  afterEach(() => {
    chain.gasState = { ...GAS, payoutUnits: 0n };
  });

  async function due() {
    const { seller, account, buyer } = await shop.open();
    const ids = [await shop.sell(seller, buyer, 30), await shop.sell(seller, buyer, 40)];
    market.clock.advance(73 * HOUR);
    return { account, ids, sellThird: () => shop.sell(seller, buyer, 50) };
  }

  it('makes no more calls than are broken below', async () => {
    const { sellThird } = await due();
    expect(await runBroken(NOTHING)).toBe(GATHERING);
    await sellThird();
    market.clock.advance(73 * HOUR);
    expect(await runBroken(NOTHING)).toBe(SENDING);
    await expectAgreement();
  });

  it.each(schedules(GATHERING))(
    'breaks at $at while they begin to wait: $fault, dead after it: $isDeath',
    async (schedule) => {
      const { account, ids, sellThird } = await due();
      const made = breakAt(query, schedule);
      await sales.clock().catch(() => {});
      made();
      await query.heal();
      chain.gasState = GAS;
      // Where it was not learned what gas costs, they go at once, and the third waits.
      const first = shop.received(account.address);
      expect([[], [70n * CENT]]).toContainEqual(first);
      await sales.pass(HOUR, 3);
      const third = await sellThird();
      await sales.pass(80 * HOUR, 3);
      await sales.pass(7 * 24 * HOUR, 3);
      const units = shop.received(account.address);
      expect(units).toEqual(first.length === 0 ? [120n * CENT] : [70n * CENT, 50n * CENT]);
      expect(await Promise.all([...ids, third].map(shop.statusOf))).toEqual([
        'released',
        'released',
        'released',
      ]);
      await expectAgreement();
    },
  );

  it.each(schedules(SENDING))(
    'breaks at $at when they are sent: $fault, dead after it: $isDeath',
    async (schedule) => {
      const { account, ids, sellThird } = await due();
      await sales.clock();
      const third = await sellThird();
      market.clock.advance(73 * HOUR);
      await runBroken(schedule);
      await sales.pass(7 * 24 * HOUR, 3);
      const paid = shop.received(account.address).reduce((sum, units) => sum + units, 0n);
      expect(paid).toBe(120n * CENT);
      expect(await Promise.all([...ids, third].map(shop.statusOf))).toEqual([
        'released',
        'released',
        'released',
      ]);
      await expectAgreement();
    },
  );
});

describe('a refund of a sale over x402', () => {
  /** Database 4, chain 1: what the decision does, and the clock after it. */
  const CALLS = 8;

  async function disputed() {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 300 }, seller);
    const payer = query.newPayer(300n * CENT);
    const { status, body } = await query.query(id, await query.pay(payer, id, 2));
    expect(status).toBe(200);
    await sales.rows(
      `INSERT INTO disputes (purchase_id, reason, opened_at) VALUES (?, 'Not so.', '2026-06-01T12:00:00.000Z')`,
      body.id,
    );
    return { payer, purchaseId: body.id as string };
  }

  const decide = (purchaseId: string) =>
    market.request('POST', `/admin/disputes/${purchaseId}/decision`, {
      headers: { 'x-mkt-admin': TEST_ADMIN_SECRET },
      body: { decision: 'refund' },
    });

  async function decideBroken(purchaseId: string, schedule: Parameters<typeof breakAt>[1]): Promise<number> {
    await market.background.settled();
    const made = breakAt(query, schedule);
    await decide(purchaseId);
    const calls = made();
    await query.heal();
    // The operator does not know how it ended, and decides once more.
    expect([200, 409]).toContain((await decide(purchaseId)).status);
    await sales.pass(6 * HOUR, 12);
    return calls;
  }

  it('makes no more calls than are broken below', async () => {
    const { purchaseId } = await disputed();
    expect(await decideBroken(purchaseId, NOTHING)).toBeLessThanOrEqual(CALLS);
    await expectAgreement();
  });

  it.each(schedules(CALLS))('breaks at $at: $fault, dead after it: $isDeath', async (schedule) => {
    const { payer, purchaseId } = await disputed();
    await decideBroken(purchaseId, schedule);
    expect(await shop.statusOf(purchaseId)).toBe('refunded');
    expect(shop.received(payer.address)).toEqual([300n * CENT]);
    expect(chain.balanceOf(payer.address)).toBe(300n * CENT);
    await expectAgreement();
  });
});
