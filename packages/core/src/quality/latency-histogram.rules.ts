/** How many of each bucket, by its number; buckets without any are left out. */
export type LatencyHistogram = Readonly<Record<string, number>>;

/** Four buckets to a doubling: a percentile is at most 19% above the true one. */
const BUCKETS_PER_DOUBLING = 4;
/** 2^15 ms is beyond the 30 seconds that a seller has. */
export const LAST_BUCKET = 15 * BUCKETS_PER_DOUBLING;

/** The longest latency of a bucket, in whole milliseconds. Bucket 0 is up to 1 ms. */
export const bucketLimitMs = (bucket: number): number => Math.ceil(2 ** (bucket / BUCKETS_PER_DOUBLING));

/** The first bucket that a latency does not exceed. What takes longer than the last is in it. */
export function latencyBucket(latencyMs: number): number {
  const near = Math.max(0, Math.floor((Math.log2(Math.max(1, latencyMs)) - 1) * BUCKETS_PER_DOUBLING));
  let bucket = Math.min(near, LAST_BUCKET);
  while (bucket < LAST_BUCKET && bucketLimitMs(bucket) < latencyMs) bucket += 1;
  return bucket;
}

export function addHistograms(histograms: readonly LatencyHistogram[]): LatencyHistogram {
  const sum: Record<string, number> = {};
  for (const histogram of histograms)
    for (const [bucket, count] of Object.entries(histogram)) sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}

/**
 * The limit of the bucket that the `share`-th of all latencies lies in (nearest rank): that many took no longer. Null
 * while there is none.
 */
export function percentileMs(histogram: LatencyHistogram, share: number): number | null {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((a, b) => a.bucket - b.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const { bucket, count } of buckets) {
    seen += count;
    if (seen >= rank) return bucketLimitMs(bucket);
  }
  return null;
}
