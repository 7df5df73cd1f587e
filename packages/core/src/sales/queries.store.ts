import { and, eq, inArray, isNotNull, isNull, lte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { purchases } from '../db/tables/purchases.ts';
import { answers } from '../db/tables/sales.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { dayOf, type IsoTime, isoTime } from '../kernel/time.ts';
import { LINK_MS, QUERY_MS } from './sale-terms.rules.ts';

const PAGE = 500;

type QueryColumn = 'query' | 'sealedQuery';

const over = (isOver: SQL | undefined, column: QueryColumn = 'query') =>
  build
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(isNotNull(purchases[column]), isOver))
    .limit(PAGE);

const forgetWhere = (isOver: SQL | undefined, column: QueryColumn = 'query') =>
  build
    .update(purchases)
    .set({ [column]: null })
    .where(sql`${purchases.id} IN ${over(isOver, column)}`);

const isUnsold = inArray(purchases.status, ['refunded', 'expired', 'failed']);
const isKeyless = isNull(purchases.buyerId);
const isAgents = isNotNull(purchases.buyerId);

// One statement for each: with OR between the conditions, SQLite looks through the whole index.
const forgetUnsoldSealed = write(() => forgetWhere(isUnsold, 'sealedQuery'));
const forgetUnsold = write(() => forgetWhere(and(isKeyless, isUnsold)));
const forgetUnsoldOfAgents = write(() => forgetWhere(and(isAgents, isUnsold)));

const areLinksOver = (p: { readonly linksOverSince: Placeholder<'linksOverSince', IsoTime> }) =>
  and(eq(purchases.status, 'released'), lte(purchases.deliveredAt, p.linksOverSince));

const forgetSoldSealed = write((p: Params<{ linksOverSince: IsoTime }>) =>
  forgetWhere(areLinksOver(p), 'sealedQuery'),
);

const forgetSold = write((p: Params<{ linksOverSince: IsoTime }>) =>
  forgetWhere(and(isKeyless, areLinksOver(p))),
);

const isDelivered = inArray(purchases.status, ['held', 'releasing', 'released']);

const forgetOldSealed = write((p: Params<{ oldSince: IsoTime }>) =>
  forgetWhere(and(isDelivered, lte(purchases.deliveredAt, p.oldSince)), 'sealedQuery'),
);

const forgetOld = write((p: Params<{ oldSince: IsoTime }>) =>
  forgetWhere(and(isKeyless, isDelivered, lte(purchases.deliveredAt, p.oldSince))),
);

/**
 * Ends the answers of old purchases; a trigger deletes the query of a purchase whose seller is not asked again. Without
 * its query the seller would be asked something else.
 */
const endOldAnswers = write((p: Params<{ oldSince: IsoTime; now: IsoTime; day: string }>) => {
  const old = over(and(isAgents, isDelivered, lte(purchases.deliveredAt, p.oldSince)));
  return insertFrom(
    answers,
    { purchaseId: purchases.id, givenAt: purchases.deliveredAt, day: p.day, endedAt: p.now },
    (select) => select.from(purchases).where(inArray(purchases.id, old)),
  ).onConflictDoUpdate({
    target: answers.purchaseId,
    set: { endedAt: sql`COALESCE(${answers.endedAt}, excluded.ended_at)` },
  });
});

/** Deletes what purchases asked for, once nobody can have it answered again. */
export async function forgetQueries({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  const at = clock.now();
  const now = isoTime(at);
  await market.commit([
    forgetUnsoldSealed(),
    forgetUnsold(),
    forgetUnsoldOfAgents(),
    forgetSoldSealed({ linksOverSince: isoTime(at - LINK_MS) }),
    forgetSold({ linksOverSince: isoTime(at - LINK_MS) }),
    forgetOldSealed({ oldSince: isoTime(at - QUERY_MS) }),
    forgetOld({ oldSince: isoTime(at - QUERY_MS) }),
    endOldAnswers({ oldSince: isoTime(at - QUERY_MS), now, day: dayOf(now) }),
  ]);
}
