/** What happens to one round trip: nothing, or the connection breaks before or after the database worked. */
export type D1Fault = 'lose_request' | 'lose_reply' | undefined;

/**
 * A D1 database that counts round trips, remembers their SQL and breaks connections on demand. A lost
 * reply is the dangerous case: the caller sees the same error, but the change was made.
 */
export class ObservedD1 {
  /** The SQL of each round trip, in order. */
  readonly roundTrips: string[][] = [];
  /** Since the last reset, as D1 itself counts them. SQLite in Node does not. */
  rowsRead = 0;
  rowsWritten = 0;
  /** May be replaced at any time; asked, and waited for, before each round trip. */
  fault: (sql: readonly string[]) => D1Fault | Promise<D1Fault> = () => undefined;
  readonly d1: D1Database;

  constructor(real: D1Database) {
    const observe = (statements: Pick<D1Database, 'prepare' | 'batch'>) => ({
      prepare: (sql: string) => new ObservedStatement(this, statements.prepare(sql), sql),
      batch: (all: D1PreparedStatement[]) => {
        const known = all as unknown as ObservedStatement[];
        return this.travel(
          known.map(({ sql }) => sql),
          () => statements.batch(known.map(({ real }) => real)),
        );
      },
    });
    this.d1 = {
      ...observe(real),
      withSession: (constraint?: string) => {
        const session = real.withSession(constraint);
        return { ...observe(session), getBookmark: () => session.getBookmark() };
      },
    } as unknown as D1Database;
  }

  get count(): number {
    return this.roundTrips.length;
  }

  reset(): void {
    this.roundTrips.length = 0;
    this.rowsRead = 0;
    this.rowsWritten = 0;
  }

  /** One round trip of these statements. */
  async travel<T extends D1Result | D1Result[]>(sql: string[], send: () => Promise<T>): Promise<T> {
    this.roundTrips.push(sql);
    const fault = await this.fault(sql);
    if (fault === 'lose_request') throw new Error('D1_ERROR: Network connection lost.');
    const result = await send();
    for (const { meta } of [result].flat()) {
      this.rowsRead += meta.rows_read ?? 0;
      this.rowsWritten += meta.rows_written ?? 0;
    }
    if (fault === 'lose_reply') throw new Error('D1_ERROR: Network connection lost.');
    return result;
  }
}

class ObservedStatement {
  readonly #database: ObservedD1;
  readonly real: D1PreparedStatement;
  readonly sql: string;

  constructor(database: ObservedD1, real: D1PreparedStatement, sql: string) {
    this.#database = database;
    this.real = real;
    this.sql = sql;
  }

  bind(...values: unknown[]): ObservedStatement {
    return new ObservedStatement(this.#database, this.real.bind(...values), this.sql);
  }

  all(): Promise<D1Result> {
    return this.#database.travel([this.sql], () => this.real.all());
  }

  run(): Promise<D1Result> {
    return this.#database.travel([this.sql], () => this.real.run());
  }
}
