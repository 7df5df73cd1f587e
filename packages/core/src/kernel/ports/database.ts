export type SqlValue = string | number | null;

/** One SQL statement with its parameters in order. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /**
   * The agent whose waiting requests are woken once it is committed. Its `sequence`, where the statement returns one, is the
   * number of the event that it wrote.
   */
  readonly wakes?: string;
}

export interface Database {
  /** Reads of the same turn of the event loop share one round trip. */
  all<Row>(statement: Statement): Promise<Row[]>;
  first<Row>(statement: Statement): Promise<Row | null>;
  /** All or nothing, in order, in one round trip. Returns each statement's rows. */
  commit(statements: readonly Statement[]): Promise<unknown[][]>;
  /** The state that the last commit left, to be read `near`; null: nothing was committed here. */
  bookmark(): string | null;
  /**
   * The same database, read from a copy near the reader. Its state may be some seconds old, and is never older than the
   * bookmark. What is committed goes to the primary.
   */
  near(bookmark: string | null): Database;
}

/** As D1 writes them. Another text would be refused by the database, for a reader who need not have sent one. */
export function isBookmark(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/.test(text);
}

/** A failed database call. `constraint` names the guard, `table.column` or CHECK that refused it. */
export class DatabaseError extends Error {
  readonly kind: 'constraint' | 'unavailable' | 'broken';
  readonly constraint: string;

  constructor(kind: DatabaseError['kind'], constraint: string, cause?: unknown) {
    super(`database: ${kind} ${constraint}`, { cause });
    this.name = 'DatabaseError';
    this.kind = kind;
    this.constraint = constraint;
  }
}

/** What a database said of a call that did not happen; null for anything else that was thrown. */
export function databaseFailure(error: unknown): Pick<DatabaseError, 'kind' | 'constraint'> | null {
  return error instanceof DatabaseError ? error : null;
}

const GUARD = /^guard (.+)$/;

/** The name of the guard that refused a transaction; null: something else did, or nothing. */
export function guardOf(error: unknown): string | null {
  const failure = databaseFailure(error);
  return failure?.kind === 'constraint' ? (GUARD.exec(failure.constraint)?.[1] ?? null) : null;
}
