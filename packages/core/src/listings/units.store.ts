import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CountedPurchase } from '../agents/index.ts';
import { asInteger, build } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { payments } from '../db/tables/sales.ts';
import type { Statement } from '../kernel/ports/database.ts';

export interface ListingVersion {
  readonly listingId: string;
  readonly listingVersion: number;
}

/** What is sold is what the buyer was shown: a listing of another version is not sold. */
export const isOnSale = (p: Params<ListingVersion>): SQL | undefined =>
  and(
    eq(listings.id, p.listingId),
    eq(listings.status, 'active'),
    eq(listings.version, asInteger(p.listingVersion)),
  );

const oneMoreSold = { soldCount: sql`${listings.soldCount} + 1` };
const oneMorePurchase = { purchaseCount: sql`${listings.purchaseCount} + 1` };

const reserve = write((p: Params<ListingVersion>) =>
  build.update(listings).set(oneMoreSold).where(isOnSale(p)),
);
const take = write((p: Params<CountedPurchase & ListingVersion>) =>
  build
    .update(listings)
    .set({ ...oneMoreSold, ...oneMorePurchase })
    .where(isOnSale(p)),
);
const count = write((p: Params<CountedPurchase>) =>
  build.update(listings).set(oneMorePurchase).where(eq(listings.id, p.listingId)),
);

type UnitOfPurchase = Pick<CountedPurchase, 'id' | 'listingId'>;

/** Of the purchase's listing, if the purchase holds no unit of it, or holds one. */
function isHeld(p: Params<UnitOfPurchase>, units: 0 | 1): SQL | undefined {
  const held = build
    .select({ units: payments.holdsUnit })
    .from(payments)
    .where(eq(payments.purchaseId, p.id));
  return and(eq(listings.id, p.listingId), sql`${held} = ${units}`);
}

const reservePaid = write((p: Params<UnitOfPurchase>) =>
  build.update(listings).set(oneMoreSold).where(isHeld(p, 0)),
);
const giveBack = write((p: Params<UnitOfPurchase>) =>
  build
    .update(listings)
    .set({ soldCount: sql`${listings.soldCount} - 1` })
    .where(isHeld(p, 1)),
);

/** Reserves a unit, unless the listing was changed or taken off: follow it with a guard. */
export function reserveUnit({ listingId, listingVersion }: ListingVersion): Statement {
  return reserve({ listingId, listingVersion });
}

/** Reserves a unit for a purchase that holds none yet, whatever became of its listing. */
export function reservePaidUnit({ id, listingId }: UnitOfPurchase): Statement {
  return reservePaid({ id, listingId });
}

/** Gives the unit back that a purchase holds, if it does; the record that it holds one changes after this. */
export function giveUnitBack({ id, listingId }: UnitOfPurchase): Statement {
  return giveBack({ id, listingId });
}

/** Counts a purchase and takes its unit, unless the listing was changed or taken off: follow it with a guard. */
export function takeUnitAndCount(purchase: CountedPurchase & ListingVersion): Statement {
  return take(purchase);
}

/** Counts a purchase whose unit was reserved before. */
export function countPurchase(purchase: CountedPurchase): Statement {
  return count(purchase);
}
