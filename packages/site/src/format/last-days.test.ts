import { expect, test } from 'vitest';
import { firstDay, lastDays } from './last-days.ts';

const NOW = Date.parse('2026-03-02T00:00:00.000Z');

test('each of the last days is there, today the last, whatever is outside of them', () => {
  const values = [
    { day: '2026-02-26', value: 3 },
    { day: '2026-02-27', value: 5 },
    { day: '2026-03-01', value: null },
  ];
  expect(firstDay({ now: NOW, days: 4 })).toBe('2026-02-27');
  expect(lastDays(values, { now: NOW, days: 4, missing: 0 })).toEqual([
    { day: '2026-02-27', value: 5 },
    { day: '2026-02-28', value: 0 },
    { day: '2026-03-01', value: null },
    { day: '2026-03-02', value: 0 },
  ]);
  expect(lastDays([], { now: NOW - 1, days: 1, missing: null })).toEqual([
    { day: '2026-03-01', value: null },
  ]);
});
