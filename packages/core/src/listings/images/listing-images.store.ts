import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { asJson, build, named } from '../../db/build.ts';
import { countCalls } from '../../db/daily-calls.ts';
import { type Params, query, write } from '../../db/query.ts';
import { type ListingPicture, listingImages, listings } from '../../db/tables/listings.ts';
import { type Due, MAX_TRIES } from '../../kernel/outbox.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { ImageRefusal } from '../../kernel/ports/images/image-fetcher.ts';
import type { EpochMs, IsoTime } from '../../kernel/time.ts';

/** A picture whose next try has just begun. */
export interface ClaimedImage {
  readonly listingId: string;
  readonly position: number;
  readonly url: string;
  readonly sellerId: string;
  /** This one counted. */
  readonly attempts: number;
}

type ImageKey = Pick<ClaimedImage, 'listingId' | 'position'>;

const isForSale = sql`EXISTS (SELECT 1 FROM ${listings} WHERE id = listing_id AND status = 'active')`;

/** A listing that was taken off meanwhile gets its pictures once it is back: a trigger notes them again. */
const forgetUnsold = write((p: Params<{ now: IsoTime }>) =>
  build.delete(listingImages).where(and(lte(listingImages.nextAttemptAt, p.now), sql`NOT ${isForSale}`)),
);

const claimDue = query((p: Params<{ now: IsoTime; nextTries: string; limit: number }>) => {
  const due = sql`(SELECT listing_id, position FROM ${listingImages} WHERE next_attempt_at <= ${p.now}
    ORDER BY next_attempt_at LIMIT ${p.limit})`;
  return build
    .update(listingImages)
    .set({
      attempts: sql`${listingImages.attempts} + 1`,
      nextAttemptAt: sql`${p.nextTries} ->> (attempts)`,
    })
    .where(sql`(listing_id, position) IN ${due}`)
    .returning(
      named({
        listingId: listingImages.listingId,
        position: listingImages.position,
        url: listingImages.url,
        attempts: listingImages.attempts,
        sellerId: sql<string>`(SELECT seller_id FROM ${listings} WHERE id = listing_id)`,
      }),
    );
});

/** Begins the next tries. What is claimed is due again at the one of `nextTries` that fits its number of tries. */
export async function claimImages(market: Database, { now, nextTries, limit }: Due): Promise<ClaimedImage[]> {
  const [, claimed] = await market.commit([
    forgetUnsold({ now }),
    claimDue.statement({ now, nextTries: JSON.stringify(nextTries), limit }),
  ]);
  return claimDue.rows(claimed);
}

/** Whether each may be fetched today: what a key, or all of a network, can have fetched has an end. */
export function areWithinDay(
  market: Database,
  claimed: readonly ClaimedImage[],
  now: EpochMs,
): Promise<boolean[]> {
  const calls = claimed.map(({ sellerId: agentId, url }) => ({ kind: 'image' as const, agentId, url }));
  return countCalls(market, calls, now);
}

const postpone = write((p: Params<ImageKey & { until: IsoTime }>) =>
  build
    .update(listingImages)
    .set({ nextAttemptAt: p.until, attempts: sql`${listingImages.attempts} - 1` })
    .where(and(eq(listingImages.listingId, p.listingId), sql`${listingImages.position} = ${p.position}`)),
);

/** A try that was not made is none. */
export const postponeImage = ({ listingId, position }: ImageKey, until: IsoTime): Statement =>
  postpone({ listingId, position, until });

const refuse = write((p: Params<ImageKey & { refusal: string }>) =>
  build
    .update(listingImages)
    .set({ refusal: p.refusal, nextAttemptAt: sql`NULL` })
    .where(and(eq(listingImages.listingId, p.listingId), sql`${listingImages.position} = ${p.position}`)),
);

/** It is tried no more. */
export const refuseImage = (
  { listingId, position }: ImageKey,
  refusal: ImageRefusal | 'gave_up',
): Statement => refuse({ listingId, position, refusal });

export const isLastTry = ({ attempts }: ClaimedImage): boolean => attempts >= MAX_TRIES;

const storeDigests = write((p: Params<ImageKey & { small: string; large: string; at: IsoTime }>) =>
  build
    .update(listingImages)
    .set({ smallSha256: p.small, largeSha256: p.large, fetchedAt: p.at, nextAttemptAt: null })
    .where(
      and(
        eq(listingImages.listingId, p.listingId),
        eq(listingImages.position, p.position),
        isNull(listingImages.fetchedAt),
      ),
    ),
);

/** Beside those that are there already, each once, in the order of the listing's images. */
const show = write((p: Params<{ listingId: string; picture: ListingPicture }>) =>
  build
    .update(listings)
    .set({
      pictures: sql`(SELECT json_group_array(json(picture)) FROM (
          SELECT picture FROM (
            SELECT value AS picture FROM json_each(${listings.pictures}) UNION ALL SELECT ${asJson(p.picture)})
          GROUP BY picture ->> 'large'
          ORDER BY (SELECT MIN(position) FROM ${listingImages} AS image
            WHERE image.listing_id = ${p.listingId} AND image.large_sha256 = picture ->> 'large')))`,
    })
    .where(eq(listings.id, p.listingId)),
);

/** Its bytes are stored: the listing shows it. */
export function showImage(
  { listingId, position }: ImageKey,
  picture: ListingPicture,
  at: IsoTime,
): Statement[] {
  const { small, large } = picture;
  return [storeDigests({ listingId, position, small, large, at }), show({ listingId, picture })];
}

const shown = query((p: Params<{ listingId: string; sha256: string }>) =>
  build
    .select({
      type: sql<'small' | 'large'>`CASE WHEN small_sha256 = ${p.sha256} THEN 'small' ELSE 'large' END`,
    })
    .from(listingImages)
    .where(sql`listing_id = ${p.listingId} AND ${p.sha256} IN (small_sha256, large_sha256) AND ${isForSale}`)
    .limit(1),
);

/** Which size of a listing that is for sale has these bytes; null: none. */
export async function findImageSize(
  market: Database,
  listingId: string,
  sha256: string,
): Promise<'small' | 'large' | null> {
  return (await shown.first(market, { listingId, sha256 }))?.type ?? null;
}
