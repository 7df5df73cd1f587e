/** What a session reads from. */
type Statements = Pick<D1Database, 'prepare' | 'batch'>;

/**
 * A D1 database with one replica, which stays at the state that it was last told to catch up with. As D1's, a session with
 * a bookmark reads from the replica only where that is as new, and what a session writes goes to the primary.
 */
export class LaggingD1 {
  readonly d1: D1Database;
  /** How often a session read from the replica. */
  replicaReads = 0;
  readonly #primary: D1Database;
  readonly #copy: () => D1Database;
  #replica: D1Database;
  #caughtUpWith = '';

  constructor(primary: D1Database, copy: () => D1Database) {
    this.#primary = primary;
    this.#copy = copy;
    this.#replica = copy();
    this.d1 = {
      prepare: (sql: string) => primary.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => primary.batch(statements),
      withSession: (constraint = 'first-unconstrained') => this.#session(constraint),
    } as unknown as D1Database;
  }

  async catchUp(): Promise<void> {
    this.#replica = this.#copy();
    const session = this.#primary.withSession('first-primary');
    await session.prepare('SELECT 1').all();
    this.#caughtUpWith = session.getBookmark() ?? '';
  }

  #session(constraint: string) {
    const primary = this.#primary.withSession('first-primary');
    const isBehind = constraint !== 'first-unconstrained' && constraint > this.#caughtUpWith;
    if (constraint === 'first-primary' || isBehind) return primary;
    const replica: Statements = this.#replica;
    return {
      prepare: (sql: string) => {
        if (!/^\s*(SELECT|WITH)\b/i.test(sql)) return primary.prepare(sql);
        this.replicaReads += 1;
        return replica.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => replica.batch(statements),
      getBookmark: () => this.#caughtUpWith,
    };
  }
}
