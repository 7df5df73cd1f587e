import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, epochOf, HOUR_MS, isoTime } from '../kernel/time.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { windowsAt } from './windows.rules.ts';

const at = (time: string) => windowsAt(Date.parse(time)).map(({ startsOn, endsAt }) => [startsOn, endsAt]);

describe('the windows in which a purchase counts', () => {
  it.each([
    // A Monday, and the last moment of the Sunday before it.
    [
      '2026-06-01T00:00:00.000Z',
      '2026-06-01',
      '2026-06-02',
      '2026-06-01',
      '2026-06-08',
      '2026-06-01',
      '2026-07-01',
    ],
    [
      '2026-05-31T23:59:59.999Z',
      '2026-05-31',
      '2026-06-01',
      '2026-05-25',
      '2026-06-01',
      '2026-05-01',
      '2026-06-01',
    ],
    // Both days on which clocks are put forward and back in Europe: they have 24 hours here.
    [
      '2026-03-29T01:30:00.000Z',
      '2026-03-29',
      '2026-03-30',
      '2026-03-23',
      '2026-03-30',
      '2026-03-01',
      '2026-04-01',
    ],
    [
      '2026-10-25T00:59:59.999Z',
      '2026-10-25',
      '2026-10-26',
      '2026-10-19',
      '2026-10-26',
      '2026-10-01',
      '2026-11-01',
    ],
    // A leap day, and weeks that span two years.
    [
      '2028-02-29T12:00:00.000Z',
      '2028-02-29',
      '2028-03-01',
      '2028-02-28',
      '2028-03-06',
      '2028-02-01',
      '2028-03-01',
    ],
    [
      '2027-01-01T00:00:00.000Z',
      '2027-01-01',
      '2027-01-02',
      '2026-12-28',
      '2027-01-04',
      '2027-01-01',
      '2027-02-01',
    ],
    [
      '2026-12-31T23:59:59.999Z',
      '2026-12-31',
      '2027-01-01',
      '2026-12-28',
      '2027-01-04',
      '2026-12-01',
      '2027-01-01',
    ],
  ])('%s', (time, ...days) => {
    const midnight = (date: string | undefined) => `${date}T00:00:00.000Z`;
    const [day, dayEnd, week, weekEnd, month, monthEnd] = days;
    expect(at(time)).toEqual([
      [day, midnight(dayEnd)],
      [week, midnight(weekEnd)],
      [month, midnight(monthEnd)],
      ['', null],
    ]);
  });

  const moments = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2100-01-01') });

  it('contain their moment, begin on a first day, and follow one another without a gap', () => {
    fc.assert(
      fc.property(moments, (now) => {
        for (const { period, startsOn, endsAt } of windowsAt(now)) {
          if (period === 'total' || endsAt === null) continue;
          const [start, end] = [Date.parse(startsOn), epochOf(endsAt)];
          expect(start <= now && now < end).toBe(true);
          const next = windowsAt(end).find((window) => window.period === period);
          expect(next?.startsOn).toBe(endsAt.slice(0, 10));
          if (period === 'day') expect(end - start).toBe(24 * HOUR_MS);
          if (period === 'week') expect([end - start, new Date(start).getUTCDay()]).toEqual([7 * DAY_MS, 1]);
          if (period === 'month') expect(new Date(start).getUTCDate()).toBe(1);
        }
      }),
    );
  });

  it('are those in which the database counts', async () => {
    const times = fc.sample(moments, 200).map(isoTime);
    const { results } = await testBindings.DB.prepare(
      `SELECT value AS time, date(value) AS day, date(value, 'weekday 0', '-6 days') AS week,
        date(value, 'start of month') AS month FROM json_each(?)`,
    )
      .bind(JSON.stringify(times))
      .all<{ time: string; day: string; week: string; month: string }>();
    expect(results).toHaveLength(times.length);
    for (const { time, day, week, month } of results) {
      const startsOn = windowsAt(Date.parse(time)).map((window) => window.startsOn);
      expect(startsOn, time).toEqual([day, week, month, '']);
    }
  });
});
