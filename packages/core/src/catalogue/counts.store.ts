import { eq, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { query } from '../db/query.ts';
import { facets } from '../db/tables/search.ts';
import type { Database } from '../kernel/ports/database.ts';

const listingCounts = query(() =>
  build
    .select({ slug: facets.verticalSlug, count: sql<number>`SUM(${facets.documents})` })
    .from(facets)
    .where(eq(facets.isSample, false))
    .groupBy(facets.verticalSlug),
);

/** Active listings in each vertical, reference listings left out. */
export async function countListings(search: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await listingCounts.all(search);
  return new Map(rows.map(({ slug, count }) => [slug, count]));
}
