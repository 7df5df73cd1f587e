import * as z from 'zod';
import type { Log } from '../../kernel/ports/log.ts';
import type { MetricsRange, MetricsReader, MetricsReading } from '../../kernel/ports/metrics/metrics.ts';
import { SECOND_MS } from '../../kernel/time.ts';
import { COLUMNS } from './analytics-engine.ts';

export interface AnalyticsOptions {
  readonly accountId: string;
  /** Of an API token that may read the account's analytics. */
  readonly token: string;
  /** As `https://api.cloudflare.com`. */
  readonly apiBase: string;
}

/** As the configuration files name it. */
export const DATASET = 'marketplace_requests';
const TIMEOUT_MS = 10_000;
const MOST_OPERATIONS = 200;

/** Integers of 64 bits come as text. */
const figure = z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)]).transform(Number);
const counts = { requests: figure, failed: figure, refused: figure };
const latencies = { p50Ms: figure, p95Ms: figure };
const bucketRow = z.object({ bucket: figure, ...counts, ...latencies });
const operationRow = z.object({
  operation: z.string(),
  ...counts,
  ...latencies,
  databaseMs: figure,
  roundTrips: figure,
  rowsRead: figure,
  rowsWritten: figure,
});
const railRow = z.object({ rail: z.string(), ...counts });

// A row stands for `_sample_interval` requests, as many as were sampled away and itself.
const COUNTS = `SUM(_sample_interval) AS requests,
  sumIf(_sample_interval, ${COLUMNS.outcome} = 'failed') AS failed,
  sumIf(_sample_interval, ${COLUMNS.outcome} = 'refused') AS refused`;
const quantile = (share: number, name: string) =>
  `quantileExactWeighted(${share})(${COLUMNS.latencyMs}, _sample_interval) AS ${name}`;
const LATENCIES = `${quantile(0.5, 'p50Ms')}, ${quantile(0.95, 'p95Ms')}`;
const MEANS = (['databaseMs', 'roundTrips', 'rowsRead', 'rowsWritten'] as const)
  .map((name) => `SUM(${COLUMNS[name]} * _sample_interval) / SUM(_sample_interval) AS ${name}`)
  .join(', ');

function queriesOf({ from, bucketSeconds }: MetricsRange) {
  const since = new Date(from).toISOString().slice(0, 19).replace('T', ' ');
  const within = `FROM ${DATASET} WHERE timestamp >= toDateTime('${since}')`;
  return {
    buckets: `SELECT toUnixTimestamp(toStartOfInterval(timestamp, INTERVAL '${bucketSeconds}' SECOND)) AS bucket, ${COUNTS},
      ${LATENCIES} ${within} GROUP BY bucket ORDER BY bucket FORMAT JSON`,
    operations: `SELECT ${COLUMNS.operation} AS operation, ${COUNTS}, ${LATENCIES}, ${MEANS} ${within}
      GROUP BY operation ORDER BY requests DESC LIMIT ${MOST_OPERATIONS} FORMAT JSON`,
    rails: `SELECT ${COLUMNS.rail} AS rail, ${COUNTS} ${within} AND ${COLUMNS.rail} != '' GROUP BY rail
      ORDER BY requests DESC FORMAT JSON`,
  };
}

/** Asks the SQL API of Workers Analytics Engine. */
export function createAnalyticsReader(
  { accountId, token, apiBase }: AnalyticsOptions,
  fetch: typeof globalThis.fetch,
  log: Log,
): MetricsReader {
  const url = `${apiBase}/client/v4/accounts/${accountId}/analytics_engine/sql`;

  async function rows<Row>(sql: string, row: z.ZodType<Row>): Promise<Row[]> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: sql,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    return z.object({ data: z.array(row) }).parse(await response.json()).data;
  }

  return {
    async read(range): Promise<MetricsReading | null> {
      const queries = queriesOf(range);
      try {
        const [buckets, operations, rails] = await Promise.all([
          rows(queries.buckets, bucketRow),
          rows(queries.operations, operationRow),
          rows(queries.rails, railRow),
        ]);
        return {
          buckets: buckets.map(({ bucket, ...one }) => ({ ...one, at: bucket * SECOND_MS })),
          operations,
          rails,
        };
      } catch (error) {
        log.error('metrics_unavailable', {
          message: error instanceof z.ZodError ? 'unreadable' : String(error),
        });
        return null;
      }
    },
  };
}
