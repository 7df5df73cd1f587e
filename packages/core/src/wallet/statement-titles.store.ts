import { desc, eq } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database } from '../kernel/ports/database.ts';

const titles = query((p: Params<{ account: string; limit: number; offset: number }>) => {
  const page = build
    .select({ postingId: ledgerEntries.postingId })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.account, p.account))
    .orderBy(desc(ledgerEntries.id))
    .limit(p.limit)
    .offset(p.offset)
    .as('page');
  return build
    .selectDistinct({ purchaseId: purchases.id, title: listings.title })
    .from(page)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, page.postingId))
    .innerJoin(purchases, eq(purchases.id, ledgerPostings.reference))
    .innerJoin(listings, eq(listings.id, purchases.listingId));
});

/**
 * The titles of what was bought, by purchase, of the same page of an account's statement. Asked for together
 * with that page, it is read in the same round trip, and of the same moment.
 */
export async function readTitles(
  db: Database,
  account: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ReadonlyMap<string, string>> {
  const rows = await titles.all(db, { account, limit, offset });
  return new Map(rows.map(({ purchaseId, title }) => [purchaseId, title]));
}
