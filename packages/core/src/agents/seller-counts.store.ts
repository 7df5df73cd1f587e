import { and, eq, exists, isNotNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { sellers } from '../db/tables/agents.ts';
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

/**
 * Whether a purchase counts for the seller, or for what `isSame` narrows it down to. Paid ones do. Taking what is free
 * costs nothing, so of that only the first delivery to each agent does, and whatever failed before it.
 */
export function countsOnce(p: Params<CountedPurchase>, isSame?: SQL): SQL {
  const deliveredBefore = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        eq(purchases.buyerId, p.buyerId),
        eq(purchases.sellerId, p.sellerId),
        isSame,
        eq(purchases.amountCents, 0),
        isNotNull(purchases.contentDigest),
        ne(purchases.id, p.id),
      ),
    );
  const isPaid = sql`${asInteger(p.amountCents)} > 0`;
  return sql`(${or(isPaid, and(sql`${p.buyerId} IS NOT NULL`, not(exists(deliveredBefore))))})`;
}

const isCountedSeller = (p: Params<CountedPurchase>) => and(eq(sellers.agentId, p.sellerId), countsOnce(p));

const delivered = write((p: Params<CountedPurchase>) =>
  build
    .update(sellers)
    .set({ deliveredCount: sql`${sellers.deliveredCount} + 1` })
    .where(isCountedSeller(p)),
);
const failed = write((p: Params<CountedPurchase>) =>
  build
    .update(sellers)
    .set({ failedCount: sql`${sellers.failedCount} + 1` })
    .where(isCountedSeller(p)),
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

/** Counts a delivery towards the seller's reputation; it goes with the record of what was delivered. */
export function countDelivered(purchase: CountedPurchase): Statement {
  return delivered(purchase);
}

/** The same of a delivery that failed. */
export function countFailed(purchase: CountedPurchase): Statement {
  return failed(purchase);
}

/** What the seller confirmed and never shipped counts as failed, in place of delivered. */
export function countNotShipped(sellerId: string): Statement {
  return notShipped({ sellerId });
}
