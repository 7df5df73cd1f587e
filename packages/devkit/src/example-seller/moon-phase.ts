import { isCovered, type Product, YEARS } from './product.ts';

const DAY_MS = 86_400_000;
/** From one new moon to the next, on average. */
const MONTH_MS = 29.530588853 * DAY_MS;
const NEW_MOON_MS = Date.parse('2000-01-06T18:14:00Z');
const PHASES = [
  'new moon',
  'waxing crescent',
  'first quarter',
  'waxing gibbous',
  'full moon',
  'waning gibbous',
  'last quarter',
  'waning crescent',
] as const;

/** The mean moon, for a price: what is paid for in USDC, with a wallet or on a page is tried with it. */
export const moonPhase: Product = {
  key: 'moon-phase',
  listing: {
    title: 'Phase of the moon at any instant',
    description:
      'Say an instant if you do not mean now. You get the name of the phase, the days since the last new moon and how ' +
      'much of the disc is lit. Computed from the mean moon, so that it may be half a day off. ' +
      `Years ${YEARS.first} to ${YEARS.last}.`,
    preview: { fields: ['at', 'phase', 'daysSinceNewMoon', 'litShare'], method: 'mean synodic month' },
    priceCents: 5,
    consent: true,
    vertical: 'reference-data',
    contextTags: ['moon', 'lunar phase', 'astronomy'],
    inputSchema: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time', description: 'ISO-8601; the time of asking if left out.' },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        phase: { enum: [...PHASES] },
        daysSinceNewMoon: { type: 'number', minimum: 0, maximum: 30 },
        litShare: { type: 'number', minimum: 0, maximum: 1 },
      },
      required: ['at', 'phase', 'daysSinceNewMoon', 'litShare'],
    },
    exampleQuery: { at: '2026-07-01T12:00:00Z' },
  },

  answer({ at }, nowMs) {
    const ms = typeof at === 'string' ? Date.parse(at) : nowMs;
    if (!isCovered(ms)) return null;
    const share = ((((ms - NEW_MOON_MS) / MONTH_MS) % 1) + 1) % 1;
    return {
      at: new Date(ms).toISOString(),
      phase: PHASES[Math.round(share * PHASES.length) % PHASES.length] ?? '',
      daysSinceNewMoon: round((share * MONTH_MS) / DAY_MS, 1),
      litShare: round((1 - Math.cos(2 * Math.PI * share)) / 2, 2),
    };
  },
};

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
