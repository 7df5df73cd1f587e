import { and, asc, count, eq, sql } from 'drizzle-orm';
import { asBoolean, asInteger, build } from '../../db/build.ts';
import { isConflict, isGuard } from '../../db/constraint.ts';
import { abortWhere, guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { passkeys } from '../../db/tables/budgets.ts';
import type { Passkey } from '../../kernel/crypto/passkeys.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';

const MAX_PASSKEYS = 10;

const ofAgent = query((p: Params<{ agentId: string }>) =>
  build
    .select({
      id: passkeys.id,
      label: passkeys.label,
      enrolledBy: passkeys.enrolledBy,
      createdAt: passkeys.createdAt,
    })
    .from(passkeys)
    .where(eq(passkeys.agentId, p.agentId))
    .orderBy(asc(passkeys.createdAt), passkeys.id),
);

export function listPasskeysOf(market: Database, agentId: string) {
  return ofAgent.all(market, { agentId });
}

export async function listPasskeyIds(market: Database, agentId: string): Promise<string[]> {
  return (await listPasskeysOf(market, agentId)).map(({ id }) => id);
}

const one = query((p: Params<{ agentId: string; id: string }>) =>
  build
    .select({ id: passkeys.id, publicKey: passkeys.publicKey, counter: passkeys.counter })
    .from(passkeys)
    .where(and(eq(passkeys.agentId, p.agentId), eq(passkeys.id, p.id))),
);

/** A passkey of this agent; another's is none. */
export function findPasskey(market: Database, agentId: string, id: string): Promise<Passkey | null> {
  return one.first(market, { agentId, id });
}

const WITHIN_LIMIT = 'passkeys_within_limit';

const requireFew = write((p: Params<{ agentId: string }>) => {
  const known = build.select({ count: count() }).from(passkeys).where(eq(passkeys.agentId, p.agentId));
  return abortWhere(WITHIN_LIMIT, sql`${known} >= ${MAX_PASSKEYS}`);
});

export function insertPasskey(row: typeof passkeys.$inferInsert): Statement[] {
  return [requireFew({ agentId: row.agentId }), insertInto(passkeys, row)];
}

export const isTooManyPasskeys = (error: unknown): boolean => isGuard(error, WITHIN_LIMIT);
export const isKnownPasskey = (error: unknown): boolean => isConflict(error, passkeys.id);

const used = write((p: Params<{ id: string; counter: number }>) =>
  build
    .update(passkeys)
    .set({ counter: sql`MAX(${passkeys.counter}, ${asInteger(p.counter)})` })
    .where(eq(passkeys.id, p.id)),
);

export function recordPasskeyUse(id: string, counter: number): Statement {
  return used({ id, counter });
}

const PASSKEY_KNOWN = 'passkey_known';

const remove = write((p: Params<{ agentId: string; id: string }>) =>
  build.delete(passkeys).where(and(eq(passkeys.agentId, p.agentId), eq(passkeys.id, p.id))),
);

export function deletePasskey(agentId: string, id: string): Statement[] {
  return [remove({ agentId, id }), guardOneChange(PASSKEY_KNOWN)];
}

export const isNoPasskey = (error: unknown): boolean => isGuard(error, PASSKEY_KNOWN);

const state = query((p: Params<{ agentId: string }>) =>
  build
    .select({
      registeredAt: agents.createdAt,
      verifiedAt: agents.emailVerifiedAt,
      hasPasskey: asBoolean(sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.agentId} = ${agents.id})`),
    })
    .from(agents)
    .where(eq(agents.id, p.agentId)),
);

/** What decides who may enrol a passkey. */
export function readEnrolmentState(market: Database, agentId: string) {
  return state.first(market, { agentId });
}
