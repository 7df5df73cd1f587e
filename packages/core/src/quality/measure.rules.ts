import { DAY_MS, dayOf, type EpochMs, type IsoTime, isoTime } from '../kernel/time.ts';
import { addHistograms, type LatencyHistogram, percentileMs } from './latency-histogram.rules.ts';

/** Fewer attempts than that say too little to be shown. */
export const MIN_SAMPLES = 5;
/** The days that a measure looks back, today included. */
const MEASURED_DAYS = 30;

export const firstMeasuredDay = (now: EpochMs): string => dayOf(isoTime(now - (MEASURED_DAYS - 1) * DAY_MS));

/** The attempts of a listing on a day, as they were counted. */
export interface QualityDay {
  readonly day: string;
  readonly attempts: number;
  readonly delivered: number;
  readonly unavailable: number;
  readonly timedOut: number;
  readonly failed: number;
  readonly invalid: number;
  readonly declined: number;
  readonly schemaChecked: number;
  readonly schemaValid: number;
  readonly latency: LatencyHistogram;
  /** The hours of the day in which the endpoint answered, and in which it did not: bit n is hour n in UTC. */
  readonly upHours: number;
  readonly downHours: number;
}

/** The hours of a day in which the endpoint was asked for any reason. */
export type HoursOfDay = Pick<QualityDay, 'day' | 'upHours' | 'downHours'>;

export interface Measure {
  /** The lower end of the 95% Wilson interval; null: all attempts were declined. */
  readonly successRate: number | null;
  /** Null: nothing was delivered of which the time is known. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Null: no data was held against a schema. */
  readonly schemaValidRate: number | null;
  readonly declinedRate: number;
  /** Null: the endpoint was not asked. */
  readonly uptime: number | null;
  readonly samples: number;
}

/** What is published of a measure. */
export interface MeasuredQuality extends Measure {
  readonly buyers30d: number;
  readonly measuredAt: IsoTime;
}

/** Of the 95% interval. */
const Z = 1.96;

/** The lower end of the Wilson interval of `successes` in `trials`: what one can rely on after so few of them. */
export function wilsonLowerBound(successes: number, trials: number): number {
  if (trials === 0) return 0;
  const share = successes / trials;
  const z2 = Z * Z;
  const centre = share + z2 / (2 * trials);
  const margin = Z * Math.sqrt((share * (1 - share) + z2 / (4 * trials)) / trials);
  return Math.max(0, (centre - margin) / (1 + z2 / trials));
}

/** Null while there are too few attempts. `probes`: of its seller's endpoint, on the same days. */
export function measureOf(days: readonly QualityDay[], probes: readonly HoursOfDay[]): Measure | null {
  const sum = (field: 'attempts' | 'delivered' | 'declined' | 'schemaChecked' | 'schemaValid') =>
    days.reduce((total, day) => total + day[field], 0);
  const samples = sum('attempts');
  if (samples < MIN_SAMPLES) return null;
  const [delivered, declined, checked] = [sum('delivered'), sum('declined'), sum('schemaChecked')];
  const latency = addHistograms(days.map((day) => day.latency));
  return {
    successRate: samples === declined ? null : round(wilsonLowerBound(delivered, samples - declined)),
    p50Ms: percentileMs(latency, 0.5),
    p95Ms: percentileMs(latency, 0.95),
    schemaValidRate: checked === 0 ? null : round(sum('schemaValid') / checked),
    declinedRate: round(declined / samples),
    uptime: uptimeOf([...days, ...probes]),
    samples,
  };
}

/** What is shown of one day, in canonical order. */
export function viewDay(on: QualityDay) {
  const { attempts, day, declined, delivered, latency } = on;
  return {
    attempts,
    day,
    declined,
    delivered,
    deliveredShare: attempts === declined ? null : round(delivered / (attempts - declined)),
    p50Ms: percentileMs(latency, 0.5),
    p95Ms: percentileMs(latency, 0.95),
  };
}

/** The share of the hours in which the endpoint was asked where it answered at least once. */
export function uptimeOf(days: readonly HoursOfDay[]): number | null {
  const up = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const { day, upHours, downHours } of days) {
    up.set(day, (up.get(day) ?? 0) | upHours);
    seen.set(day, (seen.get(day) ?? 0) | upHours | downHours);
  }
  const hours = countBits(seen.values());
  return hours === 0 ? null : round(countBits(up.values()) / hours);
}

function countBits(masks: Iterable<number>): number {
  let bits = 0;
  for (const mask of masks) for (let rest = mask; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/** Down, in thousandths: a share is never shown as more than it is. */
const round = (share: number): number => Math.floor(share * 1000 + 1e-9) / 1000;

/** What a listing shows of its measure, in canonical order. */
export function viewMeasured(
  quality: { readonly statement: MeasuredQuality } | null,
): MeasuredQuality | null {
  if (quality === null) return null;
  const { statement } = quality;
  return {
    buyers30d: statement.buyers30d,
    declinedRate: statement.declinedRate,
    measuredAt: statement.measuredAt,
    p50Ms: statement.p50Ms,
    p95Ms: statement.p95Ms,
    samples: statement.samples,
    schemaValidRate: statement.schemaValidRate,
    successRate: statement.successRate,
    uptime: statement.uptime,
  };
}
