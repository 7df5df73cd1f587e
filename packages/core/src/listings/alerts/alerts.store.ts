import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, sql } from 'drizzle-orm';
import { asInteger, asJson, build, isOneOf } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { listingActivations, searchAlerts } from '../../db/tables/listings.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

export type Alert = typeof searchAlerts.$inferSelect;

const ALERT_MATCHED = 'alert_matched_already';

export const insertAlert = (alert: Alert): Statement => insertInto(searchAlerts, alert);

export const hasTooManyAlerts = (error: unknown): boolean => isGuard(error, 'too_many_alerts');

const ofAgent = query((p: Params<{ agentId: string }>) =>
  build
    .select(getTableColumns(searchAlerts))
    .from(searchAlerts)
    .where(eq(searchAlerts.agentId, p.agentId))
    .orderBy(desc(searchAlerts.createdAt), desc(searchAlerts.id)),
);

/** Newest first. They are few: so many may be open, and what was found is kept for a month. */
export const listAlertsOf = (market: Database, agentId: string): Promise<Alert[]> =>
  ofAgent.all(market, { agentId });

const remove = write((p: Params<{ id: string; agentId: string }>) =>
  build.delete(searchAlerts).where(and(eq(searchAlerts.id, p.id), eq(searchAlerts.agentId, p.agentId))),
);

export const deleteAlertOf = (agentId: string, id: string): Statement => remove({ id, agentId });

const ofId = query((p: Params<{ id: string; agentId: string }>) =>
  build
    .select({ id: searchAlerts.id })
    .from(searchAlerts)
    .where(and(eq(searchAlerts.id, p.id), eq(searchAlerts.agentId, p.agentId))),
);

export async function hasAlert(market: Database, agentId: string, id: string): Promise<boolean> {
  return (await ofId.first(market, { id, agentId })) !== null;
}

const reading = query(() =>
  build.select({ activations: listingActivations.activations }).from(listingActivations),
);

/** How many listings came on the market so far. */
export async function readActivations(market: Database): Promise<number> {
  return (await reading.first(market))?.activations ?? 0;
}

const address = query((p: Params<{ agentId: string }>) =>
  build.select({ verifiedAt: agents.emailVerifiedAt }).from(agents).where(eq(agents.id, p.agentId)),
);

export async function hasVerifiedAddress(market: Database, agentId: string): Promise<boolean> {
  return (await address.first(market, { agentId }))?.verifiedAt != null;
}

const unchecked = query((p: Params<{ activations: number; now: IsoTime; limit: number }>) =>
  build
    .select(getTableColumns(searchAlerts))
    .from(searchAlerts)
    .where(
      and(
        isNull(searchAlerts.matchedAt),
        lt(searchAlerts.checked, asInteger(p.activations)),
        gt(searchAlerts.expiresAt, p.now),
      ),
    )
    .orderBy(asc(searchAlerts.checked))
    .limit(p.limit),
);

/** Those that were looked at longest ago, of listings that came since. */
export const listUnchecked = (
  market: Database,
  values: { readonly activations: number; readonly now: IsoTime; readonly limit: number },
): Promise<Alert[]> => unchecked.all(market, values);

const setChecked = write((p: Params<{ ids: readonly string[]; activations: number }>) =>
  build
    .update(searchAlerts)
    .set({ checked: asInteger(p.activations) })
    .where(isOneOf(searchAlerts.id, p.ids)),
);

export const markChecked = (ids: readonly string[], activations: number): Statement =>
  setChecked({ ids, activations });

const setMatched = write(
  (p: Params<{ id: string; at: IsoTime; until: IsoTime; listingIds: readonly string[] }>) =>
    build
      .update(searchAlerts)
      .set({ matchedAt: p.at, expiresAt: p.until, listingIds: sql`${asJson(p.listingIds)}` })
      .where(and(eq(searchAlerts.id, p.id), isNull(searchAlerts.matchedAt))),
);

/** Once: of two runs at the same time, one aborts with what it would have told. */
export const markMatched = (
  id: string,
  listingIds: readonly string[],
  at: IsoTime,
  until: IsoTime,
): Statement[] => [setMatched({ id, at, until, listingIds }), guardOneChange(ALERT_MATCHED)];

export const isMatchedAlready = (error: unknown): boolean => isGuard(error, ALERT_MATCHED);

const deleteEnded = write((p: Params<{ now: IsoTime; limit: number }>) =>
  build
    .delete(searchAlerts)
    .where(
      sql`${searchAlerts.id} IN (SELECT id FROM ${searchAlerts} WHERE expires_at <= ${p.now} LIMIT ${p.limit})`,
    ),
);

export const deleteEndedAlerts = (now: IsoTime, limit: number): Statement => deleteEnded({ now, limit });
