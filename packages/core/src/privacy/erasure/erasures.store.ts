import { and, desc, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import { asInteger, build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents, erasures } from '../../db/tables/agents.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

export type Erasure = Omit<typeof erasures.$inferSelect, 'recordsEndedAt'>;

const COLUMNS = {
  agentId: erasures.agentId,
  digest: erasures.digest,
  requestedAt: erasures.requestedAt,
  dueAt: erasures.dueAt,
  givesUpBalance: erasures.givesUpBalance,
  givesUpCents: erasures.givesUpCents,
  postponements: erasures.postponements,
  cancelledAt: erasures.cancelledAt,
  cancelledBy: erasures.cancelledBy,
  erasedAt: erasures.erasedAt,
  listedAt: erasures.listedAt,
};

const ofAgent = query((p: Params<{ agentId: string }>) =>
  build.select(COLUMNS).from(erasures).where(eq(erasures.agentId, p.agentId)),
);

export function findErasure(market: Database, agentId: string): Promise<Erasure | null> {
  return ofAgent.first(market, { agentId });
}

type Requested = Pick<Erasure, 'agentId' | 'digest' | 'requestedAt' | 'dueAt'> & {
  givesUpBalance: number;
  givesUpCents: number;
};

const request = write(
  (
    p: Params<Requested>,
  ) => sql`INSERT INTO ${erasures} (agent_id, digest, requested_at, due_at, gives_up_balance, gives_up_cents)
    VALUES (${p.agentId}, ${p.digest}, ${p.requestedAt}, ${p.dueAt}, ${asInteger(p.givesUpBalance)},
      ${asInteger(p.givesUpCents)})
    ON CONFLICT (agent_id) DO UPDATE SET requested_at = excluded.requested_at, due_at = excluded.due_at,
      gives_up_balance = excluded.gives_up_balance, gives_up_cents = excluded.gives_up_cents, postponements = 0,
      cancelled_at = NULL, cancelled_by = NULL
    WHERE cancelled_at IS NOT NULL`,
);

const CHANGED = 'erasure_changed';

/** Aborts where one is due already. */
export function insertErasure({
  givesUpBalance,
  ...erasure
}: Omit<Requested, 'givesUpBalance'> & { givesUpBalance: boolean }): Statement[] {
  return [request({ ...erasure, givesUpBalance: givesUpBalance ? 1 : 0 }), guardOneChange(CHANGED)];
}

const isDue = and(isNull(erasures.cancelledAt), isNull(erasures.erasedAt));

const cancel = write(
  (p: Params<{ agentId: string; requestedAt: IsoTime; at: IsoTime; by: 'key' | 'link' }>) =>
    build
      .update(erasures)
      .set({ cancelledAt: p.at, cancelledBy: p.by })
      .where(and(eq(erasures.agentId, p.agentId), eq(erasures.requestedAt, p.requestedAt), isDue)),
);

/** Aborts where it is not due any more, or another one is. */
export function cancelDue(
  { agentId, requestedAt }: Pick<Erasure, 'agentId' | 'requestedAt'>,
  by: 'key' | 'link',
  at: IsoTime,
): Statement[] {
  return [cancel({ agentId, requestedAt, at, by }), guardOneChange(CHANGED)];
}

const finish = write((p: Params<{ agentId: string; requestedAt: IsoTime; at: IsoTime }>) =>
  build
    .update(erasures)
    .set({ erasedAt: p.at })
    .where(
      and(
        eq(erasures.agentId, p.agentId),
        eq(erasures.requestedAt, p.requestedAt),
        isDue,
        lte(erasures.dueAt, p.at),
      ),
    ),
);

/** To be committed with what is erased. Aborts where it was cancelled, or carried out, meanwhile. */
export function finishErasure({ agentId, requestedAt }: Erasure, at: IsoTime): Statement[] {
  return [finish({ agentId, requestedAt, at }), guardOneChange(CHANGED)];
}

const stillDue = write(
  (
    p: Params<{ agentId: string; requestedAt: IsoTime; at: IsoTime }>,
  ) => sql`INSERT INTO guards (name) SELECT ${CHANGED} WHERE NOT EXISTS (SELECT 1 FROM ${erasures}
    WHERE agent_id = ${p.agentId} AND requested_at = ${p.requestedAt} AND due_at <= ${p.at} AND ${isDue})`,
);

/** Aborts where it was cancelled, or carried out, meanwhile. */
export function requireDue({ agentId, requestedAt }: Erasure, at: IsoTime): Statement {
  return stillDue({ agentId, requestedAt, at });
}

export const isErasureChanged = (error: unknown): boolean => isGuard(error, CHANGED);

const open = query((p: Params<{ limit: number }>) =>
  build.select(COLUMNS).from(erasures).where(isDue).orderBy(erasures.dueAt).limit(p.limit),
);

/** Those whose time comes first. */
export function readOpenErasures(market: Database, limit: number): Promise<Erasure[]> {
  return open.all(market, { limit });
}

const waiting = query((p: Params<{ limit: number }>) =>
  build
    .select(COLUMNS)
    .from(erasures)
    .where(and(isDue, sql`${erasures.postponements} > 0`))
    .orderBy(erasures.requestedAt)
    .limit(p.limit),
);

/** Those that something held up, the longest first. */
export function readPostponed(market: Database, limit: number): Promise<Erasure[]> {
  return waiting.all(market, { limit });
}

const postponed = write((p: Params<{ agentId: string; requestedAt: IsoTime; dueAt: IsoTime }>) =>
  build
    .update(erasures)
    .set({ dueAt: p.dueAt, postponements: sql`${erasures.postponements} + 1` })
    .where(and(eq(erasures.agentId, p.agentId), eq(erasures.requestedAt, p.requestedAt), isDue)),
);

/** Something has to end first: it is looked at again then. */
export function postponeErasure({ agentId, requestedAt }: Erasure, dueAt: IsoTime): Statement {
  return postponed({ agentId, requestedAt, dueAt });
}

const done = query((p: Params<{ before: IsoTime; limit: number }>) =>
  build
    .select({ digest: erasures.digest, erasedAt: erasures.erasedAt })
    .from(erasures)
    .where(and(sql`${erasures.erasedAt} IS NOT NULL`, lt(erasures.erasedAt, p.before)))
    .orderBy(desc(erasures.erasedAt))
    .limit(p.limit),
);

/** Newest first. */
export function readErasures(market: Database, before: IsoTime, limit: number) {
  return done.all(market, { before, limit });
}

const unlisted = query((p: Params<{ limit: number }>) =>
  build
    .select({ agentId: erasures.agentId, digest: erasures.digest })
    .from(erasures)
    .where(and(sql`${erasures.erasedAt} IS NOT NULL`, isNull(erasures.listedAt)))
    .orderBy(erasures.erasedAt)
    .limit(p.limit),
);

/** Those that were carried out and are not in the list outside of the database. */
export function readUnlisted(market: Database, limit: number) {
  return unlisted.all(market, { limit });
}

const listed = write((p: Params<{ agentId: string; at: IsoTime }>) =>
  build.update(erasures).set({ listedAt: p.at }).where(eq(erasures.agentId, p.agentId)),
);

export function markListed(agentId: string, at: IsoTime): Statement {
  return listed({ agentId, at });
}

const accounts = query((p: Params<{ after: string; limit: number }>) =>
  build
    .select({ id: agents.id })
    .from(agents)
    .where(and(sql`${agents.id} > ${p.after}`, sql`${agents.erasedAt} IS NULL`))
    .orderBy(agents.id)
    .limit(p.limit),
);

/** Accounts that are not erased, by id. */
export async function readAccounts(market: Database, after: string, limit: number): Promise<string[]> {
  return (await accounts.all(market, { after, limit })).map(({ id }) => id);
}

const repeat = write(
  (p: Params<{ agentId: string; digest: string; at: IsoTime }>) => sql`INSERT INTO ${erasures}
      (agent_id, digest, requested_at, due_at, gives_up_balance) VALUES (${p.agentId}, ${p.digest}, ${p.at}, ${p.at}, 1)
    ON CONFLICT (agent_id) DO UPDATE SET due_at = excluded.due_at, requested_at = excluded.requested_at,
      gives_up_balance = 1, gives_up_cents = NULL, cancelled_at = NULL, cancelled_by = NULL WHERE erased_at IS NULL`,
);

/** It was erased before a backup was restored: it is due at once, and cannot be cancelled by what the backup holds. */
export function repeatErasure(agentId: string, digest: string, at: IsoTime): Statement {
  return repeat({ agentId, digest, at });
}
