import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../kernel/ports/database.ts';
import { insertWhere } from './insert-from.ts';
import { type Params, write } from './query.ts';
import { guards } from './tables/idempotency.ts';

/** Aborts the transaction where the condition holds. `isGuard(error, name)` recognises the failure. */
export function abortWhere(name: string, condition: SQL) {
  return insertWhere(guards, { name }, condition);
}

const guard = write((p: Params<{ name: string }>) =>
  insertWhere(guards, { name: p.name }, sql`changes() <> 1`),
);

/**
 * Aborts the transaction unless the statement before it changed exactly one row. A conditional UPDATE
 * that matches nothing does not abort by itself. `isGuard(error, name)` recognises the failure.
 */
export function guardOneChange(name: string): Statement {
  return guard({ name });
}
