import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database } from '../kernel/ports/database.ts';

const titles = prepared<{ account: string; limit: number; offset: number }>(
  sql`SELECT DISTINCT ${purchases.id} AS purchaseId, title
    FROM (SELECT posting_id FROM ${ledgerEntries} WHERE account = ${sql.placeholder('account')}
      ORDER BY id DESC LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}) AS page
    JOIN ${ledgerPostings} ON ${ledgerPostings.id} = page.posting_id
    JOIN ${purchases} ON ${purchases.id} = ${ledgerPostings.reference}
    JOIN ${listings} ON ${listings.id} = ${purchases.listingId}`,
);

/**
 * The titles of what was bought, by purchase, of the same page of an account's statement. Asked for together
 * with that page, it is read in the same round trip, and of the same moment.
 */
export async function readTitles(
  db: Database,
  account: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all<{ purchaseId: string; title: string }>(titles({ account, limit, offset }));
  return new Map(rows.map(({ purchaseId, title }) => [purchaseId, title]));
}
