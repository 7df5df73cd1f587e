import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageRating, bayesianRating, reputationAt, sellerReputation } from './reputation.rules.ts';

const NEW = { deliveredCount: 0, failedCount: 0, ratingCount: 0, ratingSum: 0, ageDays: 0 };
const seller = fc
  .record({
    deliveredCount: fc.nat(100_000),
    failedCount: fc.nat(100_000),
    ratingCount: fc.nat(10_000),
    mean: fc.double({ min: 1, max: 5, noNaN: true }),
    ageDays: fc.nat(5000),
  })
  .map(({ mean, ...rest }) => ({ ...rest, ratingSum: Math.round(rest.ratingCount * mean) }));

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
        expect(sellerReputation({ ...one, deliveredCount: one.deliveredCount + 1 })).toBeGreaterThanOrEqual(
          before,
        );
        expect(sellerReputation({ ...one, failedCount: one.failedCount + 1 })).toBeLessThanOrEqual(before);
      }),
    );
  });
});

describe('bayesianRating', () => {
  it('is the mean of all for an unrated listing', () => {
    expect(bayesianRating({ count: 0, sum: 0 }, 4.2)).toBe(4.2);
  });

  it('ranks many good ratings above one perfect rating', () => {
    expect(bayesianRating({ count: 50, sum: 240 }, 4)).toBeGreaterThan(
      bayesianRating({ count: 1, sum: 5 }, 4),
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

it('the reputation of a stored seller grows with its age, by the day', () => {
  const registeredAt = '2026-06-01T12:00:00.000Z';
  const { ageDays: _, ...counts } = NEW;
  const at = (days: number) =>
    reputationAt({ ...counts, registeredAt }, Date.parse(registeredAt) + days * 86_400_000);
  expect([at(0), at(36.5), at(73), at(365), at(3650)]).toEqual([43.8, 44.7, 45.8, 53.8, 53.8]);
});
