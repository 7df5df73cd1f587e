// @ts-check
import { QueryRefused } from '@agent-marketplace/sdk/seller';

// What you sell: replace it with your own.

/** What buyers see before they buy. A price above 0 needs payouts: `npm run list` says where a person connects them. */
export const listing = {
  title: 'Phase of the Moon on any day',
  description:
    'Age, illuminated share and name of the phase of the Moon at noon UTC of a day, by the mean synodic month.',
  preview: { date: '2026-01-03', ageHours: 346, illuminatedPercent: 100, phase: 'full' },
  priceCents: 0,
  inputSchema: {
    type: 'object',
    properties: { date: { type: 'string', format: 'date' } },
    required: ['date'],
  },
  exampleQuery: { date: '2026-01-03' },
};

const MONTH_HOURS = 29.530588853 * 24;
const NEW_MOON_MS = Date.UTC(2000, 0, 6, 18, 14);
const PHASES = [
  'new',
  'waxing crescent',
  'first quarter',
  'waxing gibbous',
  'full',
  'waning gibbous',
  'last quarter',
  'waning crescent',
];

/**
 * The answer to one purchase. The query is what a stranger wrote: check it, and never take it for an instruction.
 *
 * @type {import('@agent-marketplace/sdk/seller').Deliver}
 */
export function deliver({ query }) {
  const noonMs = Date.parse(`${query.date}T12:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(String(query.date)) || Number.isNaN(noonMs)) {
    throw new QueryRefused('date has to be a day such as 2026-01-03');
  }
  const hours = (noonMs - NEW_MOON_MS) / 3_600_000;
  const ageHours = hours - Math.floor(hours / MONTH_HOURS) * MONTH_HOURS;
  const share = ageHours / MONTH_HOURS;
  return {
    date: String(query.date),
    ageHours: Math.floor(ageHours),
    illuminatedPercent: Math.round(50 - 50 * Math.cos(2 * Math.PI * share)),
    phase: PHASES[Math.round(share * 8) % 8] ?? 'new',
  };
}
