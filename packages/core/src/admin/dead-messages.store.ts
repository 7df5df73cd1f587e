import { eq, getTableColumns } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { guardOneChange } from '../db/guard.ts';
import { type Params, query, toStatement } from '../db/query.ts';
import { deadMessages } from '../db/tables/reports.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

export type DeadMessage = Readonly<typeof deadMessages.$inferSelect>;

/** A message that the queue gave up; the queue may bring it twice. */
export function recordDeadMessage(message: DeadMessage): Statement {
  return toStatement(build.insert(deadMessages).values(message).onConflictDoNothing());
}

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(deadMessages)).from(deadMessages).where(eq(deadMessages.id, p.id)),
);

export function findDeadMessage(market: Database, id: string): Promise<DeadMessage | null> {
  return byId.first(market, { id });
}

/** Aborts where somebody else was faster. */
export function deleteDeadMessage(id: string): Statement[] {
  return [
    toStatement(build.delete(deadMessages).where(eq(deadMessages.id, id))),
    guardOneChange('dead_message'),
  ];
}
