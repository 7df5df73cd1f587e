import { sql } from 'drizzle-orm';
import type { Statement } from '../kernel/ports/database.ts';
import { prepared } from './statement.ts';

const guard = prepared<{ name: string }>(
  sql`INSERT INTO guards (name) SELECT ${sql.placeholder('name')} WHERE changes() <> 1`,
);

/**
 * Aborts the transaction unless the statement before it changed exactly one row. A conditional UPDATE
 * that matches nothing does not abort by itself. The failure is a DatabaseError whose `constraint` is
 * `guard <name>`.
 */
export function guardOneChange(name: string): Statement {
  return guard({ name });
}
