import { expect, test } from 'vitest';
import { everyDay } from './every-day.ts';

const SHOWN = { least: 3, missing: 0 };

test('days between the first and the last are there, and a few before where there are few', () => {
  expect(
    everyDay(
      [
        { day: '2026-02-27', value: 5 },
        { day: '2026-03-02', value: 7 },
      ],
      SHOWN,
    ),
  ).toEqual([
    { day: '2026-02-27', value: 5 },
    { day: '2026-02-28', value: 0 },
    { day: '2026-03-01', value: 0 },
    { day: '2026-03-02', value: 7 },
  ]);
  expect(everyDay([{ day: '2026-01-01', value: 1 }], { least: 3, missing: null })).toEqual([
    { day: '2025-12-30', value: null },
    { day: '2025-12-31', value: null },
    { day: '2026-01-01', value: 1 },
  ]);
});

test('no day is added to none, or within a time that is too long', () => {
  expect(everyDay([], SHOWN)).toEqual([]);
  const days = [
    { day: '2025-01-01', value: 1 },
    { day: '2026-01-01', value: 2 },
  ];
  expect(everyDay(days, SHOWN)).toEqual(days);
});
