import { sql } from 'drizzle-orm';
import type { Statement } from '../kernel/ports/database.ts';
import { type Params, write } from './query.ts';

const guard = write(
  (p: Params<{ name: string }>) => sql`INSERT INTO guards (name) SELECT ${p.name} WHERE changes() <> 1`,
);

/**
 * Aborts the transaction unless the statement before it changed exactly one row. A conditional UPDATE
 * that matches nothing does not abort by itself. `isGuard(error, name)` recognises the failure.
 */
export function guardOneChange(name: string): Statement {
  return guard({ name });
}
