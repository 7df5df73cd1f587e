import { and, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { type Params, write } from '../../db/query.ts';
import { listings } from '../../db/tables/listings.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Rule } from '../../kernel/rules.data.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Listing } from '../listing.ts';

/** Why an operator took a listing off the market. */
export interface ListingBlock {
  readonly rule: Rule;
  readonly reason: string;
  readonly since: IsoTime;
}

const LISTING_BLOCK_CHANGED = 'listing_block_changed';

const setBlock = write((p: Params<ListingBlock & { id: string; textDigest: string }>) =>
  build
    .update(listings)
    .set({
      blockedAt: p.since,
      blockedRule: p.rule,
      blockedReason: p.reason,
      blockedStatus: sql`${listings.status}`,
      // Of a listing from before it was kept.
      textDigest: p.textDigest,
    })
    .where(and(eq(listings.id, p.id), isNull(listings.blockedAt))),
);

const withdrawCopies = write(
  (p: Params<{ id: string; sellerId: string; fingerprint: string; textDigest: string }>) =>
    build
      .update(listings)
      .set({ status: 'inactive' })
      .where(
        and(
          eq(listings.sellerId, p.sellerId),
          or(eq(listings.fingerprint, p.fingerprint), eq(listings.textDigest, p.textDigest)),
          ne(listings.id, p.id),
          ne(listings.status, 'inactive'),
        ),
      ),
);

/**
 * Blocks a listing whose status is set to inactive next; aborts where it is blocked already. What else its seller lists
 * with the same content or text goes off the market with it.
 */
export function insertBlock(
  { id, seller, fingerprint }: Listing,
  block: ListingBlock,
  textDigest: string,
): Statement[] {
  return [
    setBlock({ ...block, id, textDigest }),
    guardOneChange(LISTING_BLOCK_CHANGED),
    withdrawCopies({ id, sellerId: seller.id, fingerprint, textDigest }),
  ];
}

const removeBlock = write((p: Params<{ id: string }>) =>
  build
    .update(listings)
    .set({ blockedAt: null, blockedRule: null, blockedReason: null, blockedStatus: null })
    .where(and(eq(listings.id, p.id), isNotNull(listings.blockedAt))),
);

/** Lifts the block of a listing, whose status may be changed from then on; aborts where there is none. */
export function liftBlock(id: string): Statement[] {
  return [removeBlock({ id }), guardOneChange(LISTING_BLOCK_CHANGED)];
}

export function isBlockUnchanged(error: unknown): boolean {
  return isGuard(error, LISTING_BLOCK_CHANGED);
}

/** The listing, or another of its seller with the same content, is blocked. */
export function isBlockStanding(error: unknown): boolean {
  return isGuard(error, 'listing_block_lifted');
}
