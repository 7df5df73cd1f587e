import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

/** As D1 sets them. */
const LIMITS = {
  length: 2_200_000,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  functionArg: 127,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
};

/** What D1 does not run: transactions are its own business, and there is one database. */
const REFUSED = /^\s*(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|DETACH|VACUUM)\b/i;

/** SQLite's codes of errors, as D1 spells them at the end of its texts. Others are SQLITE_ERROR. */
const CODES: Record<number, string> = {
  18: 'SQLITE_TOOBIG',
  275: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_CHECK)',
  787: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_FOREIGNKEY)',
  1299: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_NOTNULL)',
  1555: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)',
  1811: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER)',
  2067: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)',
  2579: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_ROWID)',
  3091: 'SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_DATATYPE)',
};

const WRONG_NUMBER = 'D1_ERROR: Wrong number of parameter bindings for SQL query.';

/** What changes the columns of statements that were prepared before. */
const CHANGES_SCHEMA = /^\s*(CREATE|ALTER|DROP)\b/i;

interface Prepared {
  readonly statement: StatementSync;
  readonly parameters: number;
  readonly columns: readonly string[];
}

/**
 * D1's interface over SQLite in this process, which is many times faster than workerd. The suite of databases
 * (database.suite.ts) proves that what the product relies on is the same: limits, types, errors, transactions.
 */
export class SqliteD1 {
  #sqlite = open();
  readonly #prepared = new Map<string, Prepared>();
  /** What the savepoint goes back to. */
  #restored: Uint8Array | null = null;
  #copied: { readonly changes: SQLOutputValue | undefined; readonly copy: Uint8Array } | null = null;

  load(statements: readonly string[]): void {
    for (const sql of statements) this.#sqlite.exec(sql);
    this.#forget();
  }

