import { and, asc, eq, isNotNull, lt, lte, sql } from 'drizzle-orm';
import { asBoolean, asInteger, asJson, build, named } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertWhere } from '../../db/insert-from.ts';
import { type Params, query, write } from '../../db/query.ts';
import { deliveryEndpoints } from '../../db/tables/delivery.ts';
import { listings } from '../../db/tables/listings.ts';
import { probeDays, qualityDays } from '../../db/tables/statistics.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { dayOf, hourBit, type IsoTime } from '../../kernel/time.ts';
import { hasEndpoint } from '../endpoints.store.ts';
import {
  afterAnswer,
  afterSilence,
  type DueEndpoint,
  type Postponement,
  type Silence,
} from './probes.rules.ts';

type EndpointRow = typeof deliveryEndpoints.$inferSelect;

/** A due endpoint with all that a challenge of it needs. */
export interface ProbedEndpoint
  extends DueEndpoint,
    Pick<EndpointRow, 'callbackUrl' | 'callbackType' | 'mcpRevision' | 'verifiedAt'> {}

const due = query((p: Params<{ now: IsoTime; answeredSince: string; limit: number }>) =>
  build
    .select({
      sellerId: deliveryEndpoints.sellerId,
      callbackUrl: deliveryEndpoints.callbackUrl,
      callbackType: deliveryEndpoints.callbackType,
      mcpRevision: deliveryEndpoints.mcpRevision,
      callbackHost: deliveryEndpoints.callbackHost,
      verifiedAt: deliveryEndpoints.verifiedAt,
      probeAt: deliveryEndpoints.probeAt,
      silentSince: deliveryEndpoints.silentSince,
      failedProbes: deliveryEndpoints.failedProbes,
      unreachableSince: deliveryEndpoints.unreachableSince,
      hasListings: asBoolean(sql`EXISTS (SELECT 1 FROM ${listings}
        WHERE ${listings.sellerId} = ${deliveryEndpoints.sellerId} AND ${listings.status} = 'active')`),
      hasAnswered:
        asBoolean(sql`${deliveryEndpoints.silentSince} IS NULL AND EXISTS (SELECT 1 FROM ${qualityDays}
        WHERE ${qualityDays.sellerId} = ${deliveryEndpoints.sellerId} AND ${qualityDays.day} >= ${p.answeredSince}
          AND ${qualityDays.upHours} <> 0)`),
    })
    .from(deliveryEndpoints)
    .where(lte(deliveryEndpoints.probeAt, p.now))
    .orderBy(asc(deliveryEndpoints.probeAt))
    .limit(p.limit),
);

/** Those that have been due longest. */
export function listDueEndpoints(
  market: Database,
  values: { readonly now: IsoTime; readonly answeredSince: string; readonly limit: number },
): Promise<ProbedEndpoint[]> {
  return due.all(market, values);
}

const postpone = query((p: Params<{ postponed: readonly Postponement[] }>) =>
  build
    .update(deliveryEndpoints)
    .set({ probeAt: sql`next.value ->> 'to'` })
    .from(sql`json_each(${asJson(p.postponed)}) AS next`)
    .where(
      and(
        eq(deliveryEndpoints.sellerId, sql`next.value ->> 'sellerId'`),
        eq(deliveryEndpoints.probeAt, sql`next.value ->> 'from'`),
      ),
    )
    .returning(named({ sellerId: deliveryEndpoints.sellerId })),
);

/** Sets new times, where no other run did. Returns the sellers whose time this run has set. */
export async function claimEndpoints(
  market: Database,
  postponed: readonly Postponement[],
): Promise<ReadonlySet<string>> {
  const [rows] = await market.commit([postpone.statement({ postponed })]);
  return new Set(postpone.rows(rows).map(({ sellerId }) => sellerId));
}

const silent = write((p: Params<{ sellerId: string; at: IsoTime; probeAt: IsoTime }>) =>
  build
    .update(deliveryEndpoints)
    .set({
      silentSince: sql`${p.at}`,
      probeAt: sql`iif(${deliveryEndpoints.probeAt} IS NULL, NULL, ${p.probeAt})`,
    })
    .where(
      and(
        eq(deliveryEndpoints.sellerId, p.sellerId),
        sql`${deliveryEndpoints.silentSince} IS NULL`,
        lte(deliveryEndpoints.verifiedAt, p.at),
      ),
    ),
);

/** A sale failed because nobody answered: a probe says in an hour whether that goes on. Writes nothing where it is known. */
export function markSilent(sellerId: string, at: IsoTime): Statement {
  return silent({ sellerId, at, probeAt: afterSilence(at) });
}

