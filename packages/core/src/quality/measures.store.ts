import { and, asc, eq, gte, lt, lte, ne, sql } from 'drizzle-orm';
import { asJson, build, excluded, isOneOf } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { listingMeasures, probeDays, qualityBuyers, qualityDays } from '../db/tables/statistics.ts';
import { forgetProbesBefore } from '../delivery/index.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { HoursOfDay, QualityDay } from './measure.rules.ts';
import type { QualityStatement } from './quality.schema.ts';

const DAY_FIELDS = {
  day: qualityDays.day,
  attempts: qualityDays.attempts,
  delivered: qualityDays.delivered,
  unavailable: qualityDays.unavailable,
  timedOut: qualityDays.timedOut,
  failed: qualityDays.failed,
  invalid: qualityDays.invalid,
  declined: qualityDays.declined,
  schemaChecked: qualityDays.schemaChecked,
  schemaValid: qualityDays.schemaValid,
  latency: qualityDays.latency,
  upHours: qualityDays.upHours,
  downHours: qualityDays.downHours,
};

/** Attempts came in since the last measure, which is not fresh; or it is so old that days have left its window. */
const due = query((p: Params<{ freshSince: IsoTime; oldSince: IsoTime; limit: number }>) => {
  const isFresh = sql`EXISTS (SELECT 1 FROM ${listingMeasures} AS last
    WHERE last.listing_id = ${qualityDays.listingId} AND last.measured_at > ${p.freshSince})`;
  return build
    .select({ listingId: sql<string>`listing_id` })
    .from(
      sql`(SELECT DISTINCT ${qualityDays.listingId} FROM ${qualityDays}
          WHERE ${lt(qualityDays.measuredAttempts, qualityDays.attempts)} AND NOT ${isFresh}
        UNION SELECT listing_id FROM ${listingMeasures} WHERE ${lte(listingMeasures.measuredAt, p.oldSince)})`,
    )
    .limit(p.limit);
});

export async function listDue(
  market: Database,
  values: { readonly freshSince: IsoTime; readonly oldSince: IsoTime; readonly limit: number },
): Promise<string[]> {
  return (await due.all(market, values)).map(({ listingId }) => listingId);
}

const daysOf = query((p: Params<{ listingIds: readonly string[]; since: string }>) =>
  build
    .select({ listingId: qualityDays.listingId, sellerId: qualityDays.sellerId, ...DAY_FIELDS })
    .from(qualityDays)
    .where(and(isOneOf(qualityDays.listingId, p.listingIds), gte(qualityDays.day, p.since)))
    .orderBy(asc(qualityDays.day)),
);

export type DayOfListing = QualityDay & { readonly listingId: string; readonly sellerId: string };

/** The days of these listings on which anybody had them asked, the first one first. */
export function readDays(
  market: Database,
  listingIds: readonly string[],
  since: string,
): Promise<DayOfListing[]> {
  return daysOf.all(market, { listingIds, since });
}

const probes = query((p: Params<{ sellerIds: readonly string[]; since: string }>) =>
  build
    .select({
      sellerId: probeDays.sellerId,
      day: probeDays.day,
      upHours: probeDays.upHours,
      downHours: probeDays.downHours,
    })
    .from(probeDays)
    .where(and(isOneOf(probeDays.sellerId, p.sellerIds), gte(probeDays.day, p.since))),
);

/** The hours in which these sellers' endpoints were probed. */
export function readProbes(
  market: Database,
  sellerIds: readonly string[],
  since: string,
): Promise<(HoursOfDay & { readonly sellerId: string })[]> {
  return probes.all(market, { sellerIds, since });
}

const buyers = query((p: Params<{ listingIds: readonly string[]; since: string }>) =>
  build
    .select({ listingId: qualityBuyers.listingId, count: sql<number>`COUNT(*)` })
    .from(qualityBuyers)
    .where(
      and(
        isOneOf(qualityBuyers.listingId, p.listingIds),
        gte(qualityBuyers.day, p.since),
        ne(qualityBuyers.buyer, ''),
      ),
    )
    .groupBy(qualityBuyers.listingId),
);

/** Buyers that can be told apart. */
export async function countBuyers(
  market: Database,
  listingIds: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await buyers.all(market, { listingIds, since });
  return new Map(rows.map(({ listingId, count }) => [listingId, count]));
}

const put = write((p: Params<typeof listingMeasures.$inferSelect>) =>
  build
    .insert(listingMeasures)
    .values({
      listingId: p.listingId,
      successRate: p.successRate,
      p95Ms: p.p95Ms,
      statement: p.statement,
      measuredAt: p.measuredAt,
    })
    .onConflictDoUpdate({
      target: listingMeasures.listingId,
      set: excluded(listingMeasures, 'successRate', 'p95Ms', 'statement', 'measuredAt'),
    }),
);

const remove = write((p: Params<{ listingId: string }>) =>
  build.delete(listingMeasures).where(eq(listingMeasures.listingId, p.listingId)),
);

/** Makes known what was measured of a listing, or that there is too little to measure. */
export function saveMeasure(listingId: string, statement: QualityStatement | null): Statement {
  if (statement === null) return remove({ listingId });
  const { successRate, p95Ms, measuredAt } = statement.statement;
  return put({ listingId, successRate, p95Ms, statement, measuredAt });
}

const setMeasured = write(
  (p: Params<{ days: readonly Pick<DayOfListing, 'listingId' | 'day' | 'attempts'>[] }>) =>
    build
      .update(qualityDays)
      .set({ measuredAttempts: sql`made.value ->> 'attempts'` })
      .from(sql`json_each(${asJson(p.days)}) AS made`)
      .where(
        sql`${qualityDays.listingId} = made.value ->> 'listingId' AND ${qualityDays.day} = made.value ->> 'day'`,
      ),
);

/** The measure knows of as many attempts as were read; what came in since keeps its listing waiting. */
export function markMeasured(days: readonly DayOfListing[]): Statement {
  return setMeasured({ days: days.map(({ listingId, day, attempts }) => ({ listingId, day, attempts })) });
}

const PAGE = 1000;

const forgetDays = write((p: Params<{ before: string }>) => {
  const { listingId, day } = qualityDays;
  const over = build.select({ listingId, day }).from(qualityDays).where(lt(day, p.before)).limit(PAGE);
  return build.delete(qualityDays).where(sql`(${listingId}, ${day}) IN ${over}`);
});
const forgetBuyers = write((p: Params<{ before: string }>) => {
  const { listingId, buyer, day } = qualityBuyers;
  const over = build.select({ listingId, buyer }).from(qualityBuyers).where(lt(day, p.before)).limit(PAGE);
  return build.delete(qualityBuyers).where(sql`(${listingId}, ${buyer}) IN ${over}`);
});

/** Deletes what is in no measure any more, a page of each: the next run continues. */
export function forgetBefore(day: string): Statement[] {
  return [forgetDays({ before: day }), forgetBuyers({ before: day }), forgetProbesBefore(day)];
}
