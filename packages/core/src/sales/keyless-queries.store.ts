import { and, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { LINK_MS } from './sale-terms.rules.ts';

const PAGE = 500;

const forgetWhere = (isOver: SQL | undefined) => {
  const over = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(isNull(purchases.buyerId), isNotNull(purchases.query), isOver))
    .limit(PAGE);
  return build.update(purchases).set({ query: null }).where(sql`${purchases.id} IN ${over}`);
};

// Two statements: with OR between the conditions, SQLite looks through the whole index.
const forgetUnsold = write(() => forgetWhere(inArray(purchases.status, ['refunded', 'expired', 'failed'])));

const forgetSold = write((p: Params<{ linksOverSince: IsoTime }>) =>
  forgetWhere(and(eq(purchases.status, 'released'), lte(purchases.deliveredAt, p.linksOverSince))),
);

/** Deletes what purchases without a key asked for, once no link can have it answered again. */
export async function forgetKeylessQueries({
  market,
  clock,
}: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  const linksOverSince = isoTime(clock.now() - LINK_MS);
  await market.commit([forgetUnsold(), forgetSold({ linksOverSince })]);
}
