import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capture,
  chargeback,
  type Posting,
  payout,
  refund,
  releaseReserve,
  reserve,
  type Sale,
  topUp,
} from './ledger.rules.ts';

const PAYERS = ['card_clearing', 'wallet:b', 'usdc_clearing'];
const isFromWallet = ({ payerAccount }: Sale) => payerAccount === 'wallet:b';

const anySale: fc.Arbitrary<Sale> = fc
  .record({
    payerAccount: fc.constantFrom(...PAYERS),
    amountCents: fc.integer({ min: 1, max: 1_000_000_000 }),
    feeShare: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ payerAccount, amountCents, feeShare }) => ({
    purchaseId: 'p',
    sellerId: 's',
    payerAccount,
    amountCents,
    platformFeeCents: Math.floor(amountCents * feeShare),
  }));

const sum = ({ legs }: Posting) => legs.reduce((total, { amountCents }) => total + amountCents, 0);

/** Balances after postings, without the accounts that are back at nothing. */
function balancesAfter(postings: readonly Posting[]): Record<string, number> {
  const balances: Record<string, number> = {};
  for (const { account, amountCents } of postings.flatMap(({ legs }) => legs)) {
    balances[account] = (balances[account] ?? 0) + amountCents;
  }
  return Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0));
}

const steps = (sale: Sale): Posting[] => [
  topUp({ topUpId: 't', agentId: 'b', amountCents: sale.amountCents }),
  ...(isFromWallet(sale) ? [reserve(sale), releaseReserve(sale)] : []),
  capture(sale),
  refund(sale),
  payout(sale),
];

describe('the legs of every posting', () => {
  it('sum to zero, are whole, are none of them zero, and name each account once', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        for (const posting of steps(sale)) {
          expect(sum(posting)).toBe(0);
          expect(posting.legs.every(({ amountCents }) => Number.isSafeInteger(amountCents))).toBe(true);
          expect(posting.legs.every(({ amountCents }) => amountCents !== 0)).toBe(true);
          expect(new Set(posting.legs.map(({ account }) => account)).size).toBe(posting.legs.length);
        }
      }),
    );
  });

  it('undo each other: what was reserved and released, captured and refunded, leaves nothing', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        expect(balancesAfter([capture(sale), refund(sale)])).toEqual(
          isFromWallet(sale) ? { 'reserved:p': -sale.amountCents, 'wallet:b': sale.amountCents } : {},
        );
        if (!isFromWallet(sale)) return;
        expect(balancesAfter([reserve(sale), releaseReserve(sale)])).toEqual({});
        expect(balancesAfter([reserve(sale), capture(sale), refund(sale)])).toEqual({});
      }),
    );
  });

  it('leave exactly the fee with the platform once the seller was paid', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const end = balancesAfter([capture(sale), payout(sale)]);
        expect(end.fees ?? 0).toBe(sale.platformFeeCents);
        expect(end.payouts ?? 0).toBe(sale.amountCents - sale.platformFeeCents);
        expect(end['escrow:s']).toBeUndefined();
      }),
    );
  });
});

describe('accounts', () => {
  const sale: Sale = {
    purchaseId: 'p',
    sellerId: 's',
    payerAccount: 'wallet:b',
    amountCents: 2000,
    platformFeeCents: 100,
  };
  const legs = ({ legs }: Posting) => Object.fromEntries(legs.map((leg) => [leg.account, leg.amountCents]));

  it('are those of the table of ADR 0010', () => {
    expect(legs(topUp({ topUpId: 't', agentId: 'b', amountCents: 1000 }))).toEqual({
      card_clearing: -1000,
      'wallet:b': 1000,
    });
    expect(legs(reserve(sale))).toEqual({ 'wallet:b': -2000, 'reserved:p': 2000 });
    expect(legs(releaseReserve(sale))).toEqual({ 'reserved:p': -2000, 'wallet:b': 2000 });
    expect(legs(capture(sale))).toEqual({ 'reserved:p': -2000, 'escrow:s': 1900, fees: 100 });
    expect(legs(capture({ ...sale, payerAccount: 'card_clearing' }))).toEqual({
      card_clearing: -2000,
      'escrow:s': 1900,
      fees: 100,
    });
    expect(legs(capture({ ...sale, payerAccount: 'usdc_clearing' })).usdc_clearing).toBe(-2000);
    expect(legs(refund(sale))).toEqual({ 'escrow:s': -1900, fees: -100, 'wallet:b': 2000 });
    expect(legs(refund({ ...sale, payerAccount: 'card_clearing' })).card_clearing).toBe(2000);
    expect(legs(payout(sale))).toEqual({ 'escrow:s': -1900, payouts: 1900 });
  });

  it('of a chargeback are those that bear it, and a sale that is taken back bears all', () => {
    const taken = chargeback({ reference: 'p:d:1', withdrawnCents: 2000, wallet: null });
    expect(taken && legs(taken)).toEqual({ card_clearing: 2000, chargebacks: -2000 });
    const wallet = { agentId: 'b', coveredCents: 700 };
    const borne = chargeback({ reference: 't:d:1', withdrawnCents: 2000, wallet });
    expect(borne && legs(borne)).toEqual({ card_clearing: 2000, chargebacks: -1300, 'wallet:b': -700 });
    const back = { agentId: 'b', coveredCents: -700 };
    const returned = chargeback({ reference: 't:d:2', withdrawnCents: -2000, wallet: back });
    expect(returned && legs(returned)).toEqual({ card_clearing: -2000, chargebacks: 1300, 'wallet:b': 700 });
    expect(chargeback({ reference: 't:d:3', withdrawnCents: 0, wallet: null })).toBeNull();
    const card = { ...sale, payerAccount: 'card_clearing' };
    if (taken === null) throw new Error('Nothing moved.');
    expect(balancesAfter([capture(card), taken, refund(card, 'chargebacks')])).toEqual({});
    expect(balancesAfter([capture(card), taken, payout(card)])).toEqual({
      chargebacks: -2000,
      fees: 100,
      payouts: 1900,
    });
  });
});
