import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, epochOf, HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { copyHeldUntil, nextHoldAt } from './copy-holds.rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const lapsed = (ageMs: number) => ({ heldUntil: isoTime(NOW - ageMs), isLapsed: true });
const open = (leftMs: number) => ({ heldUntil: isoTime(NOW + leftMs), isLapsed: false });

describe('a copy that is held', () => {
  it('is held for half an hour, and no longer than it can be captured', () => {
    expect(epochOf(copyHeldUntil(isoTime(NOW + DAY_MS), NOW))).toBe(NOW + 30 * MINUTE_MS);
    expect(epochOf(copyHeldUntil(isoTime(NOW + MINUTE_MS), NOW))).toBe(NOW + MINUTE_MS);
  });

  it('is refused for a day after the second that lapsed', () => {
    expect(nextHoldAt([], NOW)).toBeNull();
    expect(nextHoldAt([lapsed(HOUR_MS)], NOW)).toBeNull();
    expect(nextHoldAt([lapsed(HOUR_MS), lapsed(5 * HOUR_MS)], NOW)).toBe(isoTime(NOW + 23 * HOUR_MS));
    expect(nextHoldAt([lapsed(HOUR_MS), lapsed(26 * HOUR_MS)], NOW)).toBeNull();
    expect(nextHoldAt([lapsed(DAY_MS), lapsed(DAY_MS + HOUR_MS)], NOW)).toBeNull();
  });

  it('waits for those that are open', () => {
    expect(nextHoldAt([open(MINUTE_MS)], NOW)).toBeNull();
    expect(nextHoldAt([open(5 * MINUTE_MS), open(MINUTE_MS)], NOW)).toBe(isoTime(NOW + MINUTE_MS));
    expect(nextHoldAt([open(MINUTE_MS), lapsed(HOUR_MS)], NOW)).toBe(isoTime(NOW + MINUTE_MS));
  });

  it('is never had by who let two lapse and waited less than a day', () => {
    const age = fc.integer({ min: 0, max: DAY_MS - 1 });
    fc.assert(
      fc.property(age, age, (one, other) => {
        const at = nextHoldAt([lapsed(one), lapsed(other)], NOW);
        expect(at).toBe(isoTime(NOW - Math.min(one, other) + DAY_MS));
      }),
    );
  });
});
