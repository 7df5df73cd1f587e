import { type SQL, sql } from 'drizzle-orm';
import { prepared, statement } from '../db/statement.ts';
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
function counts(subject: 'seller' | 'listing'): SQL {
  const value = (name: keyof CountedPurchase) => sql.placeholder(name);
  const isSame = subject === 'seller' ? sql`TRUE` : sql`listing_id = ${value('listingId')}`;
  return sql`(CAST(${value('amountCents')} AS INTEGER) > 0 OR (${value('buyerId')} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${purchases} WHERE buyer_id = ${value('buyerId')} AND seller_id = ${value('sellerId')} AND ${isSame}
      AND amount_cents = 0 AND content_digest IS NOT NULL AND purchases.id <> ${value('id')})))`;
}

const unitAndPurchase = prepared<CountValues & { listingVersion: number }>(sql`UPDATE ${listings}
  SET sold_count = sold_count + 1, purchase_count = purchase_count + 1,
    popularity = popularity + ${counts('listing')}
  WHERE id = ${sql.placeholder('listingId')} AND status = 'active'
    AND version = CAST(${sql.placeholder('listingVersion')} AS INTEGER)`);
const purchased = prepared<CountValues>(sql`UPDATE ${listings} SET purchase_count = purchase_count + 1,
    popularity = popularity + ${counts('listing')}
  WHERE id = ${sql.placeholder('listingId')}`);
const delivered = prepared<CountValues>(sql`UPDATE ${sellers} SET delivered_count = delivered_count + 1
  WHERE agent_id = ${sql.placeholder('sellerId')} AND ${counts('seller')}`);
const undelivered = prepared<CountValues>(sql`UPDATE ${sellers} SET failed_count = failed_count + 1
  WHERE agent_id = ${sql.placeholder('sellerId')} AND ${counts('seller')}`);

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
  return statement(sql`UPDATE ${sellers} SET failed_count = failed_count + 1,
    delivered_count = MAX(0, delivered_count - 1) WHERE agent_id = ${sellerId}`);
}

function valuesOf({ id, sellerId, listingId, buyerId, amountCents }: CountedPurchase): CountValues {
  return { id, sellerId, listingId, buyerId, amountCents };
}
