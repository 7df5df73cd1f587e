/** An id's bucket is its first 12 bits: which database has its row is a matter of the bucket alone. */
const BUCKET_COUNT = 4096;
const BUCKET_DIGITS = 3;

function bucketOf(id: string): number {
  return Number.parseInt(id.slice(0, BUCKET_DIGITS), 16);
}

/**
 * The id in the bucket of its owner, still a v4 UUID. The owner is who everybody that sees the id knows already, as the seller of a
 * listing: the bits then tell nothing new. See docs/adr/0018-ids-and-shards.md.
 */
export function inBucketOf(ownerId: string, id: string): string {
  return ownerId.slice(0, BUCKET_DIGITS) + id.slice(BUCKET_DIGITS);
}

/** Which of so many databases has the row: buckets in equal ranges, in order. */
export function shardOf(id: string, shards: number): number {
  return Math.floor((bucketOf(id) * shards) / BUCKET_COUNT);
}
