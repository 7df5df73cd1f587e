import {
  DAY_MS,
  type EpochMs,
  epochOf,
  HOUR_MS,
  type IsoTime,
  MINUTE_MS,
  SECOND_MS,
} from '../../kernel/time.ts';

export const HEALTH_PARTS = [
  'backups',
  'chain',
  'database',
  'events',
  'jobs',
  'log',
  'mail',
  'objects',
  'processor',
  'queues',
  'search',
] as const;
export type HealthPartName = (typeof HEALTH_PARTS)[number];

/** `down`: it did not answer. `late`: it is older, or more waits, than it should. `off`: this deployment has none. */
export const HEALTH_STATUSES = ['down', 'late', 'off', 'ok'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export interface HealthPart {
  /** How long ago it last did its work, or was read; null: it has no such time. */
  readonly ageSeconds: number | null;
  /** How long the oldest of what waits has waited; null: nothing waits, or its age is not known. */
  readonly lagSeconds: number | null;
  /** For how long it took to answer; null: it was not called. */
  readonly latencyMs: number | null;
  readonly name: HealthPartName;
  readonly status: HealthStatus;
  /** How many wait, up to 1,000. */
  readonly waiting: number;
}

/** What is known of a part. `limits`: older or longer is late. */
export interface PartReading {
  readonly name: HealthPartName;
  readonly isOff?: boolean;
  readonly isDown?: boolean;
  readonly doneAt?: IsoTime | null;
  /** When it began to be done for the first time: it is late by that, until it has been done once. */
  readonly firstBeganAt?: IsoTime | null;
  readonly oldestAt?: IsoTime | null;
  readonly latencyMs?: number | null;
  readonly waiting?: number;
}

interface PartLimits {
  readonly maxAgeMs?: number;
  readonly maxLagMs?: number;
  readonly maxWaiting?: number;
}

/** What is late; the jobs make up for anything younger by themselves. */
const LIMITS: Readonly<Record<HealthPartName, PartLimits>> = {
  // One is made each week, within two days at most.
  backups: { maxAgeMs: 9 * DAY_MS },
  // A block is final within half an hour.
  chain: { maxAgeMs: HOUR_MS },
  database: {},
  // Events of callbacks that fail wait for hours; those that nobody tried are late.
  events: { maxLagMs: 15 * MINUTE_MS },
  jobs: { maxAgeMs: 3 * MINUTE_MS, maxLagMs: 10 * MINUTE_MS },
  // A statement is in the log within seconds.
  log: { maxLagMs: MINUTE_MS },
  mail: { maxLagMs: 30 * MINUTE_MS },
  objects: {},
  processor: { maxAgeMs: 10 * MINUTE_MS, maxLagMs: 30 * MINUTE_MS },
  // A message that the queue gave up waits for a person.
  queues: { maxWaiting: 0 },
  search: { maxWaiting: 999 },
};

export function healthPart(reading: PartReading, now: EpochMs): HealthPart {
  const { name, latencyMs = null, waiting = 0 } = reading;
  const ageSeconds = secondsSince(reading.doneAt, now);
  const lagSeconds = secondsSince(reading.oldestAt, now);
  return { ageSeconds, lagSeconds, latencyMs, name, status: statusOf(reading, now), waiting };
}

function statusOf(reading: PartReading, now: EpochMs): HealthStatus {
  const { name, isOff = false, isDown = false, oldestAt, waiting = 0 } = reading;
  const doneAt = reading.doneAt ?? reading.firstBeganAt;
  if (isOff) return 'off';
  if (isDown) return 'down';
  const { maxAgeMs = null, maxLagMs = null, maxWaiting = null } = LIMITS[name];
  // What never ran is as late as what ran long ago.
  const isOld = maxAgeMs !== null && (!doneAt || now - epochOf(doneAt) > maxAgeMs);
  const isBehind = maxLagMs !== null && !!oldestAt && now - epochOf(oldestAt) > maxLagMs;
  return isOld || isBehind || (maxWaiting !== null && waiting > maxWaiting) ? 'late' : 'ok';
}

/** The worst of the parts. */
export function worstOf(parts: readonly HealthPart[]): Exclude<HealthStatus, 'off'> {
  const found = new Set(parts.map(({ status }) => status));
  if (found.has('down')) return 'down';
  return found.has('late') ? 'late' : 'ok';
}

function secondsSince(time: IsoTime | null | undefined, now: EpochMs): number | null {
  return time ? Math.max(0, Math.floor((now - epochOf(time)) / SECOND_MS)) : null;
}