const answered = write((p: Params<{ sellerId: string; at: IsoTime; probeAt: IsoTime }>) =>
  build
    .update(deliveryEndpoints)
    .set({
      silentSince: sql`NULL`,
      failedProbes: sql`0`,
      recoveredAt: sql`iif(${deliveryEndpoints.unreachableSince} IS NULL, ${deliveryEndpoints.recoveredAt}, ${p.at})`,
      unreachableSince: sql`NULL`,
      probeAt: sql`iif(${deliveryEndpoints.probeAt} IS NULL, NULL, ${p.probeAt})`,
    })
    .where(and(eq(deliveryEndpoints.sellerId, p.sellerId), isNotNull(deliveryEndpoints.silentSince))),
);

/** The endpoint answered a buyer or a probe: it is not silent any more. Writes nothing where it was not. */
export function markAnswered(sellerId: string, at: IsoTime): Statement {
  return answered({ sellerId, at, probeAt: afterAnswer(at) });
}

const PROBED_AS_READ = 'probed_as_read';

/** Whether the endpoint answered a buyer, or was verified anew, while it was probed. */
export const isOvertakenProbe = (error: unknown): boolean => isGuard(error, PROBED_AS_READ);

type Failure = Pick<ProbedEndpoint, 'sellerId' | 'verifiedAt'> &
  Silence & { readonly claimedUntil: IsoTime; readonly probeAt: IsoTime | null };

const failed = write((p: Params<Failure>) =>
  build
    .update(deliveryEndpoints)
    .set({
      silentSince: sql`${p.silentSince}`,
      failedProbes: asInteger(p.failedProbes),
      unreachableSince: sql`${p.unreachableSince}`,
      probeAt: sql`${p.probeAt}`,
    })
    .where(
      and(
        eq(deliveryEndpoints.sellerId, p.sellerId),
        eq(deliveryEndpoints.verifiedAt, p.verifiedAt),
        eq(deliveryEndpoints.probeAt, p.claimedUntil),
      ),
    ),
);

/** Records a probe that was not answered. Aborts where the endpoint is not as it was when the probe was claimed. */
export function saveSilence(failure: Failure): Statement[] {
  return [failed(failure), guardOneChange(PROBED_AS_READ)];
}

const addHour = write((p: Params<{ sellerId: string; day: string; up: number; down: number }>) => {
  return insertWhere(
    probeDays,
    { sellerId: p.sellerId, day: p.day, upHours: p.up, downHours: p.down },
    hasEndpoint(p.sellerId),
  ).onConflictDoUpdate({
    target: [probeDays.sellerId, probeDays.day],
    set: {
      upHours: sql`${probeDays.upHours} | excluded.up_hours`,
      downHours: sql`${probeDays.downHours} | excluded.down_hours`,
    },
  });
});

/** Notes the hour of a probe, for the endpoint's uptime. */
export function countProbeHour(sellerId: string, at: IsoTime, isUp: boolean): Statement {
  const bit = hourBit(at);
  return addHour({ sellerId, day: dayOf(at), up: isUp ? bit : 0, down: isUp ? 0 : bit });
}

const recovered = query((p: Params<{ limit: number }>) =>
  build
    .select({ sellerId: deliveryEndpoints.sellerId, recoveredAt: deliveryEndpoints.recoveredAt })
    .from(deliveryEndpoints)
    .where(isNotNull(deliveryEndpoints.recoveredAt))
    .limit(p.limit),
);

/** Endpoints that answer again, whose sellers do not know yet. */
export async function listRecovered(
  market: Database,
  limit: number,
): Promise<{ readonly sellerId: string; readonly recoveredAt: IsoTime }[]> {
  const rows = await recovered.all(market, { limit });
  return rows.flatMap(({ sellerId, recoveredAt }) => (recoveredAt === null ? [] : { sellerId, recoveredAt }));
}

const forgetRecovery = write((p: Params<{ sellerId: string; recoveredAt: IsoTime }>) =>
  build
    .update(deliveryEndpoints)
    .set({ recoveredAt: sql`NULL` })
    .where(and(eq(deliveryEndpoints.sellerId, p.sellerId), eq(deliveryEndpoints.recoveredAt, p.recoveredAt))),
);

/** Commit it with what tells the seller: another run that told it aborts the rest. */
export function markRecoveryTold(recovery: { sellerId: string; recoveredAt: IsoTime }): Statement[] {
  return [forgetRecovery(recovery), guardOneChange(PROBED_AS_READ)];
}

const PAGE = 1000;
const forgetDays = write((p: Params<{ before: string }>) => {
  const over = build
    .select({ sellerId: probeDays.sellerId, day: probeDays.day })
    .from(probeDays)
    .where(lt(probeDays.day, p.before))
    .limit(PAGE);
  return build.delete(probeDays).where(sql`(${probeDays.sellerId}, ${probeDays.day}) IN ${over}`);
});

/** Deletes what is in no measure any more. */
export function forgetProbesBefore(day: string): Statement {
  return forgetDays({ before: day });
}
