import { expect, it } from 'vitest';
import { meetingPlanner } from './meeting-planner.ts';

const LISBON = { zone: 'Europe/Lisbon' };
const NEW_YORK = { zone: 'America/New_York' };

interface Window {
  readonly startUtc: string;
  readonly endUtc: string;
  readonly minutes: number;
  readonly local: readonly unknown[];
}

function plan(date: string, participants: readonly object[], more = {}) {
  const query = { date, participants: participants as never, ...more };
  return meetingPlanner.answer(query, 0) as unknown as { totalMinutes: number; windows: Window[] } | null;
}
const hoursOf = (date: string, participants: readonly object[], more = {}) =>
  plan(date, participants, more)?.windows.map(
    ({ startUtc, endUtc }) => `${startUtc.slice(11, 16)}-${endUtc.slice(11, 16)}`,
  );

it('finds the hours that all are at work', () => {
  expect(plan('2026-07-01', [LISBON, NEW_YORK])).toEqual({
    date: '2026-07-01',
    totalMinutes: 180,
    windows: [
      {
        startUtc: '2026-07-01T13:00:00.000Z',
        endUtc: '2026-07-01T16:00:00.000Z',
        minutes: 180,
        local: [
          { zone: 'Europe/Lisbon', start: '2026-07-01T14:00:00+01:00', end: '2026-07-01T17:00:00+01:00' },
          { zone: 'America/New_York', start: '2026-07-01T09:00:00-04:00', end: '2026-07-01T12:00:00-04:00' },
        ],
      },
    ],
  });
});

it.each([
  // The United States change their clocks two to three weeks before Europe.
  ['in the weeks between two clock changes', '2026-03-16', [LISBON, NEW_YORK], {}, ['13:00-17:00']],
  ['with other hours', '2026-07-01', [LISBON, { ...NEW_YORK, from: 6.5, to: 10 }], {}, ['10:30-14:00']],
  ['past midnight', '2026-07-01', [{ zone: 'Etc/UTC', from: 22, to: 6 }], {}, ['00:00-06:00', '22:00-00:00']],
  ['in zones of odd offsets', '2026-07-01', [{ zone: 'Asia/Kathmandu' }], {}, ['03:15-11:15']],
  [
    'when it is not yet the day there',
    '2026-07-01',
    [{ zone: 'Pacific/Auckland' }],
    {},
    ['00:00-05:00', '21:00-00:00'],
  ],
  ['nowhere, if nobody overlaps', '2026-07-01', [LISBON, { zone: 'Pacific/Auckland' }], {}, []],
  ['not on a Saturday', '2026-07-04', [LISBON], {}, []],
  ['on a Saturday if wanted', '2026-07-04', [LISBON], { weekends: true }, ['08:00-16:00']],
  ['not if too short', '2026-07-01', [LISBON, NEW_YORK], { minimumMinutes: 240 }, []],
])('finds them %s', (_, date, participants, more, hours) => {
  expect(hoursOf(date, participants, more)).toEqual(hours);
});

it.each([
  ['an unknown zone', '2026-07-01', [{ zone: 'Mars/Olympus' }]],
  ['no zone', '2026-07-01', [{}]],
  ['nobody', '2026-07-01', []],
  ['too many', '2026-07-01', Array(21).fill(LISBON)],
  ['no date', 'soon', [LISBON]],
  ['a far date', '1900-01-01', [LISBON]],
])('has nothing to deliver for %s', (_, date, participants) => {
  expect(plan(date, participants)).toBeNull();
});
