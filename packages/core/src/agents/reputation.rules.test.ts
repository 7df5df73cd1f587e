import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  averageRating,
  bayesianRating,
  refusedShare,
  reputationAt,
  sellerReputation,
} from './reputation.rules.ts';

const NEW = { deliveredWeight: 0, failedWeight: 0, ratedWeight: 0, starsWeight: 0, ageDays: 0 };
const seller = fc
  .record({
    deliveredWeight: fc.nat(100_000_000),
    failedWeight: fc.nat(100_000_000),
    ratedWeight: fc.nat(10_000_000),
    mean: fc.double({ min: 1, max: 5, noNaN: true }),
    ageDays: fc.nat(5000),
  })
  .map(({ mean, ...rest }) => ({ ...rest, starsWeight: Math.round(rest.ratedWeight * mean) }));

describe('sellerReputation', () => {
  it('starts in the middle', () => {
    // 50 × 2/4 + 30 × 2.5/4
    expect(sellerReputation(NEW)).toBe(43.8);
  });

  it('stays within 0 and 100, with one decimal', () => {
    fc.assert(
      fc.property(seller, (one) => {
        const score = sellerReputation(one);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(Math.round(score * 10) / 10).toBe(score);
      }),
    );
  });

  it('never falls with a delivery and never rises with a failure', () => {
    fc.assert(
      fc.property(seller, (one) => {
        const before = sellerReputation(one);
        expect(
          sellerReputation({ ...one, deliveredWeight: one.deliveredWeight + 100 }),
        ).toBeGreaterThanOrEqual(before);
        expect(sellerReputation({ ...one, failedWeight: one.failedWeight + 100 })).toBeLessThanOrEqual(
          before,
        );
      }),
    );
  });
});

describe('bayesianRating', () => {
  it('is the mean of all for an unrated listing', () => {
    expect(bayesianRating({ ratedWeight: 0, starsWeight: 0 }, 4.2)).toBe(4.2);
  });

  it('ranks many good ratings above one perfect rating', () => {
    expect(bayesianRating({ ratedWeight: 50_000, starsWeight: 240_000 }, 4)).toBeGreaterThan(
      bayesianRating({ ratedWeight: 1000, starsWeight: 5000 }, 4),
    );
  });
});

describe('averageRating', () => {
  it.each([
    [0, 0, 0],
    [3, 10, 3.33],
    [2, 9, 4.5],
  ])('of %i ratings with the sum %i is %d', (count, sum, average) => {
    expect(averageRating({ count, sum })).toBe(average);
  });
});

it.each([
  [0, 0, 0, 0],
  [9, 0, 1, 0.1],
  [1, 1, 1, 0.33],
  [0, 0, 4, 1],
])(
  'delivered on %i days, failed on %i and refused on %i: a share of %d',
  (delivered, failed, refused, share) => {
    expect(refusedShare({ deliveredDays: delivered, failedCount: failed, refusedDays: refused })).toBe(share);
  },
);

it('the reputation of a stored seller grows with its age, by the day', () => {
  const registeredAt = '2026-06-01T12:00:00.000Z';
  const { ageDays: _, ...counts } = NEW;
  const at = (days: number) =>
    reputationAt({ ...counts, registeredAt }, Date.parse(registeredAt) + days * 86_400_000);
  expect([at(0), at(36.5), at(73), at(365), at(3650)]).toEqual([43.8, 44.7, 45.8, 53.8, 53.8]);
});
