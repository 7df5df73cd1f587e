import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, epochOf, HOUR_MS, isoTime } from '../kernel/time.ts';
import {
  endOf,
  isSettled,
  monthAfter,
  monthBefore,
  monthOf,
  monthsBack,
  settledMonths,
} from './period.rules.ts';

const times = fc.date({
  min: new Date('2000-01-01'),
  max: new Date('2399-12-31'),
  noInvalidDate: true,
});

describe('months', () => {
  it('follow each other across years', () => {
    expect([monthAfter('2026-12'), monthBefore('2026-01'), monthAfter('2026-08')]).toEqual([
      '2027-01',
      '2025-12',
      '2026-09',
    ]);
  });

  it('hold each moment in one of them', () => {
    fc.assert(
      fc.property(times, (time) => {
        const month = monthOf(time.toISOString());
        expect(time.toISOString() < endOf(month)).toBe(true);
        expect(time.toISOString() >= endOf(monthBefore(month))).toBe(true);
        expect(monthBefore(monthAfter(month))).toBe(month);
      }),
    );
  });

  it('are settled an hour after their end', () => {
    const end = epochOf(endOf('2026-11'));
    expect([isSettled('2026-11', end + HOUR_MS - 1), isSettled('2026-11', end + HOUR_MS)]).toEqual([
      false,
      true,
    ]);
    expect(settledMonths('2026-09', end + HOUR_MS, 12)).toEqual(['2026-09', '2026-10', '2026-11']);
    expect(settledMonths('2026-09', end + HOUR_MS, 2)).toEqual(['2026-09', '2026-10']);
    expect(settledMonths('2026-12', end + DAY_MS, 12)).toEqual([]);
    expect(monthsBack('2026-11', epochOf(isoTime(end)))).toEqual(['2026-12', '2026-11']);
  });
});
