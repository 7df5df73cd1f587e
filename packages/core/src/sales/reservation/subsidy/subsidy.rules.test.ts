import { describe, expect, it } from 'vitest';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../../../fees/index.ts';
import { cardCostCents, DEFAULT_SUBSIDIES, secondsUntilRenewed, subsidyLimits } from './subsidy.rules.ts';

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
  it('are of the day and of the month so far, in all and of each party', () => {
    expect(subsidyLimits(DEFAULT_SUBSIDIES, 'card', ['s'], '2026-12-31T12:00:00.000Z')).toEqual([
      { scope: 'card', since: '2026-12-31', limitCents: 50_000, period: 'day' },
      { scope: 'card', since: '2026-12-01', limitCents: 500_000, period: 'month' },
      { scope: 'card:s', since: '2026-12-31', limitCents: 3000, period: 'day' },
      { scope: 'card:s', since: '2026-12-01', limitCents: 30_000, period: 'month' },
    ]);
  });

  it('begin anew at midnight, and with the next month', () => {
    expect(secondsUntilRenewed('day', NOON)).toBe(12 * 3600);
    expect(secondsUntilRenewed('month', Date.UTC(2026, 10, 29, 12))).toBe(36 * 3600);
  });
});
