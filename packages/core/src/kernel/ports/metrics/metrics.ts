import type { EpochMs } from '../../time.ts';

/** What a request did to the databases. */
export interface DatabaseUse {
  roundTrips: number;
  /** From sending each round trip to its reply, added up. */
  waitMs: number;
  rowsRead: number;
  rowsWritten: number;
}

export const noUse = (): DatabaseUse => ({ roundTrips: 0, waitMs: 0, rowsRead: 0, rowsWritten: 0 });

/** `failed`: the marketplace, or something that it depends on, could not do what was right to ask. */
export type RequestOutcome = 'failed' | 'not_modified' | 'ok' | 'refused';

/** One request of an operation. It names nobody: no agent, no address, no id, and nothing that a caller wrote. */
export interface RequestPoint {
  readonly operation: string;
  readonly outcome: RequestOutcome;
  /** Of the refusal; empty: none. */
  readonly code: string;
  /** That money moved over, or would have; empty: none. */
  readonly rail: string;
  readonly latencyMs: number;
  readonly database: Readonly<DatabaseUse>;
}

/** Of one request, or one run of a job. */
export interface Metrics {
  /** Counts up with each round trip. */
  readonly database: Readonly<DatabaseUse>;
  /** Returns at once, and loses the point rather than failing. */
  record(point: RequestPoint): void;
}

export const METRICS_PERIODS = ['hour', 'day', 'month'] as const;
export type MetricsPeriod = (typeof METRICS_PERIODS)[number];

/** Requests of a part of the period. */
export interface RequestCounts {
  readonly requests: number;
  readonly failed: number;
  readonly refused: number;
}

export interface MetricsReading {
  /** Times without a request are left out. */
  readonly buckets: readonly (RequestCounts & {
    readonly at: EpochMs;
    readonly p50Ms: number;
    readonly p95Ms: number;
  })[];
  /** The most asked for first. */
  readonly operations: readonly (RequestCounts & {
    readonly operation: string;
    readonly p50Ms: number;
    readonly p95Ms: number;
    /** Means of a request. */
    readonly databaseMs: number;
    readonly roundTrips: number;
    readonly rowsRead: number;
    readonly rowsWritten: number;
  })[];
  readonly rails: readonly (RequestCounts & { readonly rail: string })[];
}

/** From this time on, by so many seconds. */
export interface MetricsRange {
  readonly from: EpochMs;
  readonly bucketSeconds: number;
}

/** Reads what was recorded; what was recorded less than a minute ago may be missing. */
export interface MetricsReader {
  /** Null: it does not answer. */
  read(range: MetricsRange): Promise<MetricsReading | null>;
}
