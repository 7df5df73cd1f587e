import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { sellers } from '../db/tables/agents.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Statement } from '../kernel/ports/database.ts';

/** What counting a purchase takes to know of it. */
export interface CountedPurchase {
  readonly id: string;
  readonly sellerId: string;
  readonly listingId: string;
  readonly buyerId: string | null;
  readonly amountCents: number;
}

type CountValues = Pick<CountedPurchase, keyof CountedPurchase>;

/**
 * Whether a purchase counts for the seller or the listing. Paid ones do. Taking what is free costs nothing, so of that
 * only the first delivery to each agent does, and whatever failed before it.
 */
function counts(p: Params<CountValues>, subject: 'seller' | 'listing'): SQL {
  const takenBefore = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        eq(purchases.buyerId, p.buyerId),
        eq(purchases.sellerId, p.sellerId),
        subject === 'seller' ? undefined : eq(purchases.listingId, p.listingId),
        eq(purchases.amountCents, 0),
        isNotNull(purchases.contentDigest),
        ne(purchases.id, p.id),
      ),
    );
  return sql`(${asInteger(p.amountCents)} > 0 OR (${p.buyerId} IS NOT NULL AND NOT EXISTS ${takenBefore}))`;
}

const countsOfListing = (p: Params<CountValues>) => ({
  purchaseCount: sql`${listings.purchaseCount} + 1`,
  popularity: sql`${listings.popularity} + ${counts(p, 'listing')}`,
});

const unitAndPurchase = write((p: Params<CountValues & { listingVersion: number }>) =>
  build
    .update(listings)
    .set({ soldCount: sql`${listings.soldCount} + 1`, ...countsOfListing(p) })
    .where(
      and(
        eq(listings.id, p.listingId),
        eq(listings.status, 'active'),
        eq(listings.version, asInteger(p.listingVersion)),
      ),
    ),
);

const purchased = write((p: Params<CountValues>) =>
  build.update(listings).set(countsOfListing(p)).where(eq(listings.id, p.listingId)),
);

const delivered = write((p: Params<CountValues>) =>
  build
    .update(sellers)
    .set({ deliveredCount: sql`${sellers.deliveredCount} + 1` })
    .where(and(eq(sellers.agentId, p.sellerId), counts(p, 'seller'))),
);

const undelivered = write((p: Params<CountValues>) =>
  build
    .update(sellers)
    .set({ failedCount: sql`${sellers.failedCount} + 1` })
    .where(and(eq(sellers.agentId, p.sellerId), counts(p, 'seller'))),
);

const notShipped = write((p: Params<{ sellerId: string }>) =>
  build
    .update(sellers)
    .set({
      failedCount: sql`${sellers.failedCount} + 1`,
      deliveredCount: sql`MAX(0, ${sellers.deliveredCount} - 1)`,
    })
    .where(eq(sellers.agentId, p.sellerId)),
);

/** Counts a purchase and takes its unit, unless the listing was changed or taken off: follow it with a guard. */
export function takeUnitAndCount(purchase: CountedPurchase & { readonly listingVersion: number }): Statement {
  return unitAndPurchase({ ...valuesOf(purchase), listingVersion: purchase.listingVersion });
}

/** Counts a purchase whose unit was reserved before. */
export function countPurchase(purchase: CountedPurchase): Statement {
  return purchased(valuesOf(purchase));
}

/** Counts a delivery towards the seller's reputation; it goes with the record of what was delivered. */
export function countDelivered(purchase: CountedPurchase): Statement {
  return delivered(valuesOf(purchase));
}

/** The same of a delivery that failed. */
export function countFailed(purchase: CountedPurchase): Statement {
  return undelivered(valuesOf(purchase));
}

/** What the seller confirmed and never shipped counts as failed, in place of delivered. */
export function countNotShipped(sellerId: string): Statement {
  return notShipped({ sellerId });
}

function valuesOf({ id, sellerId, listingId, buyerId, amountCents }: CountedPurchase): CountValues {
  return { id, sellerId, listingId, buyerId, amountCents };
}
