import { describe, expect, it } from 'vitest';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import {
  cardCostCents,
  closureOf,
  DEFAULT_SUBSIDIES,
  expenseOfSale,
  renewedAt,
  subsidyLimits,
} from './subsidy.rules.ts';

const NOON = Date.UTC(2026, 11, 31, 12);
const { rates } = scheduleAt(FEE_SCHEDULES, NOON);
const subsidyCents = (price: number) =>
  cardCostCents(DEFAULT_SUBSIDIES, price) - platformFeeCents(rates, price);

describe('what a payment by card costs beyond the fee', () => {
  it.each([
    [50, 31],
    [1999, 93],
  ])('of %i cents is %i: there is no fee', (price, cents) => {
    expect(subsidyCents(price)).toBe(cents);
  });

  it('is nothing from $20 on, and much again where the fee is that of high tickets', () => {
    for (const price of [2000, 2001, 10_000, 4_999_999]) expect(subsidyCents(price)).toBeLessThanOrEqual(0);
    expect(subsidyCents(5_000_000)).toBe(132_530);
  });
});

describe('the budgets', () => {
  const SELLER = { sellerId: 's', payers: [] };
  const expense = { budget: 'card', cents: 100 } as const;

  it('are of the month and of the day so far, in all and of each party', () => {
    expect(subsidyLimits(DEFAULT_SUBSIDIES, expense, SELLER, '2026-12-31T12:00:00.000Z')).toEqual([
      { scope: 'card', time: '2026-12', limitCents: 500_000, period: 'month' },
      { scope: 'card:s', time: '2026-12', limitCents: 30_000, period: 'month' },
      { scope: 'card', time: '2026-12-31', limitCents: 50_000, period: 'day' },
      { scope: 'card:s', time: '2026-12-31', limitCents: 3000, period: 'day' },
    ]);
  });

  it('leave each payer a share of what is borne for one seller, and room for one sale', () => {
    const limitsOf = (cents: number) =>
      subsidyLimits(
        { ...DEFAULT_SUBSIDIES, buyerShareBps: 1999 },
        { budget: 'card', cents },
        { sellerId: 's', payers: ['b', 'instrument:c'] },
        '2026-12-31T12:00:00.000Z',
      ).map(({ scope, time, limitCents }) => [scope, time, limitCents]);
    expect(limitsOf(93)).toEqual([
      ['card', '2026-12', 500_000],
      ['card:s', '2026-12', 30_000],
      ['card:b', '2026-12', 30_000],
      ['card:instrument:c', '2026-12', 30_000],
      ['card:s/b', '2026-12', 5997],
      ['card:s/instrument:c', '2026-12', 5997],
      ['card', '2026-12-31', 50_000],
      ['card:s', '2026-12-31', 3000],
      ['card:b', '2026-12-31', 3000],
      ['card:instrument:c', '2026-12-31', 3000],
      ['card:s/b', '2026-12-31', 599],
      ['card:s/instrument:c', '2026-12-31', 599],
    ]);
    expect(limitsOf(700).at(-1)).toEqual(['card:s/instrument:c', '2026-12-31', 700]);
  });

  it('begin anew at midnight, and with the next month', () => {
    expect(renewedAt('day', NOON)).toBe('2027-01-01T00:00:00.000Z');
    expect(renewedAt('month', Date.UTC(2026, 10, 29, 12))).toBe('2026-12-01T00:00:00.000Z');
    expect(renewedAt('month', Date.UTC(2027, 0, 31, 12))).toBe('2027-02-01T00:00:00.000Z');
  });

  it('close a way to pay to the cent, for as long as the longer of what is spent', () => {
    const limits = subsidyLimits(DEFAULT_SUBSIDIES, expense, SELLER, '2026-12-05T12:00:00.000Z');
    const now = Date.UTC(2026, 11, 5, 12);
    const closed = (spent: Record<string, number>, cents = 100) =>
      closureOf(limits, { budget: 'card', cents }, new Map(Object.entries(spent)), now);
    expect(closed({})).toBeNull();
    expect(closed({ 'card:s 2026-12-05': 2900 })).toBeNull();
    const tomorrow = { reason: 'budget_spent', opensAt: '2026-12-06T00:00:00.000Z' };
    expect(closed({ 'card:s 2026-12-05': 2901 })).toEqual(tomorrow);
    expect(closed({ 'card:s 2026-12-05': 2901, 'card 2026-12': 499_901 })).toEqual({
      ...tomorrow,
      opensAt: '2027-01-01T00:00:00.000Z',
    });
    expect(closed({}, 3001)).toEqual({ reason: 'cost_not_borne', opensAt: null });
  });
});

describe('what a payment on chain costs', () => {
  it('is its settlement and its payout; what the fee covers is no subsidy', () => {
    const expense = (amountCents: number) =>
      expenseOfSale(DEFAULT_SUBSIDIES, {
        rail: 'x402',
        amountCents,
        platformFeeCents: platformFeeCents(rates, amountCents),
      });
    expect(expense(1)).toEqual({ budget: 'usdc', cents: 1 });
    expect(expense(1999)).toEqual({ budget: 'usdc', cents: 6 });
    expect(expense(2000)).toBeNull();
    expect(expense(0)).toBeNull();
  });
});
