import { getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DatabaseError, guardOf } from '../kernel/ports/database.ts';

/** Whether a row with these columns' values exists already: `UNIQUE (listing_id, buyer_id)` names both. */
export function isConflict(error: unknown, ...columns: readonly SQLiteColumn[]): boolean {
  return isConstraint(error, columns.map(qualifiedName).join(', '));
}

/** Whether any UNIQUE or NOT NULL constraint of the table refused. */
export function isConflictIn(error: unknown, table: SQLiteTable): boolean {
  return isRefused(error) && error.constraint.startsWith(`${getTableName(table)}.`);
}

/** Whether a guard aborted the transaction: `guardOneChange(name)`, or a trigger's. */
export function isGuard(error: unknown, name: string): boolean {
  return guardOf(error) === name;
}

/** Whether a guard whose name begins like this aborted the transaction. */
export function isGuardIn(error: unknown, prefix: string): boolean {
  return guardOf(error)?.startsWith(prefix) ?? false;
}

/** Whether the CHECK of this name refused. */
export function isCheck(error: unknown, name: string): boolean {
  return isConstraint(error, name);
}

/** Whether a CHECK without a name that speaks of this column refused: its text stands for it. */
export function isCheckOn(error: unknown, column: SQLiteColumn): boolean {
  return isRefused(error) && error.constraint.includes(column.name);
}

/** Whether a row refers to one that does not exist. */
export function isDanglingReference(error: unknown): boolean {
  return isConstraint(error, 'foreign key');
}

/** Whether any guard or constraint refused, so that nothing was written. */
export function isRefused(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === 'constraint';
}

/** Whether the database could not be reached: a commit may have happened all the same. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'unavailable';
}

function isConstraint(error: unknown, constraint: string): boolean {
  return isRefused(error) && error.constraint === constraint;
}

function qualifiedName(column: SQLiteColumn): string {
  return `${getTableName(column.table)}.${column.name}`;
}
