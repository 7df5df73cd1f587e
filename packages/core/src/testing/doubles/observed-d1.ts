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
    const originals = new WeakMap<object, { real: D1PreparedStatement; sql: string }>();
    const observe = (statements: Pick<D1Database, 'prepare' | 'batch'>) => ({
      prepare: (sql: string) => wrap(statements.prepare(sql), sql),
      batch: (all: D1PreparedStatement[]) => {
        const known = all.flatMap((statement) => originals.get(statement) ?? []);
        return this.#travel(
          known.map(({ sql }) => sql),
          () => statements.batch(known.map((one) => one.real)),
        );
      },
    });
    const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
      const wrapped = {
        bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
        all: () => this.#travel([sql], () => statement.all()),
        run: () => this.#travel([sql], () => statement.run()),
      } as unknown as D1PreparedStatement;
      originals.set(wrapped, { real: statement, sql });
      return wrapped;
    };
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

  async #travel<T extends D1Result | D1Result[]>(sql: string[], send: () => Promise<T>): Promise<T> {
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
