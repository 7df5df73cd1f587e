import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addHistograms,
  bucketLimitMs,
  LAST_BUCKET,
  latencyBucket,
  percentileMs,
} from './latency-histogram.rules.ts';
import { measureOf, type QualityDay, uptimeOf, wilsonLowerBound } from './measure.rules.ts';

describe('the Wilson lower bound', () => {
  // Computed apart: (p + z²/2n - z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96.
  it.each([
    [0, 0, 0],
    [5, 5, 0.5655],
    [1, 10, 0.0179],
    [90, 100, 0.8256],
    [1000, 1000, 0.9962],
  ])('of %i in %i is %f', (successes, trials, bound) => {
    expect(wilsonLowerBound(successes, trials)).toBeCloseTo(bound, 4);
  });

  it('lies below the plain share, and rises with successes and with the number of trials', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), fc.integer({ min: 2, max: 9 }), (successes, failures, times) => {
        fc.pre(successes + failures > 0);
        const trials = successes + failures;
        const bound = wilsonLowerBound(successes, trials);
        expect(bound).toBeGreaterThanOrEqual(0);
        expect(bound).toBeLessThanOrEqual(successes / trials);
        expect(wilsonLowerBound(successes + 1, trials + 1)).toBeGreaterThan(bound);
        expect(wilsonLowerBound(successes, trials + 1)).toBeLessThanOrEqual(bound);
        expect(wilsonLowerBound(successes * times, trials * times)).toBeGreaterThanOrEqual(bound);
      }),
    );
  });
});

describe('latencies', () => {
  const latency = fc.integer({ min: 0, max: 30_000 });
  const histogramOf = (latencies: readonly number[]) =>
    addHistograms(latencies.map((ms) => ({ [latencyBucket(ms)]: 1 })));

  it('are in the first bucket that holds them; the last holds all that is longer', () => {
    fc.assert(
      fc.property(latency, (ms) => {
        const bucket = latencyBucket(ms);
        expect(bucketLimitMs(bucket)).toBeGreaterThanOrEqual(ms);
        if (bucket > 0) expect(bucketLimitMs(bucket - 1)).toBeLessThan(ms);
      }),
    );
    expect(latencyBucket(10 ** 9)).toBe(LAST_BUCKET);
  });

  it('have percentiles that are never below the true ones, and at most 19% and a millisecond above', () => {
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1 }), fc.constantFrom(0.5, 0.95), (latencies, share) => {
        const sorted = [...latencies].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? 0;
        const found = percentileMs(histogramOf(latencies), share) ?? -1;
        expect(found).toBeGreaterThanOrEqual(exact);
        expect(found).toBeLessThanOrEqual(Math.max(1, exact) * 2 ** 0.25 + 1);
      }),
    );
    expect(percentileMs({}, 0.5)).toBeNull();
  });

  it('are as many together as they were apart', () => {
    const parts = fc.array(fc.array(latency), { maxLength: 5 });
    fc.assert(
      fc.property(parts, (all) => {
        expect(addHistograms(all.map(histogramOf))).toEqual(histogramOf(all.flat()));
      }),
    );
  });
});

describe('a measure', () => {
  const day = (fields: Partial<QualityDay>): QualityDay => ({
    day: '2026-06-01',
    attempts: 0,
    delivered: 0,
    unavailable: 0,
    timedOut: 0,
    failed: 0,
    invalid: 0,
    declined: 0,
    schemaChecked: 0,
    schemaValid: 0,
    latency: {},
    upHours: 0,
    downHours: 0,
    ...fields,
  });

  it('needs five attempts, of whatever days', () => {
    const two = day({ attempts: 2, delivered: 2 });
    expect(measureOf([two, two], [])).toBeNull();
    expect(measureOf([two, two, day({ attempts: 1, failed: 1 })], [])).toMatchObject({ samples: 5 });
  });

  it('leaves declined queries out of the success, and says how many they were', () => {
    const served = day({ attempts: 40, delivered: 40 });
    const measured = measureOf([served, day({ attempts: 60, declined: 60 })], []);
    expect(measured).toMatchObject({ successRate: 0.912, declinedRate: 0.6, samples: 100 });
    expect(measureOf([day({ attempts: 5, declined: 5 })], [])?.successRate).toBeNull();
  });

  it('has the uptime of the hours in which anybody asked, probes included; one answer makes an hour up', () => {
    const hours = (upHours: number, downHours: number, on = '2026-06-01') => ({
      day: on,
      upHours,
      downHours,
    });
    expect(uptimeOf([])).toBeNull();
    expect(uptimeOf([hours(0b011, 0b110)])).toBe(0.666);
    expect(uptimeOf([hours(0b001, 0b110), hours(0b110, 0)])).toBe(1);
    expect(uptimeOf([hours(0b1, 0), hours(0, 0b1, '2026-06-02')])).toBe(0.5);
    expect(uptimeOf([hours(2 ** 23, 0)])).toBe(1);
  });
});
