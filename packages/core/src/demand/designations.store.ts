import { and, count, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { touchAgent } from '../agents/index.ts';
import { build, excluded } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { designationState, partyDesignations } from '../db/tables/statistics.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export const DESIGNATIONS = ['affiliated', 'house_buyer', 'house_seller', 'internal'] as const;

export type Designation = Readonly<typeof partyDesignations.$inferSelect>;

const page = query((p: Params<{ limit: number; offset: number }>) =>
  build
    .select(getTableColumns(partyDesignations))
    .from(partyDesignations)
    .orderBy(desc(partyDesignations.designatedAt), partyDesignations.agentId)
    .limit(p.limit)
    .offset(p.offset),
);

const counted = query(() =>
  build
    .select({
      total: count(),
      configuredAt: sql<IsoTime | null>`${build
        .select({ at: designationState.configuredAt })
        .from(designationState)}`,
    })
    .from(partyDesignations),
);

export async function readDesignations(
  market: Database,
  at: { limit: number; offset: number },
): Promise<{ designations: Designation[]; total: number; configuredAt: IsoTime | null }> {
  const [designations, all] = await Promise.all([page.all(market, at), counted.first(market)]);
  return { designations, total: all?.total ?? 0, configuredAt: all?.configuredAt ?? null };
}

const AGENT_KNOWN = 'designated_agent_known';

const saveDesignation = write((p: Params<Designation>) =>
  insertFrom(
    partyDesignations,
    { agentId: agents.id, party: p.party, note: p.note, designatedAt: p.designatedAt },
    (select) => select.from(agents).where(and(eq(agents.id, p.agentId), eq(agents.isSmokeTest, false))),
  ).onConflictDoUpdate({
    target: partyDesignations.agentId,
    set: excluded(partyDesignations, 'party', 'note', 'designatedAt'),
  }),
);

/** Says whose agent it is. Triggers recount its rows in the same transaction. */
export function designate(designation: Designation): Statement[] {
  return [saveDesignation(designation), guardOneChange(AGENT_KNOWN)];
}

const deleteDesignation = write((p: Params<{ agentId: string }>) =>
  build.delete(partyDesignations).where(eq(partyDesignations.agentId, p.agentId)),
);

/** Takes an agent's designation back. It may have none; an unknown agent is refused as in `designate`. */
export function undesignate(agentId: string): Statement[] {
  return [touchAgent(agentId), guardOneChange(AGENT_KNOWN), deleteDesignation({ agentId })];
}

export const isUnknownAgent = (error: unknown): boolean => isGuard(error, AGENT_KNOWN);

const setConfiguredAt = write((p: Params<{ at: IsoTime }>) =>
  build.update(designationState).set({
    configuredAt: sql`COALESCE(${designationState.configuredAt}, ${p.at})`,
  }),
);
const clearConfiguredAt = write(() => build.update(designationState).set({ configuredAt: null }));

/** Whether all known agents are designated; the time of the first yes stays. */
export function setConfigured(isConfigured: boolean, at: IsoTime): Statement {
  return isConfigured ? setConfiguredAt({ at }) : clearConfiguredAt();
}
