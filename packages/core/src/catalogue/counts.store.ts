import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import type { Database } from '../kernel/ports/database.ts';

const listingCounts = prepared(sql`SELECT vertical_slug AS slug, SUM(documents) AS count FROM facets
  WHERE is_sample = 0 GROUP BY vertical_slug`);

/** Active listings in each vertical, reference listings left out. */
export async function countListings(search: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await search.all<{ slug: string; count: number }>(listingCounts({}));
  return new Map(rows.map(({ slug, count }) => [slug, count]));
}
