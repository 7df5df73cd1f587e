/** What happens to one round trip: nothing, or the connection breaks before or after the database worked. */
export type D1Fault = 'lose_request' | 'lose_reply' | undefined;

/** What is sent to D1 in one round trip, in a session of this constraint; null: in none. */
export interface SentRoundTrip {
  readonly session: string | null;
  readonly statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
}

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
  /** Told of each round trip as it is sent. */
  onRoundTrip: (sent: SentRoundTrip) => void = () => {};
  readonly d1: D1Database;

  constructor(real: D1Database) {
    const observe = (statements: Pick<D1Database, 'prepare' | 'batch'>, session: string | null) => {
      const travel: Travel = (sent, send) => {
        this.onRoundTrip({ session, statements: sent });
        return this.#travel(
          sent.map(({ sql }) => sql),
          send,
        );
      };
      return {
        prepare: (sql: string) => new ObservedStatement(travel, statements.prepare(sql), sql),
        batch: (all: D1PreparedStatement[]) => {
          const known = all as unknown as ObservedStatement[];
          return travel(known, () => statements.batch(known.map(({ real }) => real)));
        },
      };
    };
    this.d1 = {
      ...observe(real, null),
      withSession: (constraint?: string) => {
        const session = real.withSession(constraint);
        return {
          ...observe(session, constraint ?? 'first-unconstrained'),
          getBookmark: () => session.getBookmark(),
        };
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

type Travel = <T extends D1Result | D1Result[]>(
  statements: readonly ObservedStatement[],
  send: () => Promise<T>,
) => Promise<T>;

class ObservedStatement {
  readonly #travel: Travel;
  readonly real: D1PreparedStatement;
  readonly sql: string;
  readonly params: readonly unknown[];

  constructor(travel: Travel, real: D1PreparedStatement, sql: string, params: readonly unknown[] = []) {
    this.#travel = travel;
    this.real = real;
    this.sql = sql;
    this.params = params;
  }

  bind(...values: unknown[]): ObservedStatement {
    return new ObservedStatement(this.#travel, this.real.bind(...values), this.sql, values);
  }

  all(): Promise<D1Result> {
    return this.#travel([this], () => this.real.all());
  }

  run(): Promise<D1Result> {
    return this.#travel([this], () => this.real.run());
  }
}
