import {
  and,
  count,
  desc,
  eq,
  exists,
  gt,
  isNotNull,
  isNull,
  ne,
  notExists,
  or,
  type Placeholder,
  sql,
} from 'drizzle-orm';
import { asBoolean, build } from '../../db/build.ts';
import { isConflict, isGuard } from '../../db/constraint.ts';
import { abortWhere, guardOneChange } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agentKeys } from '../../db/tables/agent-keys.ts';
import { agents } from '../../db/tables/agents.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { type EpochMs, type IsoTime, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { insertKey, type NewKey } from './agent-keys.store.ts';

export type StoredKey = Omit<typeof agentKeys.$inferSelect, 'keyHash'>;

/** How long after a rotation the old key may do it again. */
const LOST_ANSWER_MS = 10 * MINUTE_MS;
/** Keys that have not ended, of one agent. */
const MAX_LIVE_KEYS = 50;
/** How many a list shows: all live ones, and the latest of those that ended. */
const LISTED_KEYS = 100;

const FIELDS = {
  id: agentKeys.id,
  agentId: agentKeys.agentId,
  parentKeyId: agentKeys.parentKeyId,
  replacesKeyId: agentKeys.replacesKeyId,
  label: agentKeys.label,
  scopes: agentKeys.scopes,
  policyId: agentKeys.policyId,
  createdAt: agentKeys.createdAt,
  expiresAt: agentKeys.expiresAt,
  revokedAt: agentKeys.revokedAt,
  lastUsedAt: agentKeys.lastUsedAt,
};

const isLiveAt = (now: Placeholder<string, IsoTime>) =>
  and(isNull(agentKeys.revokedAt), or(isNull(agentKeys.expiresAt), gt(agentKeys.expiresAt, now)));

/** A key and all that were made with it, and with those. */
const lineageFrom = (id: unknown) => sql`(WITH RECURSIVE lineage (id) AS (
    SELECT ${id} UNION SELECT child.id FROM ${agentKeys} AS child JOIN lineage ON child.parent_key_id = lineage.id
  ) SELECT id FROM lineage)`;

const listed = query((p: Params<{ agentId: string; now: IsoTime }>) =>
  build
    .select(FIELDS)
    .from(agentKeys)
    .where(eq(agentKeys.agentId, p.agentId))
    .orderBy(desc(sql`(${isLiveAt(p.now)})`), desc(agentKeys.createdAt), agentKeys.id)
    .limit(LISTED_KEYS),
);

export function readKeys(market: Database, agentId: string, now: IsoTime): Promise<StoredKey[]> {
  return listed.all(market, { agentId, now });
}

const one = query((p: Params<{ agentId: string; id: string; callerKeyId: string; since: IsoTime }>) =>
  build
    .select({
      ...FIELDS,
      isBelow: asBoolean(sql`(${agentKeys.id} IN ${lineageFrom(p.callerKeyId)}
        OR (${agentKeys.replacesKeyId} = ${p.callerKeyId} AND ${agentKeys.lastUsedAt} IS NULL
          AND ${agentKeys.createdAt} > ${p.since}))`),
    })
    .from(agentKeys)
    .where(and(eq(agentKeys.id, p.id), eq(agentKeys.agentId, p.agentId))),
);

/**
 * A key of the agent, and whether the caller's key may end it: it is that key, was made with it, or took its place within
 * the last ten minutes and was never used, since the answer with its text may have been lost. Later not: whoever has the old
 * text only would stay beyond its overlap. Null: another agent's, or none.
 */
export function findKey(
  market: Database,
  agentId: string,
  { id, callerKeyId, now }: { readonly id: string; readonly callerKeyId: string; readonly now: EpochMs },
): Promise<(StoredKey & { readonly isBelow: boolean }) | null> {
  return one.first(market, { agentId, id, callerKeyId, since: isoTime(now - LOST_ANSWER_MS) });
}

const LIVE_LIMIT = 'live_keys_limit';
const requireRoom = write((p: Params<{ agentId: string; now: IsoTime }>) => {
  const live = build
    .select({ count: count() })
    .from(agentKeys)
    .where(and(eq(agentKeys.agentId, p.agentId), isLiveAt(p.now)));
  return abortWhere(LIVE_LIMIT, sql`${live} > ${MAX_LIVE_KEYS}`);
});

const LAST_KEY = 'last_all_key';
/** `besides`: a key that nobody may have seen yet counts for none. */
const requireWayIn = write(
  (p: Params<{ agentId: string; now: IsoTime; besides: string; canRecover: boolean }>) => {
    const others = build
      .select({ id: agentKeys.id })
      .from(agentKeys)
      .where(
        and(
          eq(agentKeys.agentId, p.agentId),
          eq(agentKeys.scopes, ['all']),
          ne(agentKeys.id, p.besides),
          isLiveAt(p.now),
        ),
      );
    const reachable = build
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.id, p.agentId), isNotNull(agents.emailVerifiedAt)));
    return abortWhere(LAST_KEY, sql`${notExists(others)} AND NOT (${p.canRecover} AND ${exists(reachable)})`);
  },
);

/** What is written for a change of an agent's keys. */
interface OfAgent {
  readonly agentId: string;
  readonly now: IsoTime;
}

const revokeAll = write((p: Params<OfAgent>) =>
  build
    .update(agentKeys)
    .set({ revokedAt: p.now })
    .where(and(eq(agentKeys.agentId, p.agentId), isNull(agentKeys.revokedAt))),
);

