import { and, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { accountRecoveries } from '../../db/tables/agent-keys.ts';
import { agents } from '../../db/tables/agents.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

export type Recovery = typeof accountRecoveries.$inferSelect;

/** As many accounts of one address as a request is mailed links for. */
const MAX_ACCOUNTS = 5;

const FOUND = { agentId: agents.id, address: sql<string>`${agents.email}` };
const isRecoverable = (changedBefore: unknown) =>
  sql`${agents.emailVerifiedAt} IS NOT NULL AND ${agents.isSmokeTest} = 0
    AND (${agents.emailChangedAt} IS NULL OR ${agents.emailChangedAt} <= ${changedBefore})`;

const byAddress = query((p: Params<{ address: string; changedBefore: IsoTime }>) =>
  build
    .select(FOUND)
    .from(agents)
    .where(sql`lower(${agents.email}) = lower(${p.address}) AND ${isRecoverable(p.changedBefore)}`)
    .limit(MAX_ACCOUNTS),
);
const byHandle = query((p: Params<{ handle: string; changedBefore: IsoTime }>) =>
  build
    .select(FOUND)
    .from(agents)
    .where(and(eq(agents.handle, p.handle), isRecoverable(p.changedBefore))),
);

/** The accounts that mail to a verified address may recover: none whose address was changed since. */
export async function findRecoverable(
  market: Database,
  { email, handle }: { readonly email: string | undefined; readonly handle: string | undefined },
  changedBefore: IsoTime,
): Promise<{ agentId: string; address: string }[]> {
  if (email !== undefined) return byAddress.all(market, { address: email, changedBefore });
  return handle === undefined ? [] : byHandle.all(market, { handle, changedBefore });
}

export const insertRecovery = (
  row: Pick<Recovery, 'id' | 'agentId' | 'requestedAt' | 'linkExpiresAt'>,
): Statement => insertInto(accountRecoveries, row);

const one = query((p: Params<{ id: string }>) =>
  build
    .select({
      id: accountRecoveries.id,
      agentId: accountRecoveries.agentId,
      requestedAt: accountRecoveries.requestedAt,
      linkExpiresAt: accountRecoveries.linkExpiresAt,
      openedAt: accountRecoveries.openedAt,
      effectiveAt: accountRecoveries.effectiveAt,
      cancelledAt: accountRecoveries.cancelledAt,
      completedAt: accountRecoveries.completedAt,
    })
    .from(accountRecoveries)
    .where(eq(accountRecoveries.id, p.id)),
);

export const findRecovery = (market: Database, id: string): Promise<Recovery | null> =>
  one.first(market, { id });

const isUndecided = and(isNull(accountRecoveries.cancelledAt), isNull(accountRecoveries.completedAt));

const open = write((p: Params<{ id: string; at: IsoTime; effectiveAt: IsoTime }>) =>
  build
    .update(accountRecoveries)
    .set({ openedAt: p.at, effectiveAt: p.effectiveAt })
    .where(
      and(
        eq(accountRecoveries.id, p.id),
        isNull(accountRecoveries.openedAt),
        gt(accountRecoveries.linkExpiresAt, p.at),
        isUndecided,
      ),
    ),
);
const complete = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(accountRecoveries)
    .set({ completedAt: p.at })
    .where(
      and(
        eq(accountRecoveries.id, p.id),
        isNotNull(accountRecoveries.effectiveAt),
        lte(accountRecoveries.effectiveAt, p.at),
        isUndecided,
      ),
    ),
);

const RECOVERY_OPEN = 'recovery_open';

/** The delay begins. Aborts unless the link still works and was not opened before. */
export function beginDelay(id: string, at: IsoTime, effectiveAt: IsoTime): Statement[] {
  return [open({ id, at, effectiveAt }), guardOneChange(RECOVERY_OPEN)];
}

/** Aborts unless its delay is over and nobody cancelled or completed it. */
export function endRecovery(id: string, at: IsoTime): Statement[] {
  return [complete({ id, at }), guardOneChange(RECOVERY_OPEN)];
}

export const isRecoveryOver = (error: unknown): boolean => isGuard(error, RECOVERY_OPEN);

const cancel = write((p: Params<{ agentId: string; at: IsoTime }>) =>
  build
    .update(accountRecoveries)
    .set({ cancelledAt: p.at })
    .where(and(eq(accountRecoveries.agentId, p.agentId), isUndecided)),
);

/** Ends every recovery of the account that is not complete. */
export const cancelRecoveries = (agentId: string, at: IsoTime): Statement => cancel({ agentId, at });

const opened = query((p: Params<{ agentId: string; since: IsoTime | '' }>) =>
  build
    .select({ effectiveAt: sql<IsoTime>`${accountRecoveries.effectiveAt}` })
    .from(accountRecoveries)
    .where(
      and(
        eq(accountRecoveries.agentId, p.agentId),
        isNotNull(accountRecoveries.openedAt),
        gt(accountRecoveries.effectiveAt, p.since),
        isUndecided,
      ),
    )
    .orderBy(accountRecoveries.effectiveAt)
    .limit(1),
);

/** The first recovery whose delay began and ends, or ended, after `since`, and that nobody cancelled or completed. */
export const findOpenedRecovery = (
  market: Database,
  agentId: string,
  since: IsoTime | '' = '',
): Promise<{ effectiveAt: IsoTime } | null> => opened.first(market, { agentId, since });
