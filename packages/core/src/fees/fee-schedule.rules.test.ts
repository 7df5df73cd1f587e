import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import {
  type FeeSchedule,
  feeBand,
  feeOfSliceCents,
  platformFeeCents,
  requireFairHistory,
  scheduleAt,
} from './fee-schedule.rules.ts';
import { CHANGE_TERMS, FEE_SCHEDULES } from './fee-schedules.ts';

const [first] = FEE_SCHEDULES as [FeeSchedule];
const { rates } = first;

/** The schedule's table in whole numbers of any size, apart from the code under test. */
function oracle(price: bigint): bigint {
  if (price < 2000n) return 0n;
  if (price < 5_000_000n) return (price * 500n) / 10_000n;
  const fee = (price * 50n) / 10_000n;
  return fee < 24_900n ? 24_900n : fee > 499_500n ? 499_500n : fee;
}

describe('platformFeeCents', () => {
  clause('fees.micro', 'fees.cap', 'fees.rounding');
  it.each([
    [0, 0],
    [1999, 0],
    [2000, 100],
    [2001, 100],
    [2019, 100],
    [2020, 101],
    [4_999_999, 249_999],
    // Half a percent of the band's start is above the floor already.
    [5_000_000, 25_000],
    [99_900_000, 499_500],
    [99_900_200, 499_500],
    [1_000_000_000, 499_500],
  ])('of %i is %i', (price, fee) => {
    expect(platformFeeCents(rates, price)).toBe(fee);
  });

  clause('fees.high-ticket');
  it('equals the oracle at every price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (price) => {
        expect(BigInt(platformFeeCents(rates, price))).toBe(oracle(BigInt(price)));
      }),
      { numRuns: 2000 },
    );
  });

  clause('fees.floor');
  it('applies the floor where the high-ticket rate gives less', () => {
    const lower = { ...rates, highTicketAtCents: 100_000 };
    expect([
      platformFeeCents(lower, 100_000),
      platformFeeCents(lower, 4_980_000),
      platformFeeCents(lower, 4_980_200),
    ]).toEqual([24_900, 24_900, 24_901]);
  });

  it('names the band', () => {
    expect([0, 1999, 2000, 4_999_999, 5_000_000].map((price) => feeBand(rates, price))).toEqual([
      'micro',
      'micro',
      'standard',
      'standard',
      'high_ticket',
    ]);
  });
});

describe('feeOfSliceCents', () => {
  /** The fees of slices, one after the other. */
  const feesOf = (slices: readonly number[]) =>
    slices.reduce(
      (earlier, amountCents) => ({
        amountCents: earlier.amountCents + amountCents,
        feeCents: earlier.feeCents + feeOfSliceCents(rates, amountCents, earlier),
      }),
      { amountCents: 0, feeCents: 0 },
    );

  it('is that of the whole, in a thousand slices', () => {
    expect(feesOf(Array.from({ length: 1000 }, () => 50))).toEqual({ amountCents: 50_000, feeCents: 2500 });
  });

  it('of slices below the high-ticket band comes to that of the whole, but for what the last ones are too small to bear', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 90 }),
        (slices) => {
          const { amountCents, feeCents } = feesOf(slices);
          const whole = platformFeeCents(rates, amountCents);
          expect(feeCents).toBeLessThanOrEqual(whole);
          // One more that can bear it makes it up.
          const last = feeOfSliceCents(rates, 10_000, { amountCents, feeCents });
          expect(feeCents + last).toBe(platformFeeCents(rates, amountCents + 10_000));
        },
      ),
    );
  });

  it('is never negative, nor more than the slice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6_000_000 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 6_000_000 }),
        (slices, amountCents) => {
          const fee = feeOfSliceCents(rates, amountCents, feesOf(slices));
          expect(fee).toBeGreaterThanOrEqual(0);
          expect(fee).toBeLessThanOrEqual(amountCents);
        },
      ),
    );
  });
});

describe('the history of schedules', () => {
  const change = (announcedAt: string, effectiveAt: string, version = 2): FeeSchedule => ({
    version,
    announcedAt,
    effectiveAt,
    rates,
  });

  it('is fair as it stands', () => {
    expect(() => requireFairHistory(FEE_SCHEDULES, CHANGE_TERMS)).not.toThrow();
  });

  clause('fees.lock', 'limits.fee-notice', 'versioning.change');
  it.each([
    ['before the lock date', change('2027-01-01T00:00:00.000Z', '2027-06-29T23:59:59.999Z'), /locked/],
    ['with 59 days of notice', change('2027-06-01T00:00:00.000Z', '2027-07-30T00:00:00.000Z'), /notice/],
    [
      'with a gap in the versions',
      change('2027-01-01T00:00:00.000Z', '2027-07-01T00:00:00.000Z', 3),
      /number 2/,
    ],
  ])('refuses a change %s', (_, schedule, message) => {
    expect(() => requireFairHistory([first, schedule], CHANGE_TERMS)).toThrow(message);
  });

  clause('fees.closing-rate', 'versioning.closing-rate');
  it('takes a change that keeps the promise, from its day on', () => {
    const later = change('2027-05-01T00:00:00.000Z', '2027-07-01T00:00:00.000Z');
    requireFairHistory([first, later], CHANGE_TERMS);
    const at = (time: string) => scheduleAt([first, later], Date.parse(time)).version;
    expect([at('2027-06-30T23:59:59.999Z'), at('2027-07-01T00:00:00.000Z')]).toEqual([1, 2]);
  });
});
