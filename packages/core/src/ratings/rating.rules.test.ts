import { describe, expect, it } from 'vitest';
import { FEE_SCHEDULES } from '../fees/index.ts';
import { amountBand, averageOf, wasPaid } from './rating.rules.ts';

describe('a purchase may be rated', () => {
  it.each([
    ['held', 1, true],
    ['releasing', 1, true],
    ['released', 1, true],
    ['released', 0, false],
    ['pending_payment', 1, false],
    ['authorized', 1, false],
    ['refunded', 1, false],
    ['expired', 1, false],
    ['failed', 1, false],
  ])('%s at %i cents: %s', (status, amountCents, expected) => {
    expect(wasPaid({ status, amountCents })).toBe(expected);
  });
});

it.each([
  [1, 'micro'],
  [1999, 'micro'],
  [2000, 'standard'],
  [4_999_999, 'standard'],
  [5_000_000, 'high_ticket'],
])('a sale of %i cents is in the band %s', (amountCents, band) => {
  expect(amountBand(FEE_SCHEDULES, 1, amountCents)).toBe(band);
});

it('a schedule that never was is a fault of ours', () => {
  expect(() => amountBand(FEE_SCHEDULES, 99, 1)).toThrow(/99/);
});

it('the average is to one hundredth, 0 of none', () => {
  expect([averageOf({ count: 0, sum: 0 }), averageOf({ count: 3, sum: 14 })]).toEqual([0, 4.67]);
});
