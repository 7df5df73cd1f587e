import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isCovered, type Product } from './product.ts';
import { readClock } from './zone-clock.ts';

/** Every current UTC offset is a multiple of it. */
const SLOT_MINUTES = 15;
const SLOT_MS = SLOT_MINUTES * 60_000;
const SLOTS_PER_DAY = (24 * 60) / SLOT_MINUTES;
const MAX_PARTICIPANTS = 20;

/** Finds times at which people in several zones are all at work. */
export const meetingPlanner: Product = {
  key: 'meeting-planner',
  listing: {
    title: 'Meeting planner: when the working hours of several time zones overlap',
    description:
      'Name a day and who takes part: an IANA time zone each, and working hours if not 9 to 17. You get every ' +
      'stretch of that day, in UTC and in the local time of each, in which all of them are at work. Weekends are ' +
      'left out unless you want them; hours past midnight (from 22 to 6) are understood. Computed for each request, ' +
      'with the clock changes of that very day.',
    preview: {
      sample: 'Europe/Lisbon and America/New_York on 2026-07-01: 13:00 to 16:00 UTC',
      maxParticipants: MAX_PARTICIPANTS,
      resolutionMinutes: SLOT_MINUTES,
    },
    priceCents: 0,
    consent: true,
    vertical: 'reference-data',
    contextTags: ['time zones', 'meetings', 'working hours', 'scheduling'],
    inputSchema: {
      type: 'object',
      properties: {
        date: { type: 'string', format: 'date', description: 'The day in UTC.' },
        participants: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_PARTICIPANTS,
          items: {
            type: 'object',
            properties: {
              zone: { type: 'string', maxLength: 64, description: 'IANA name.' },
              from: { type: 'number', minimum: 0, maximum: 24, description: 'Local hour; 9 if left out.' },
              to: { type: 'number', minimum: 0, maximum: 24, description: 'Local hour; 17 if left out.' },
            },
            required: ['zone'],
            additionalProperties: false,
          },
        },
        minimumMinutes: { type: 'integer', minimum: SLOT_MINUTES, maximum: 1440, default: 30 },
        weekends: { type: 'boolean', default: false },
      },
      required: ['date', 'participants'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        date: { type: 'string' },
        totalMinutes: { type: 'integer' },
        windows: { type: 'array', items: { type: 'object' } },
      },
      required: ['date', 'totalMinutes', 'windows'],
    },
    exampleQuery: {
      date: '2026-07-01',
      participants: [{ zone: 'Europe/Lisbon' }, { zone: 'America/New_York', from: 8, to: 16 }],
    },
  },

  answer(query) {
    const midnight = typeof query.date === 'string' ? Date.parse(`${query.date}T00:00:00Z`) : Number.NaN;
    if (Number.isNaN(midnight) || !isCovered(midnight)) return null;
    const participants = readParticipants(query.participants, midnight);
    if (participants === null) return null;
    const minimum = typeof query.minimumMinutes === 'number' ? query.minimumMinutes : 30;
    const isFree = (ms: number) => participants.every((one) => isAtWork(one, ms, query.weekends === true));
    const windows = freeWindows(midnight, isFree)
      .map(({ start, end }) => describe(start, end, participants))
      .filter(({ minutes }) => minutes >= minimum);
    const totalMinutes = windows.reduce((sum, { minutes }) => sum + minutes, 0);
    return { date: new Date(midnight).toISOString().slice(0, 10), totalMinutes, windows };
  },
};

interface Participant {
  readonly zone: string;
  /** Minutes of the local day. */
  readonly from: number;
  readonly to: number;
}

function readParticipants(input: unknown, ms: number): Participant[] | null {
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_PARTICIPANTS) return null;
  const participants: Participant[] = [];
  for (const item of input) {
    const { zone, from = 9, to = 17 }: JsonObject = isJsonObject(item) ? item : {};
    const isUsable = typeof zone === 'string' && typeof from === 'number' && typeof to === 'number';
    if (!isUsable || readClock(zone, ms) === null) return null;
    participants.push({ zone, from: from * 60, to: to * 60 });
  }
  return participants;
}

/** Whether a whole slot lies within the working hours. */
function isAtWork({ zone, from, to }: Participant, ms: number, weekends: boolean): boolean {
  const clock = readClock(zone, ms);
  if (clock === null) return false;
  const { minuteOfDay: start, weekday } = clock;
  if (!weekends && (weekday === 0 || weekday === 6)) return false;
  const end = start + SLOT_MINUTES;
  return from <= to ? start >= from && end <= to : start >= from || end <= to;
}

function freeWindows(midnight: number, isFree: (ms: number) => boolean): { start: number; end: number }[] {
  const windows: { start: number; end: number }[] = [];
  for (let slot = 0; slot < SLOTS_PER_DAY; slot++) {
    const start = midnight + slot * SLOT_MS;
    if (!isFree(start)) continue;
    const last = windows.at(-1);
    if (last?.end === start) last.end = start + SLOT_MS;
    else windows.push({ start, end: start + SLOT_MS });
  }
  return windows;
}

function describe(start: number, end: number, participants: readonly Participant[]) {
  return {
    startUtc: new Date(start).toISOString(),
    endUtc: new Date(end).toISOString(),
    minutes: (end - start) / 60_000,
    local: participants.map(({ zone }) => ({
      zone,
      start: readClock(zone, start)?.text ?? null,
      end: readClock(zone, end)?.text ?? null,
    })),
  };
}
