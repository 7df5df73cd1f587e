import { and, desc, eq, exists, isNotNull, isNull, sql } from 'drizzle-orm';
import { asBoolean, build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, toStatement, write } from '../db/query.ts';
import { agents, sellers, totals } from '../db/tables/agents.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Rule } from '../kernel/rules.data.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { PublicAgent } from './public-agent.ts';

export type NewAgent = typeof agents.$inferInsert;

export interface OwnRecord extends PublicAgent {
  readonly limitedReason: LimitReason | null;
  readonly limitedSince: IsoTime | null;
  readonly suspendedAt: IsoTime | null;
  readonly suspendedReason: string | null;
  readonly suspendedRule: Rule | null;
  readonly hasEmail: boolean;
  readonly callbackUrl: string | null;
  /** It took an event, or answered a challenge. */
  readonly isCallbackConfirmed: boolean;
  readonly buyerLabel: string;
  readonly sellerLabel: string;
}

export const isSeller = asBoolean(
  exists(build.select({ id: sellers.agentId }).from(sellers).where(eq(sellers.agentId, agents.id))),
);

const PUBLIC_FIELDS = {
  id: agents.id,
  handle: agents.handle,
  displayName: agents.displayName,
  createdAt: agents.createdAt,
  isSeller,
};

const directory = query((p: Params<{ limit: number; offset: number }>) =>
  build
    .select(PUBLIC_FIELDS)
    .from(agents)
    .where(and(eq(agents.isSmokeTest, false), isNull(agents.erasedAt)))
    .orderBy(desc(agents.createdAt), agents.id)
    .limit(p.limit)
    .offset(p.offset),
);

const agentCount = query(() =>
  build.select({ value: totals.value }).from(totals).where(eq(totals.name, 'agents')),
);

const byHandle = query((p: Params<{ handle: string }>) =>
  build
    .select(PUBLIC_FIELDS)
    .from(agents)
    .where(and(eq(agents.handle, p.handle), eq(agents.isSmokeTest, false), isNull(agents.erasedAt))),
);

const ownRecord = query((p: Params<{ id: string }>) =>
  build
    .select({
      ...PUBLIC_FIELDS,
      hasEmail: asBoolean(isNotNull(agents.email)),
      limitedReason: agents.limitedReason,
      limitedSince: agents.limitedSince,
      suspendedAt: agents.suspendedAt,
      suspendedReason: agents.suspendedReason,
      suspendedRule: agents.suspendedRule,
      callbackUrl: agents.callbackUrl,
      isCallbackConfirmed: asBoolean(isNotNull(agents.callbackConfirmedAt)),
      buyerLabel: agents.buyerLabel,
      sellerLabel: agents.sellerLabel,
    })
    .from(agents)
    .where(eq(agents.id, p.id)),
);

export async function readAgents(
  db: Database,
  page: { limit: number; offset: number },
): Promise<{ agents: PublicAgent[]; total: number }> {
  const [rows, count] = await Promise.all([directory.all(db, page), agentCount.first(db)]);
  return { agents: rows, total: count?.value ?? 0 };
}

export function findByHandle(db: Database, handle: string): Promise<PublicAgent | null> {
  return byHandle.first(db, { handle });
}

export function readOwnRecord(db: Database, id: string): Promise<OwnRecord | null> {
  return ownRecord.first(db, { id });
}

export function insertAgent(agent: NewAgent): Statement {
  return insertInto(agents, agent);
}

const insertNewSeller = write((p: Params<{ agentId: string; country: string | null; at: IsoTime }>) =>
  build
    .insert(sellers)
    .values({ agentId: p.agentId, country: p.country, registeredAt: p.at })
    .onConflictDoNothing({ target: sellers.agentId }),
);

/** Makes an agent a seller. One that is a seller already stays as it is. */
export function insertSeller(agentId: string, country: string | null, at: IsoTime): Statement {
  return insertNewSeller({ agentId, country, at });
}

const rename = write((p: Params<{ agentId: string; displayName: string | null }>) =>
  build.update(agents).set({ displayName: p.displayName }).where(eq(agents.id, p.agentId)),
);

/** Null: it goes by its pseudonyms again. */
export function setDisplayName(agentId: string, displayName: string | null): Statement {
  return rename({ agentId, displayName });
}

