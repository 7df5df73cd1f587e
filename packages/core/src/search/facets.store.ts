import { sql } from 'drizzle-orm';
import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../catalogue/index.ts';
import { build } from '../db/build.ts';
import type { Params } from '../db/query.ts';
import { documents } from '../db/tables/search.ts';
import { conditions, type SearchValues } from './conditions.store.ts';
import { PRICE_BANDS } from './facets.rules.ts';
import type { BrowseFilter } from './search.rules.ts';
import { matchesOf, planOf } from './words.store.ts';

const { priceCents } = documents;
const band = sql.join(
  PRICE_BANDS.slice(1).map((minCents) => sql`(${priceCents} >= ${minCents})`),
  sql` + `,
);

/** What all documents that match have in common, counted: in the same round trip as the page of them. */
export function facetsQuery(p: Params<SearchValues>, filter: BrowseFilter) {
  const counted = sql`SELECT ${documents.categorySlug} AS category, ${documents.verticalSlug} AS vertical, ${band} AS price_band,
    CAST(COALESCE(${documents.ratingAvg}, 0) AS INTEGER) AS stars,
    COALESCE(${priceCents} > 0 AND ${priceCents} BETWEEN ${p.cardMinCents} AND ${p.cardMaxCents}, 0) AS by_card,
    COALESCE(${priceCents} > 0 AND ${priceCents} >= ${p.x402MinCents} AND ${documents.verticalSlug} <> ${PERSONAL_HEALTH_VERTICAL_SLUG}, 0) AS by_x402,
    COUNT(*) AS documents`;
  // Without words the texts are not read: the index has all that is counted.
  const rows =
    filter.words === null
      ? sql`${counted} FROM ${documents} INDEXED BY documents_facets WHERE ${conditions(p, filter)}`
      : sql`${planOf(p, filter)} ${counted} FROM ${matchesOf(p, filter)}`;
  return build
    .select({
      category: sql<string>`category`,
      vertical: sql<string>`vertical`,
      priceBand: sql<number>`price_band`,
      stars: sql<number>`stars`,
      byCard: sql<number>`by_card`,
      byX402: sql<number>`by_x402`,
      documents: sql<number>`documents`,
    })
    .from(sql`(${rows} GROUP BY 1, 2, 3, 4, 5, 6)`);
}
