import * as z from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { METRICS_PERIODS } from '../../kernel/ports/metrics/metrics.ts';
import { isoTime } from '../../kernel/time.ts';
import { fillBuckets, rangeOf } from './metrics.rules.ts';

const counts = {
  failed: z.int().describe('Ended by a fault of the marketplace, or of what it depends on.'),
};
const more = { refused: z.int().describe('What the caller has to change.'), requests: z.int() };
const latencies = {
  p50Ms: z.number().nullable().describe('Half of the requests took no longer; null: there was none.'),
  p95Ms: z.number().nullable(),
};

/** For the operator: requests, failures and latencies of the last hour, day or month. */
export const getMetrics = defineOperation({
  name: 'getMetrics',
  summary: 'Requests, failures and latencies of the last hour, day or month, by time, operation and rail.',
  description:
    'For the operator. What was recorded in the last minute may be missing, and large numbers are estimated from samples. ' +
    'An answer that an isolate sends again from its memory is not counted.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    period: z.enum(METRICS_PERIODS).default('day').describe('The last 60 minutes, 24 hours or 30 days.'),
  }),
  output: z.object({
    bucketSeconds: z.int(),
    buckets: z
      .array(z.object({ at: z.iso.datetime(), ...counts, ...latencies, ...more }))
      .describe('The oldest first, each as long as `bucketSeconds`; the last one is not over.'),
    isConfigured: z.boolean().describe('False: this deployment reads no metrics, and all else is empty.'),
    operations: z
      .array(
        z.object({
          databaseMs: z.number().describe('For how long a request waited for D1, on average.'),
          ...counts,
          operation: z.string(),
          ...latencies,
          ...more,
          roundTrips: z.number().describe('To D1, on average.'),
          rowsRead: z.number().describe('Of D1, on average.'),
          rowsWritten: z.number().describe('Of D1, on average.'),
        }),
      )
      .describe('The most asked for first, up to 200.'),
    period: z.enum(METRICS_PERIODS),
    rails: z
      .array(z.object({ ...counts, rail: z.string(), ...more }))
      .describe('Of requests that move money.'),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/metrics', status: 200 },
  rate: 'read',
  async handle({ ports, now }, { period }) {
    const range = rangeOf(period, now);
    const { metricsReader } = ports;
    const reading = metricsReader === null ? null : await metricsReader.read(range);
    if (metricsReader !== null && reading === null) {
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 30 });
    }
    const { buckets = [], operations = [], rails = [] } = reading ?? {};
    return {
      bucketSeconds: range.bucketSeconds,
      buckets: (reading === null ? [] : fillBuckets(range, now, buckets)).map(
        ({ at, failed, p50Ms, p95Ms, refused, requests }) => ({
          at: isoTime(at),
          failed,
          p50Ms,
          p95Ms,
          refused,
          requests,
        }),
      ),
      isConfigured: metricsReader !== null,
      operations: operations.map((one) => ({
        databaseMs: one.databaseMs,
        failed: one.failed,
        operation: one.operation,
        p50Ms: one.p50Ms,
        p95Ms: one.p95Ms,
        refused: one.refused,
        requests: one.requests,
        roundTrips: one.roundTrips,
        rowsRead: one.rowsRead,
        rowsWritten: one.rowsWritten,
      })),
      period,
      rails: rails.map(({ failed, rail, refused, requests }) => ({ failed, rail, refused, requests })),
    };
  },
});
