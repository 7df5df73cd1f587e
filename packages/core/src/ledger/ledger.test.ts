import { describe, expect, it } from 'vitest';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import {
  capture,
  escrowAccount,
  isAlreadyPosted,
  isOverCap,
  isOverdrawn,
  type Posting,
  post,
  readBalance,
  readBalances,
  refund,
  reserve,
  type Sale,
  topUp,
  walletAccount,
} from './index.ts';

const market = createTestMarketplace();
const { ids } = market;
const AT = '2026-06-01T12:00:00.000Z';

const commit = (...postings: Posting[]) =>
  market.newPorts().market.commit(postings.map((posting) => post(posting, ids.uuid(), AT)));

async function walletOf(amountCents: number): Promise<string> {
  const agentId = ids.uuid();
  if (amountCents > 0) await commit(topUp({ topUpId: ids.uuid(), agentId, amountCents }));
  return agentId;
}

const saleTo = (buyerId: string, amountCents: number): Sale => ({
  purchaseId: ids.uuid(),
  sellerId: ids.uuid(),
  payerAccount: walletAccount(buyerId),
  amountCents,
  platformFeeCents: Math.floor(amountCents / 20),
});

const balanceOf = (account: string) => readBalance(market.newPorts().market, account);
const sumOfAll = () =>
  testBindings.DB.prepare(
    `SELECT (SELECT SUM(balance_cents) FROM ledger_accounts) AS accounts,
      (SELECT SUM(amount_cents) FROM ledger_entries) AS entries`,
  ).first();

/** What an attempt failed with, for predicates. */
async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

describe('post', () => {
  it('moves money between accounts, which always sum to nothing', async () => {
    const agentId = await walletOf(5000);
    const sale = saleTo(agentId, 2000);
    await commit(reserve(sale), capture(sale));
    expect(await balanceOf(walletAccount(agentId))).toBe(3000);
    expect(await balanceOf(escrowAccount(sale.sellerId))).toBe(1900);
    expect(await sumOfAll()).toEqual({ accounts: 0, entries: 0 });
  });

  it('happens once for each kind and reference', async () => {
    const agentId = await walletOf(5000);
    const sale = saleTo(agentId, 2000);
    await commit(reserve(sale));
    expect(isAlreadyPosted(await failureOf(commit(reserve(sale))))).toBe(true);
    expect(await balanceOf(walletAccount(agentId))).toBe(3000);
  });

  it('never overdraws a wallet, and takes back the whole transaction', async () => {
    const agentId = await walletOf(1000);
    const [affordable, dear] = [saleTo(agentId, 600), saleTo(agentId, 401)];
    const failure = await failureOf(commit(reserve(affordable), reserve(dear)));
    expect([isOverdrawn(failure), isOverCap(failure), isAlreadyPosted(failure)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await balanceOf(walletAccount(agentId))).toBe(1000);
  });

  it('never fills a wallet above its cap', async () => {
    const agentId = await walletOf(50_000);
    const failure = await failureOf(commit(topUp({ topUpId: ids.uuid(), agentId, amountCents: 1 })));
    expect([isOverCap(failure), isOverdrawn(failure)]).toEqual([true, false]);
  });

  it('refuses legs that do not balance, whoever wrote them', async () => {
    const lopsided: Posting = {
      kind: 'top_up',
      reference: ids.uuid(),
      legs: [
        { account: 'card_clearing', amountCents: -100 },
        { account: walletAccount(ids.uuid()), amountCents: 101 },
      ],
    };
    await expect(commit(lopsided)).rejects.toMatchObject({ constraint: 'guard ledger_balanced' });
    await expect(commit({ ...lopsided, legs: [] })).rejects.toMatchObject({
      constraint: 'guard ledger_balanced',
    });
  });

  it('cannot be undone but by another posting', async () => {
    await walletOf(1000);
    for (const sql of [
      'UPDATE ledger_postings SET created_at = created_at',
      'DELETE FROM ledger_postings',
      'UPDATE ledger_entries SET amount_cents = 1',
      'DELETE FROM ledger_entries',
    ]) {
      await expect(testBindings.DB.prepare(sql).run()).rejects.toThrow('guard ledger_is_append_only');
    }
  });

  it('captures no more than was reserved, refunds no more than is in escrow', async () => {
    const sale = saleTo(await walletOf(5000), 2000);
    await expect(commit(capture(sale))).rejects.toMatchObject({ constraint: 'reserved_not_overdrawn' });
    await expect(commit(refund(sale))).rejects.toMatchObject({ constraint: 'escrow_not_overdrawn' });
  });

  it('100 reservations at once on funds for 3: exactly 3', async () => {
    const agentId = await walletOf(1500);
    const attempts = Array.from({ length: 100 }, () => commit(reserve(saleTo(agentId, 500))));
    const results = await Promise.allSettled(attempts);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.length).toBe(97);
    expect(refused.every(isOverdrawn)).toBe(true);
    expect(await balanceOf(walletAccount(agentId))).toBe(0);
    expect(await sumOfAll()).toEqual({ accounts: 0, entries: 0 });
  });
});

describe('reading', () => {
  it('of several balances is one round trip, and of an unknown account nothing', async () => {
    const [rich, unknown] = [walletAccount(await walletOf(1234)), walletAccount(ids.uuid())];
    market.market.reset();
    expect(await readBalances(market.newPorts().market, [rich, unknown])).toEqual(
      new Map([
        [rich, 1234],
        [unknown, 0],
      ]),
    );
    expect(market.market.count).toBe(1);
  });
});
