import type { Database } from '../kernel/ports/database.ts';
import { readYearBounds } from './read-statement.ts';
import type { StatementTotals } from './statement.rules.ts';
import { listSellersWithEntries, readTotals, type SellerWithEntries } from './statements.store.ts';

export type SellerYear = SellerWithEntries & { readonly totals: StatementTotals };

/** What each seller sold, gave back and was paid in a year, by id; `nextAfter` is null at the end. */
export async function readAnnualTotals(
  db: Database,
  year: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly sellers: readonly SellerYear[]; readonly nextAfter: string | null }> {
  const bounds = await readYearBounds(db, year);
  const found = await listSellersWithEntries(db, bounds, { after, limit: limit + 1 });
  const sellers = await Promise.all(
    found.slice(0, limit).map(async (seller) => {
      const { totals } = await readTotals(db, seller.sellerId, bounds);
      return { ...seller, totals };
    }),
  );
  return { nextAfter: found.length > limit ? (sellers.at(-1)?.sellerId ?? null) : null, sellers };
}
