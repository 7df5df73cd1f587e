import { describe, expect, it } from 'vitest';
import { DAY_MS, epochOf, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts';
import { MAX_TRIES, nextTries } from './retries.rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const waits = nextTries(NOW).map((time) => epochOf(time) - NOW);

describe('the tries of an event', () => {
  it('are eight, each wait longer than the one before', () => {
    expect(waits).toHaveLength(MAX_TRIES);
    const between = waits.slice(0, -1);
    for (const [index, wait] of between.entries()) expect(wait).toBeGreaterThan(between[index - 1] ?? 0);
  });

  it('take about a day, the first of it often', () => {
    const total = waits.slice(0, -1).reduce((sum, wait) => sum + wait, 0);
    expect(Math.abs(total - DAY_MS)).toBeLessThan(HOUR_MS);
    expect(waits[0]).toBeLessThan(2 * MINUTE_MS);
  });

  it('never fall due while one may still be under way', () => {
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(MINUTE_MS);
  });
});
