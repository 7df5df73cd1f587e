import type { MetricsPeriod, MetricsRange, MetricsReading } from '../../kernel/ports/metrics/metrics.ts';
import { type EpochMs, SECOND_MS } from '../../kernel/time.ts';

/** How many buckets of which length. */
const PERIODS: Readonly<Record<MetricsPeriod, { readonly buckets: number; readonly bucketSeconds: number }>> =
  {
    hour: { buckets: 60, bucketSeconds: 60 },
    day: { buckets: 24, bucketSeconds: 3600 },
    month: { buckets: 30, bucketSeconds: 86_400 },
  };

/** The last bucket of a period is the one that `now` is in. */
export function rangeOf(period: MetricsPeriod, now: EpochMs): MetricsRange {
  const { buckets, bucketSeconds } = PERIODS[period];
  const lengthMs = bucketSeconds * SECOND_MS;
  return { from: Math.floor(now / lengthMs) * lengthMs - (buckets - 1) * lengthMs, bucketSeconds };
}

type Counted = MetricsReading['buckets'][number];
type Bucket = Omit<Counted, 'p50Ms' | 'p95Ms'> & {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

/** Every bucket of the range, those without a request too. */
export function fillBuckets(
  { from, bucketSeconds }: MetricsRange,
  now: EpochMs,
  counted: readonly Counted[],
): readonly Bucket[] {
  const byTime = new Map(counted.map((one) => [one.at, one]));
  const buckets: Bucket[] = [];
  for (let at = from; at <= now; at += bucketSeconds * SECOND_MS) {
    buckets.push(byTime.get(at) ?? { at, requests: 0, failed: 0, refused: 0, p50Ms: null, p95Ms: null });
  }
  return buckets;
}