const touch = (isSmokeTest: boolean) =>
  write((p: Params<{ agentId: string }>) =>
    build
      .update(agents)
      .set({ handle: agents.handle })
      .where(and(eq(agents.id, p.agentId), eq(agents.isSmokeTest, isSmokeTest))),
  );
const touchRealAgent = touch(false);
const touchTestAgent = touch(true);

/** Changes nothing, but counts the agent for the guard that follows. A smoke test counts as no agent. */
export function touchAgent(agentId: string): Statement {
  return touchRealAgent({ agentId });
}

/** The same of an agent that is a smoke test. */
export function touchSmokeTest(agentId: string): Statement {
  return touchTestAgent({ agentId });
}

const deleteSellerRow = write((p: Params<{ agentId: string }>) =>
  build.delete(sellers).where(eq(sellers.agentId, p.agentId)),
);
const deleteAgentRow = write((p: Params<{ agentId: string }>) =>
  build.delete(agents).where(eq(agents.id, p.agentId)),
);

/** Last, after all rows of other tables that refer to the agent: its API key is dead from then on. */
export function deleteAgent(agentId: string): Statement[] {
  return [deleteSellerRow({ agentId }), deleteAgentRow({ agentId })];
}

/** The platform's own agent and seller rows. They stay as they are if they exist. */
export function insertPlatformRows(agent: NewAgent): Statement[] {
  const row = build
    .insert(agents)
    .values({ ...agent, isPlatform: true })
    .onConflictDoNothing({ target: agents.id });
  return [toStatement(row), insertSeller(agent.id, null, agent.createdAt)];
}

export type LimitReason = NonNullable<(typeof agents.$inferSelect)['limitedReason']>;

const limit = write((p: Params<{ id: string; at: IsoTime | null; reason: LimitReason | null }>) =>
  build
    .update(agents)
    .set({
      limitedReason: sql`CASE WHEN ${p.at} IS NULL THEN NULL ELSE COALESCE(${agents.limitedReason}, ${p.reason}) END`,
      limitedSince: sql`CASE WHEN ${p.at} IS NULL THEN NULL ELSE COALESCE(${agents.limitedSince}, ${p.at}) END`,
    })
    .where(eq(agents.id, p.id)),
);

/** Since when an agent buys nothing priced, and why; null: it may. */
export interface Limit {
  readonly since: IsoTime;
  readonly reason: LimitReason;
}

/** From then on the agent buys nothing priced; what limited it first stands. Null: it may again. */
export function limitPurchases(id: string, to: Limit | null): Statement {
  return limit({ id, at: to?.since ?? null, reason: to?.reason ?? null });
}

/** The same; aborts where there is no such agent. */
export function limitKnownAgent(id: string, to: Limit | null): Statement[] {
  return [limitPurchases(id, to), guardOneChange(AGENT_KNOWN)];
}

/** Why an operator suspended an agent. */
export interface Suspension {
  readonly since: IsoTime;
  readonly rule: Rule;
  readonly reason: string;
}

const SUSPENSION_CHANGED = 'suspension_changed';

const suspend = write((p: Params<Suspension & { id: string }>) =>
  build
    .update(agents)
    .set({ suspendedAt: p.since, suspendedRule: p.rule, suspendedReason: p.reason })
    .where(and(eq(agents.id, p.id), isNull(agents.suspendedAt), eq(agents.isPlatform, false))),
);

const reinstate = write((p: Params<{ id: string }>) =>
  build
    .update(agents)
    .set({ suspendedAt: null, suspendedRule: null, suspendedReason: null })
    .where(and(eq(agents.id, p.id), isNotNull(agents.suspendedAt))),
);

/** Null lifts the suspension. Aborts where it is so already, and where there is no such agent. */
export function setSuspension(id: string, to: Suspension | null): Statement[] {
  return [to === null ? reinstate({ id }) : suspend({ ...to, id }), guardOneChange(SUSPENSION_CHANGED)];
}

export function isSuspensionUnchanged(error: unknown): boolean {
  return isGuard(error, SUSPENSION_CHANGED);
}

/** Suspended in the moment in which it listed something. */
export function isSellerSuspended(error: unknown): boolean {
  return isGuard(error, 'seller_not_suspended');
}

const AGENT_KNOWN = 'agent_known';

export function isNoAgent(error: unknown): boolean {
  return isGuard(error, AGENT_KNOWN);
}
