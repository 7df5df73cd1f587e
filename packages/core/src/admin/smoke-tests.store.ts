import { count, desc, eq, sql } from 'drizzle-orm';
import { deleteAgent, IDEMPOTENCY_SCOPE, touchSmokeTest } from '../agents/index.ts';
import { build } from '../db/build.ts';
import { isDanglingReference, isGuard } from '../db/constraint.ts';
import { deleteQuotasOf } from '../db/daily-quotas.ts';
import { guardOneChange } from '../db/guard.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { idempotencyKeys } from '../db/tables/idempotency.ts';
import { deleteEndpointRequests } from '../delivery/index.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { deleteListings } from '../listings/index.ts';
import { deleteMail } from '../mail/index.ts';
import { deletePurchases } from '../sales/index.ts';
import { deleteWallet } from '../wallet/index.ts';

export interface SmokeTest {
  readonly agentId: string;
  readonly createdAt: IsoTime;
  readonly handle: string;
  readonly name: string;
}

const page = query((p: Params<{ limit: number; offset: number }>) =>
  build
    .select({ agentId: agents.id, createdAt: agents.createdAt, handle: agents.handle, name: agents.name })
    .from(agents)
    .where(eq(agents.isSmokeTest, true))
    .orderBy(desc(agents.createdAt), agents.id)
    .limit(p.limit)
    .offset(p.offset),
);
const counted = query(() =>
  build.select({ total: count() }).from(agents).where(eq(agents.isSmokeTest, true)),
);

export async function readSmokeTests(
  market: Database,
  at: { limit: number; offset: number },
): Promise<{ smokeTests: SmokeTest[]; total: number }> {
  const [smokeTests, all] = await Promise.all([page.all(market, at), counted.first(market)]);
  return { smokeTests, total: all?.total ?? 0 };
}

const SMOKE_TEST_KNOWN = 'smoke_test_known';

type AgentId = { readonly agentId: string };

const deleteStoredAnswers = write((p: Params<AgentId>) => {
  const scope = build.select({ scope: IDEMPOTENCY_SCOPE }).from(agents).where(eq(agents.id, p.agentId));
  return build.delete(idempotencyKeys).where(sql`${idempotencyKeys.scope} = ${scope}`);
});
/**
 * Removes a smoke-test agent with all its rows. It has none in the ledger of money, which is append-only: triggers
 * refuse every payment of such an agent. What other smoke-test agents bought of it, or it of them, goes as well.
 */
export function deleteSmokeTest(agentId: string): Statement[] {
  return [
    // Nothing is removed of an agent that is no smoke test.
    touchSmokeTest(agentId),
    guardOneChange(SMOKE_TEST_KNOWN),
    // In an order that leaves no row behind that refers to a deleted one.
    deleteStoredAnswers({ agentId }),
    deleteQuotasOf(agentId),
    deleteMail(agentId),
    ...deletePurchases(agentId),
    deleteListings(agentId),
    deleteEndpointRequests({ sellerId: agentId }),
    deleteWallet(agentId),
    ...deleteAgent(agentId),
  ];
}

export const isNoSmokeTest = (error: unknown): boolean => isGuard(error, SMOKE_TEST_KNOWN);

export const isStillReferredTo = (error: unknown): boolean => isDanglingReference(error);
