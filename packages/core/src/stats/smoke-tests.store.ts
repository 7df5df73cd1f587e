import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement } from '../db/statement.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { idempotencyKeys } from '../db/tables/idempotency.ts';
import { listings } from '../db/tables/listings.ts';
import { mailOutbox } from '../db/tables/mail.ts';
import { purchases } from '../db/tables/purchases.ts';
import { wallets } from '../db/tables/wallet.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export interface SmokeTest {
  readonly agentId: string;
  readonly createdAt: IsoTime;
  readonly handle: string;
  readonly name: string;
}

const page = prepared<{
  limit: number;
  offset: number;
}>(sql`SELECT id AS agentId, created_at AS createdAt, handle, name
  FROM ${agents} WHERE is_smoke_test = 1 ORDER BY created_at DESC, id
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);
const count = prepared(sql`SELECT COUNT(*) AS total FROM ${agents} WHERE is_smoke_test = 1`);

export async function listSmokeTests(
  market: Database,
  asked: { limit: number; offset: number },
): Promise<{ smokeTests: SmokeTest[]; total: number }> {
  const [smokeTests, counted] = await Promise.all([
    market.all<SmokeTest>(page(asked)),
    market.first<{ total: number }>(count({})),
  ]);
  return { smokeTests, total: counted?.total ?? 0 };
}

const IS_SMOKE_TEST = 'smoke_test_known';

/**
 * Removes a smoke-test agent with all its rows. It has none in the ledger of money, which are for ever: the
 * database lets it move none. What other smoke-test agents bought of it, or it of them, goes as well.
 */
export function removeSmokeTest(agentId: string): Statement[] {
  return [
    // Changes nothing: it makes sure that this is such an agent before anything is removed.
    statement(sql`UPDATE ${agents} SET handle = handle WHERE id = ${agentId} AND is_smoke_test = 1`),
    guardOneChange(IS_SMOKE_TEST),
    statement(sql`DELETE FROM ${idempotencyKeys}
      WHERE scope = (SELECT api_key_hash FROM ${agents} WHERE id = ${agentId})`),
    statement(sql`DELETE FROM ${mailOutbox} WHERE reference = ${agentId}`),
    statement(sql`DELETE FROM ${purchases} WHERE seller_id = ${agentId} OR buyer_id = ${agentId}`),
    statement(sql`DELETE FROM ${listings} WHERE seller_id = ${agentId} RETURNING id`),
    statement(sql`DELETE FROM ${wallets} WHERE agent_id = ${agentId}`),
    statement(sql`DELETE FROM ${sellers} WHERE agent_id = ${agentId}`),
    statement(sql`DELETE FROM ${agents} WHERE id = ${agentId}`),
  ];
}

export const isNoSmokeTest = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === `guard ${IS_SMOKE_TEST}`;

export const isStillReferredTo = (error: unknown): boolean =>
  error instanceof DatabaseError && error.kind === 'constraint' && error.constraint === 'foreign key';
