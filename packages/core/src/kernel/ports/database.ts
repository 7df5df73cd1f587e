export type SqlValue = string | number | null;

/** One SQL statement with its parameters in order. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

export interface Database {
  /** Reads asked for in the same turn travel together: one round trip. */
  all<Row>(statement: Statement): Promise<Row[]>;
  first<Row>(statement: Statement): Promise<Row | null>;
  /** All or nothing, in order, in one round trip. Returns each statement's rows. */
  commit(statements: readonly Statement[]): Promise<unknown[][]>;
}

/** Why a database call did not happen. `constraint` names what refused: a guard, `table.column` or a CHECK. */
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
