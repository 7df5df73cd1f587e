import { and, desc, eq, isNotNull, isNull, lt, lte, notExists, sql } from 'drizzle-orm';
import { build, excluded } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere, guardOneChange } from '../../db/guard.ts';
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

type Requested = Pick<Erasure, 'agentId' | 'digest' | 'requestedAt' | 'dueAt' | 'givesUpBalance'> & {
  givesUpCents: number;
};

const request = write((p: Params<Requested>) =>
  build
    .insert(erasures)
    .values({
      agentId: p.agentId,
      digest: p.digest,
      requestedAt: p.requestedAt,
      dueAt: p.dueAt,
      givesUpBalance: p.givesUpBalance,
      givesUpCents: p.givesUpCents,
    })
    .onConflictDoUpdate({
      target: erasures.agentId,
      set: {
        ...excluded(erasures, 'requestedAt', 'dueAt', 'givesUpBalance', 'givesUpCents'),
        postponements: 0,
        cancelledAt: null,
        cancelledBy: null,
      },
      setWhere: isNotNull(erasures.cancelledAt),
    }),
);

const CHANGED = 'erasure_changed';

/** Aborts where one is due already. */
export function insertErasure(erasure: Requested): Statement[] {
  return [request(erasure), guardOneChange(CHANGED)];
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

const isDueAt = (p: Params<{ agentId: string; requestedAt: IsoTime; at: IsoTime }>) =>
  and(
    eq(erasures.agentId, p.agentId),
    eq(erasures.requestedAt, p.requestedAt),
    isDue,
    lte(erasures.dueAt, p.at),
  );

const finish = write((p: Params<{ agentId: string; requestedAt: IsoTime; at: IsoTime }>) =>
  build.update(erasures).set({ erasedAt: p.at }).where(isDueAt(p)),
);

/** To be committed with what is erased. Aborts where it was cancelled, or carried out, meanwhile. */
export function finishErasure({ agentId, requestedAt }: Erasure, at: IsoTime): Statement[] {
  return [finish({ agentId, requestedAt, at }), guardOneChange(CHANGED)];
}

const stillDue = write((p: Params<{ agentId: string; requestedAt: IsoTime; at: IsoTime }>) => {
  const due = build.select({ agentId: erasures.agentId }).from(erasures).where(isDueAt(p));
  return abortWhere(CHANGED, notExists(due));
});

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

const repeat = write((p: Params<{ agentId: string; digest: string; at: IsoTime }>) =>
  build
    .insert(erasures)
    .values({ agentId: p.agentId, digest: p.digest, requestedAt: p.at, dueAt: p.at, givesUpBalance: true })
    .onConflictDoUpdate({
      target: erasures.agentId,
      set: {
        ...excluded(erasures, 'dueAt', 'requestedAt'),
        givesUpBalance: true,
        givesUpCents: null,
        cancelledAt: null,
        cancelledBy: null,
      },
      setWhere: isNull(erasures.erasedAt),
    }),
);

/** It was erased before a backup was restored: it is due at once, and cannot be cancelled by what the backup holds. */
export function repeatErasure(agentId: string, digest: string, at: IsoTime): Statement {
  return repeat({ agentId, digest, at });
}