  /** Everything in the database: what `restore` takes. Where no row was changed since, it is the last copy. */
  copy(): Uint8Array {
    const changes = this.#changes();
    if (this.#copied !== null && this.#copied.changes === changes) return this.#copied.copy;
    // SQLite copies what was committed.
    this.#commit();
    const copy = this.#sqlite.serialize();
    this.#copied = { changes, copy };
    return copy;
  }

  restore(copy: Uint8Array): void {
    if (this.#restored === copy) {
      // What was prepared stays so, which is most of what a test that begins anew would pay for.
      this.#sqlite.exec('ROLLBACK TO restored');
      this.#copied = null;
      return;
    }
    // Into a connection of its own: Node crashes where statements prepared before are still held.
    this.#forget();
    this.#sqlite.close();
    this.#sqlite = open();
    this.#sqlite.deserialize(copy);
    this.#sqlite.exec('SAVEPOINT restored');
    this.#restored = copy;
  }

  /** The part of D1 that the product and its tests use. */
  get d1(): D1Database {
    const statements = {
      prepare: (sql: string) => new SqliteStatement(this, sql) as unknown as D1PreparedStatement,
      batch: (all: D1PreparedStatement[]) => this.run(all as unknown as SqliteStatement[], 'transaction'),
    };
    return {
      ...statements,
      // Without replicas, every session reads the newest state.
      withSession: () => ({ ...statements, getBookmark: () => this.#bookmark() }),
      exec: async (sql: string) => {
        await turn();
        const lines = sql.trim().split('\n');
        // Within a savepoint a pragma does nothing.
        this.#forget();
        for (const line of lines) this.#attempt(() => this.#sqlite.exec(line));
        this.#forget();
        return { count: lines.length, duration: 0 };
      },
    } as unknown as D1Database;
  }

  /** Counts changes: later ones sort behind, as D1's do. */
  #bookmark(): string {
    return bookmarkOf(Number(this.#changes()));
  }

  #changes(): SQLOutputValue | undefined {
    const row = this.#prepare('SELECT total_changes()').statement.get() as unknown as SQLOutputValue[];
    return row[0];
  }

  /** A round trip: nobody sees an answer, or a change, in the turn that asked for it. */
  async run(
    statements: readonly SqliteStatement[],
    extent: 'statement' | 'transaction',
  ): Promise<D1Result[]> {
    await turn();
    if (statements.length === 0) throw new Error('D1_ERROR: No SQL statements detected.');
    if (extent === 'statement') return statements.map((statement) => this.#run(statement));
    // Ended within the batch, the savepoint of the copy would take that of the batch along.
    if (statements.some(({ sql }) => CHANGES_SCHEMA.test(sql))) this.#forget();
    this.#sqlite.exec('SAVEPOINT batch');
    try {
      const results = statements.map((statement) => this.#run(statement));
      this.#sqlite.exec('RELEASE batch');
      return results;
    } catch (error) {
      this.#sqlite.exec('ROLLBACK TO batch; RELEASE batch');
      throw error;
    }
  }

  #run({ sql, params }: SqliteStatement): D1Result {
    if (REFUSED.test(sql)) throw new Error(`D1_ERROR: not authorized: SQLITE_AUTH`);
    const results = this.#attempt(() => {
      const { statement, parameters, columns } = this.#prepare(sql);
      // SQLite itself takes what is missing for NULL.
      if (params.length !== parameters) throw new Error(WRONG_NUMBER);
      return statement
        .all(...params)
        .map((values) => objectOf(columns, values as unknown as SQLOutputValue[]));
    });
    if (CHANGES_SCHEMA.test(sql)) this.#forget();
    return { success: true, results, meta: {} } as unknown as D1Result;
  }

  #forget(): void {
    this.#prepared.clear();
    this.#copied = null;
    this.#commit();
  }

  #commit(): void {
    if (this.#restored !== null) this.#sqlite.exec('RELEASE restored');
    this.#restored = null;
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asD1Error(error);
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql);
    // The rest would not be run, without a word.
    if (/[^\s;]/.test(sql.slice(statement.sourceSQL.length)))
      throw new Error(`More than one statement: ${sql}`);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const prepared = { statement, parameters: countParameters(sql), columns };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** A plain object, as a row is when it has travelled: Node's own have no prototype, and take four times as long. */
function objectOf(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}

/** In the form of D1's bookmarks. */
function bookmarkOf(count: number): string {
  return `${count.toString(16).padStart(8, '0')}-00000000-00000000-${'0'.repeat(32)}`;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function open(): DatabaseSync {
  const sqlite = new DatabaseSync(':memory:', { limits: LIMITS, enableDoubleQuotedStringLiterals: true });
  sqlite.exec('PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = OFF');
  return sqlite;
}

class SqliteStatement {
  readonly #database: SqliteD1;
  readonly sql: string;
  readonly params: readonly SQLInputValue[];

  constructor(database: SqliteD1, sql: string, params: readonly SQLInputValue[] = []) {
    this.#database = database;
    this.sql = sql;
    this.params = params;
  }

  bind(...values: unknown[]): SqliteStatement {
    return new SqliteStatement(this.#database, this.sql, values.map(boundValue));
  }

  async all(): Promise<D1Result> {
    const [result] = await this.#database.run([this], 'statement');
    return result as D1Result;
  }

  run = this.all;

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results as Record<string, unknown>[];
    if (row === undefined) return null;
    if (column === undefined) return row;
    if (!(column in row)) throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`);
    return row[column];
  }
}

/** Question marks outside of texts, names and comments. */
function countParameters(sql: string): number {
  const code = sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g, '');
  return code.split('?').length - 1;
}

/** Numbers are bound as REAL, whole or not: both do so. */
function boundValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`);
}

/** In D1's words, which db/client.ts reads. */
function asD1Error(error: unknown): Error {
  const { errcode, message } = error as { errcode?: number; message: string };
  if (errcode === undefined) return error as Error;
  return new Error(`D1_ERROR: ${message}: ${CODES[errcode] ?? 'SQLITE_ERROR'}`, { cause: error });
}
