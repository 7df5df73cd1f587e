import type { Background } from '../../kernel/ports/background.ts';
import { type Metrics, noUse } from '../../kernel/ports/metrics/metrics.ts';

/** The dataset, which has no type of its own for what a stand-in returns. */
export interface RequestDataset {
  writeDataPoint(point: {
    readonly indexes: readonly string[];
    readonly blobs: readonly string[];
    readonly doubles: readonly number[];
  }): unknown;
}

/** Where each value stands in a data point: SQL knows them by their place. */
export const COLUMNS = {
  operation: 'blob1',
  outcome: 'blob2',
  code: 'blob3',
  rail: 'blob4',
  latencyMs: 'double1',
  databaseMs: 'double2',
  roundTrips: 'double3',
  rowsRead: 'double4',
  rowsWritten: 'double5',
} as const;

/** The metrics of one request. Without a dataset they go nowhere. */
export function createMetrics(dataset: RequestDataset | undefined, background: Background): Metrics {
  return {
    database: noUse(),
    record({ operation, outcome, code, rail, latencyMs, database }) {
      const { waitMs, roundTrips, rowsRead, rowsWritten } = database;
      const written = dataset?.writeDataPoint({
        // Sampling keeps the share of each index right: a busy operation never hides a rare one.
        indexes: [operation],
        blobs: [operation, outcome, code, rail],
        doubles: [latencyMs, waitMs, roundTrips, rowsRead, rowsWritten],
      });
      // A dataset returns nothing. A stand-in in another Worker would be cut off as the answer is sent; what a call of it
      // returns can be awaited, and is no instance of Promise.
      if (written !== undefined) background.run(Promise.resolve(written));
    },
  };
}