export const revokeAllKeys = (agentId: string, now: IsoTime): Statement => revokeAll({ agentId, now });

interface AccessRule {
  /** The key that ends has the scope `all`: another must be left, or a way to recover the account. */
  readonly guardsAccount: boolean;
  readonly canRecover: boolean;
}

export function addKey(key: NewKey): Statement[] {
  return [insertKey(key), requireRoom({ agentId: key.agentId, now: key.createdAt })];
}

const KEY_LIVE = 'key_live';

interface Successor {
  readonly id: string;
  readonly keyHash: string;
  readonly replacesKeyId: string;
}

const insertSuccessor = write((p: Params<Successor & { now: IsoTime }>) =>
  insertFrom(
    agentKeys,
    {
      id: p.id,
      agentId: agentKeys.agentId,
      parentKeyId: agentKeys.parentKeyId,
      replacesKeyId: agentKeys.id,
      label: agentKeys.label,
      scopes: agentKeys.scopes,
      keyHash: p.keyHash,
      policyId: agentKeys.policyId,
      createdAt: p.now,
      expiresAt: agentKeys.expiresAt,
    },
    (select) => select.from(agentKeys).where(and(eq(agentKeys.id, p.replacesKeyId), isLiveAt(p.now))),
  ),
);
const endAt = write((p: Params<{ id: string; until: IsoTime }>) =>
  build
    .update(agentKeys)
    .set({ expiresAt: sql`MIN(COALESCE(${agentKeys.expiresAt}, ${p.until}), ${p.until})` })
    .where(eq(agentKeys.id, p.id)),
);
const moveChildren = write((p: Params<{ from: string; to: string }>) =>
  build.update(agentKeys).set({ parentKeyId: p.to }).where(eq(agentKeys.parentKeyId, p.from)),
);

/**
 * The successor takes the key's place: what it may do, its label, its policy, when it ends, and the keys that were made with
 * it. The key itself ends at `until`. Aborts unless it is live and has no successor.
 */
export function replaceKey(
  { agentId, now }: OfAgent,
  successor: Successor,
  { until, guardsAccount, canRecover }: { readonly until: IsoTime } & AccessRule,
): Statement[] {
  const { id, replacesKeyId } = successor;
  return [
    insertSuccessor({ ...successor, now }),
    guardOneChange(KEY_LIVE),
    endAt({ id: replacesKeyId, until }),
    moveChildren({ from: replacesKeyId, to: id }),
    requireRoom({ agentId, now }),
    // The answer with the successor's text may be lost: then the key itself is the way to another.
    ...(guardsAccount && until <= now ? [requireWayIn({ agentId, now, besides: id, canRecover })] : []),
  ];
}

/** With the keys whose place it took: whoever ends a key that was rotated means the text from before as well. */
const endingWith = (id: unknown) => sql`(WITH RECURSIVE ending (id) AS (
    SELECT ${id}
    UNION SELECT child.id FROM ${agentKeys} AS child JOIN ending ON child.parent_key_id = ending.id
    UNION SELECT replaces_key_id FROM ${agentKeys} AS next JOIN ending ON next.id = ending.id
      WHERE replaces_key_id IS NOT NULL
  ) SELECT id FROM ending)`;

const revoke = write((p: Params<{ id: string; now: IsoTime }>) =>
  build
    .update(agentKeys)
    .set({ revokedAt: p.now })
    .where(and(isNull(agentKeys.revokedAt), sql`${agentKeys.id} IN ${endingWith(p.id)}`)),
);

/** The key, those whose place it took, and all that were made with them end at once. Aborts where nobody could get into the account any more. */
export function revokeKeys(
  { agentId, now }: OfAgent,
  id: string,
  { guardsAccount, canRecover }: AccessRule,
): Statement[] {
  const guards = guardsAccount ? [requireWayIn({ agentId, now, besides: '', canRecover })] : [];
  return [revoke({ id, now }), ...guards];
}

export const isKeyLimit = (error: unknown): boolean => isGuard(error, LIVE_LIMIT);
export const isLastKey = (error: unknown): boolean => isGuard(error, LAST_KEY);
export const isKeyEnded = (error: unknown): boolean => isGuard(error, KEY_LIVE);
export const isWidened = (error: unknown): boolean => isGuard(error, 'key_within_parent');
export const isReplaced = (error: unknown): boolean => isConflict(error, agentKeys.replacesKeyId);

const BOUND_BELOW = 'keys_below_unbounded';

const requireUnboundBelow = write((p: Params<{ id: string; policyId: string | null }>) => {
  const elsewhere = build
    .select({ id: agentKeys.id })
    .from(agentKeys)
    .where(
      sql`${agentKeys.id} IN ${lineageFrom(p.id)}
        AND ${agentKeys.policyId} IS NOT NULL AND ${agentKeys.policyId} IS NOT ${p.policyId}`,
    );
  return abortWhere(BOUND_BELOW, exists(elsewhere));
});

const bind = write((p: Params<{ id: string; policyId: string }>) =>
  build
    .update(agentKeys)
    .set({ policyId: p.policyId })
    .where(sql`${agentKeys.id} IN ${lineageFrom(p.id)}`),
);

/** Bounds a key and all that were made with it; aborts where one of those has a policy that would not be below this one. */
export function setPolicy({ id, policyId: current }: StoredKey, policyId: string): Statement[] {
  return [requireUnboundBelow({ id, policyId: current }), bind({ id, policyId })];
}

export const isBoundBelow = (error: unknown): boolean => isGuard(error, BOUND_BELOW);
