import { and, eq, exists, isNotNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { asInteger, build, excluded } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { payingBuyers, sellerBuyers, sellers } from '../db/tables/agents.ts';
import { purchases } from '../db/tables/purchases.ts';
import { usdcPayments } from '../db/tables/usdc-payments.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { dayOf, type IsoTime } from '../kernel/time.ts';

/** What counting a purchase takes to know of it. */
export interface CountedPurchase {
  readonly id: string;
  readonly sellerId: string;
  readonly listingId: string;
  readonly buyerId: string | null;
  readonly amountCents: number;
}

/**
 * Whether a purchase counts for the seller. Paid ones do. Taking what is free costs nothing, so of that only the first
 * delivery to each agent does.
 */
function countsOnce(p: Params<CountedPurchase>): SQL {
  const deliveredBefore = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        eq(purchases.buyerId, p.buyerId),
        eq(purchases.sellerId, p.sellerId),
        eq(purchases.amountCents, 0),
        isNotNull(purchases.contentDigest),
        ne(purchases.id, p.id),
      ),
    );
  const isPaid = sql`${asInteger(p.amountCents)} > 0`;
  return sql`(${or(isPaid, and(sql`${p.buyerId} IS NOT NULL`, not(exists(deliveredBefore))))})`;
}

const delivered = write((p: Params<CountedPurchase>) =>
  build
    .update(sellers)
    .set({ deliveredCount: sql`${sellers.deliveredCount} + 1` })
    .where(and(eq(sellers.agentId, p.sellerId), countsOnce(p))),
);

/** What of a seller's row its reputation is made of. */
export const SELLER_RECORD = {
  deliveredWeight: sellers.deliveredWeight,
  failedWeight: sellers.failedWeight,
  ratedWeight: sellers.ratedWeight,
  starsWeight: sellers.starsWeight,
};

interface Undelivered extends CountedPurchase {
  readonly day: string;
}

/** An agent, or the wallet of a payer without a key. NULL: somebody who cannot be told from others. */
const buyerOf = (p: Params<CountedPurchase>) =>
  sql`COALESCE(${p.buyerId}, (SELECT payer FROM ${usdcPayments} WHERE purchase_id = ${p.id}))`;

/**
 * Once for each buyer and day, so that repeating a query changes nothing; and only of buyers who paid for a delivery
 * before, as keys are free. Triggers keep the seller's own counts.
 */
const undelivered = (days: 'failedDays' | 'refusedDays', on: 'failedOn' | 'refusedOn') =>
  write((p: Params<Undelivered>) => {
    const { [on]: lastDay } = excluded(sellerBuyers, on);
    return insertFrom(
      sellerBuyers,
      { sellerId: p.sellerId, buyer: payingBuyers.buyer, firstDay: p.day, [days]: 1, [on]: p.day },
      (select) => select.from(payingBuyers).where(eq(payingBuyers.buyer, buyerOf(p))),
    ).onConflictDoUpdate({
      target: [sellerBuyers.sellerId, sellerBuyers.buyer],
      set: {
        [days]: sql`${sellerBuyers[days]} + (${sellerBuyers[on]} IS NOT ${lastDay})`,
        [on]: lastDay,
      },
    });
  });
const countUndeliveredAs = {
  failed: undelivered('failedDays', 'failedOn'),
  refused: undelivered('refusedDays', 'refusedOn'),
};

const notShipped = write((p: Params<{ sellerId: string }>) =>
  build
    .update(sellers)
    .set({ deliveredCount: sql`MAX(0, ${sellers.deliveredCount} - 1)` })
    .where(eq(sellers.agentId, p.sellerId)),
);
const uncountDay = write((p: Params<CountedPurchase>) =>
  build
    .update(sellerBuyers)
    .set({ deliveredDays: sql`MAX(0, ${sellerBuyers.deliveredDays} - 1)` })
    .where(and(eq(sellerBuyers.sellerId, p.sellerId), sql`${sellerBuyers.buyer} = ${buyerOf(p)}`)),
);

/** Counts a delivery towards the seller's figures; it goes with the record of what was delivered. */
export function countDelivered(purchase: CountedPurchase): Statement {
  return delivered(purchase);
}

/** Counts what a seller failed to deliver, or a query that it refused. */
export function countUndelivered(
  purchase: CountedPurchase,
  countedAs: keyof typeof countUndeliveredAs,
  at: IsoTime,
): Statement {
  return countUndeliveredAs[countedAs]({ ...purchase, day: dayOf(at) });
}

/** What the seller confirmed and never shipped counts as failed, in place of delivered. */
export function countNotShipped(purchase: CountedPurchase, at: IsoTime): Statement[] {
  const { sellerId } = purchase;
  return [notShipped({ sellerId }), uncountDay(purchase), countUndelivered(purchase, 'failed', at)];
}
