import { and, desc, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm';
import { asBoolean, build } from '../db/build.ts';
import { isConflict, isGuard } from '../db/constraint.ts';
import { abortWhere, guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { agentKeys } from '../db/tables/agent-keys.ts';
import { agents } from '../db/tables/agents.ts';
import { approvals, passkeys } from '../db/tables/budgets.ts';
import { listings } from '../db/tables/listings.ts';
import { mailOutbox } from '../db/tables/mail.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type Decision, OPEN_APPROVALS } from './approval.rules.ts';

export type Approval = Readonly<typeof approvals.$inferSelect>;
export type NewApproval = Omit<Approval, 'status' | 'decidedAt' | 'decidedBy' | 'usedFor'>;

/** Who asks for what. A key that took another's place has what that one was approved. */
export interface ApprovalKey {
  readonly agentId: string;
  readonly keyId: string;
  readonly binding: string;
}

const stillOpen = inArray(approvals.status, ['pending', 'approved']);

const latest = query((p: Params<ApprovalKey & { now: IsoTime }>) => {
  // A key that was rotated more than once while the person decided has the approvals of each before it.
  const lineage = sql`(WITH RECURSIVE lineage (id) AS (SELECT ${p.keyId} UNION
    SELECT ${agentKeys.replacesKeyId} FROM lineage CROSS JOIN ${agentKeys} ON ${agentKeys.id} = lineage.id LIMIT 50)
    SELECT id FROM lineage WHERE id IS NOT NULL)`;
  return build
    .select({ id: approvals.id, status: approvals.status, expiresAt: approvals.expiresAt })
    .from(approvals)
    .where(
      and(
        eq(approvals.agentId, p.agentId),
        sql`${approvals.keyId} IN ${lineage}`,
        eq(approvals.binding, p.binding),
        inArray(approvals.status, ['pending', 'approved', 'declined']),
        gt(approvals.expiresAt, p.now),
      ),
    )
    .orderBy(sql`${approvals.status} = 'approved' DESC`, sql`${approvals.createdAt} DESC`)
    .limit(1);
});

/** What was asked for in the last hour, and not used yet. */
export function findOpenApproval(market: Database, key: ApprovalKey, now: IsoTime) {
  return latest.first(market, { ...key, now });
}

/** No agent has more open ones at a time than are looked through at once. */
const MAX_LISTED = 50;

const openOfAgent = query((p: Params<{ agentId: string; now: IsoTime }>) =>
  build
    .select({
      approval: getTableColumns(approvals),
      keyLabel: agentKeys.label,
      listingTitle: listings.title,
    })
    .from(approvals)
    .innerJoin(agentKeys, eq(agentKeys.id, approvals.keyId))
    .innerJoin(listings, eq(listings.id, approvals.listingId))
    .where(
      and(
        eq(approvals.agentId, p.agentId),
        // As the index of open ones is declared.
        sql`${approvals.status} IN ('pending', 'approved')`,
        gt(approvals.expiresAt, p.now),
      ),
    )
    .orderBy(desc(approvals.createdAt), desc(approvals.id))
    .limit(MAX_LISTED),
);

/** What waits for a person, and what is approved and not bought yet, newest first. */
export async function listOpenApprovals(market: Database, agentId: string, now: IsoTime) {
  const found = await openOfAgent.all(market, { agentId, now });
  return found.map(({ approval, keyLabel, listingTitle }) => ({ ...approval, keyLabel, listingTitle }));
}

const expire = write((p: Params<ApprovalKey & { now: IsoTime }>) =>
  build
    .update(approvals)
    .set({ status: 'expired' })
    .where(
      and(
        eq(approvals.agentId, p.agentId),
        eq(approvals.keyId, p.keyId),
        eq(approvals.binding, p.binding),
        stillOpen,
        lte(approvals.expiresAt, p.now),
      ),
    ),
);

const OPEN_WITHIN_LIMIT = 'approvals_within_limit';

const requireFew = write((p: Params<{ agentId: string; now: IsoTime }>) => {
  const open = build
    .select({ count: sql`COUNT(*)` })
    .from(approvals)
    .where(
      and(eq(approvals.agentId, p.agentId), eq(approvals.status, 'pending'), gt(approvals.expiresAt, p.now)),
    );
  return abortWhere(OPEN_WITHIN_LIMIT, sql`${open} >= ${OPEN_APPROVALS}`);
});

/** Waits for a person from now on; aborts where too many do. */
export function insertApproval(approval: NewApproval): Statement[] {
  const { agentId, keyId, binding, createdAt: now } = approval;
  return [
    requireFew({ agentId, now }),
    expire({ agentId, keyId, binding, now }),
    insertInto(approvals, approval),
  ];
}

export const isTooMany = (error: unknown): boolean => isGuard(error, OPEN_WITHIN_LIMIT);
export const isOpenAlready = (error: unknown): boolean =>
  isConflict(error, approvals.agentId, approvals.keyId, approvals.binding);

const byId = query((p: Params<{ id: string }>) =>
  build
    .select({
      approval: getTableColumns(approvals),
      listing: { title: listings.title, version: listings.version, priceCents: listings.priceCents },
      sellerName: sql<string>`COALESCE(${agents.displayName}, ${agents.sellerLabel})`,
    })
    .from(approvals)
    .innerJoin(listings, eq(listings.id, approvals.listingId))
    .innerJoin(agents, eq(agents.id, listings.sellerId))
    .where(eq(approvals.id, p.id)),
);

/** What a person decides on. */
export function findApproval(market: Database, id: string) {
  return byId.first(market, { id });
}

const ways = query((p: Params<{ id: string; agentId: string }>) =>
  build
    .select({
      verifiedAt: agents.emailVerifiedAt,
      hasPasskey: asBoolean(sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.agentId} = ${agents.id})`),
      isMailed: asBoolean(sql`EXISTS (SELECT 1 FROM ${mailOutbox}
        WHERE ${mailOutbox.purpose} = 'approval_link' AND ${mailOutbox.reference} = ${p.id})`),
    })
    .from(agents)
    .where(eq(agents.id, p.agentId)),
);

/** With what a person can decide an approval. */
export function findApprovalWays(market: Database, approval: Pick<Approval, 'id' | 'agentId'>) {
  return ways.first(market, { id: approval.id, agentId: approval.agentId });
}

const STILL_OPEN = 'approval_open';
const STATUS_OF = { approve: 'approved', decline: 'declined' } as const;

const decide = write(
  (p: Params<{ id: string; status: 'approved' | 'declined'; by: 'passkey' | 'mail'; at: IsoTime }>) =>
    build
      .update(approvals)
      .set({ status: p.status, decidedBy: p.by, decidedAt: p.at })
      .where(and(eq(approvals.id, p.id), eq(approvals.status, 'pending'), gt(approvals.expiresAt, p.at))),
);

/** Once, and in time. */
export function recordDecision(
  id: string,
  decision: Decision,
  by: 'passkey' | 'mail',
  at: IsoTime,
): Statement[] {
  return [decide({ id, status: STATUS_OF[decision], by, at }), guardOneChange(STILL_OPEN)];
}

export const isDecidedBefore = (error: unknown): boolean => isGuard(error, STILL_OPEN);

const USABLE = 'approval_usable';

const use = write((p: Params<{ id: string; usedFor: string; at: IsoTime }>) =>
  build
    .update(approvals)
    .set({ status: 'used', usedFor: p.usedFor })
    .where(and(eq(approvals.id, p.id), eq(approvals.status, 'approved'), gt(approvals.expiresAt, p.at))),
);

/** Spends the approval for one purchase or offer, in one transaction with it; aborts where another has it. */
export function useApproval(id: string | null, usedFor: string, at: IsoTime): Statement[] {
  return id === null ? [] : [use({ id, usedFor, at }), guardOneChange(USABLE)];
}

export const isApprovalSpent = (error: unknown): boolean => isGuard(error, USABLE);

const endByClock = write((p: Params<{ now: IsoTime }>) =>
  build
    .update(approvals)
    .set({ status: 'expired' })
    // As the index of open ones is declared: with parameters in it, it would not be used.
    .where(and(sql`${approvals.status} IN ('pending', 'approved')`, lte(approvals.expiresAt, p.now))),
);

/** Writes down what the clock ended: the query goes with it. */
export function endApprovals(now: IsoTime): Statement {
  return endByClock({ now });
}

const deleteOld = write((p: Params<{ until: IsoTime }>) =>
  build.delete(approvals).where(lte(approvals.expiresAt, p.until)),
);

/** What ended by then: it is of no use any more. */
export function deleteApprovals(until: IsoTime): Statement {
  return deleteOld({ until });
}
