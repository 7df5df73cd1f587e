import type { Clock } from '../kernel/ports/clock.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { DatabaseUse } from '../kernel/ports/metrics/metrics.ts';

/** Where each round trip is counted, and the time that it took. */
export interface UseMeter {
  readonly use: DatabaseUse;
  readonly clock: Pick<Clock, 'now'>;
}

interface WaitingRead {
  readonly statement: Statement;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * A D1 database for the length of one request. Reads asked for in the same turn of the event loop are
 * sent as one batch, so that independent look-ups cost one round trip without knowing of each other.
 */
export function createDatabase(d1: D1Database, meter?: UseMeter): Database {
  let bookmark: string | null = null;
  const primary: Database = {
    ...createReads(d1, meter),
    async commit(statements) {
      // A session begins on the primary; one that lasted longer could read from a replica later.
      const session = d1.withSession('first-primary');
      const rows = await run(session, statements, meter);
      bookmark = session.getBookmark();
      return rows;
    },
    bookmark: () => bookmark,
    near: (since) => ({ ...primary, ...createReads(d1.withSession(since ?? 'first-unconstrained'), meter) }),
  };
  return primary;
}

/** What runs statements: a database, or a session of one. */
type Statements = Pick<D1Database, 'prepare' | 'batch'>;

function createReads(d1: Statements, meter: UseMeter | undefined): Pick<Database, 'all' | 'first'> {
  let waiting: WaitingRead[] = [];

  async function flush(): Promise<void> {
    const reads = waiting;
    waiting = [];
    try {
      const results = await run(
        d1,
        reads.map((read) => read.statement),
        meter,
      );
      for (const [index, read] of reads.entries()) read.resolve(results[index] ?? []);
    } catch (error) {
      for (const read of reads) read.reject(error);
    }
  }

  function read(statement: Statement): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject });
      if (waiting.length === 1) queueMicrotask(() => queueMicrotask(flush));
    });
  }

  return {
    all: <Row>(statement: Statement) => read(statement) as Promise<Row[]>,
    first: async <Row>(statement: Statement) => ((await read(statement))[0] as Row | undefined) ?? null,
  };
}

async function run(
  d1: Statements,
  statements: readonly Statement[],
  meter: UseMeter | undefined,
): Promise<unknown[][]> {
  const bound = statements.map((statement) => bind(d1, statement));
  const [only, ...others] = bound;
  if (only === undefined) return [];
  const sentAt = meter?.clock.now() ?? 0;
  if (meter) meter.use.roundTrips += 1;
  try {
    const results: D1Result[] = others.length === 0 ? [await only.all()] : await d1.batch(bound);
    if (meter) countRows(meter.use, results);
    return results.map((result) => result.results);
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    if (meter) meter.use.waitMs += meter.clock.now() - sentAt;
  }
}

function countRows(use: DatabaseUse, results: readonly D1Result[]): void {
  for (const { meta } of results) {
    use.rowsRead += meta.rows_read ?? 0;
    use.rowsWritten += meta.rows_written ?? 0;
  }
}

function bind(d1: Statements, { sql, params }: Statement): D1PreparedStatement {
  const preparedStatement = d1.prepare(sql);
  return params.length === 0 ? preparedStatement : preparedStatement.bind(...params);
}

/** D1 reports everything as text; this is the one place that reads it. */
function asDatabaseError(error: unknown): DatabaseError {
  const message = error instanceof Error ? error.message : String(error);
  const guard = /D1_ERROR: (guard \w+): SQLITE_CONSTRAINT/.exec(message)?.[1];
  if (guard) return new DatabaseError('constraint', guard, error);
  // A foreign key is not named: SQLite's own code follows at once.
  const constraint =
    /(?:UNIQUE|CHECK|FOREIGN KEY|NOT NULL) constraint failed(?:: (?!SQLITE)([^:]+?))?(?:: SQLITE|$)/.exec(
      message,
    );
  if (constraint) return new DatabaseError('constraint', constraint[1] ?? 'foreign key', error);
  const ours =
    /syntax error|no such (table|column|function)|SQLITE_ERROR|SQLITE_MISMATCH|datatype mismatch|malformed/i;
  return new DatabaseError(ours.test(message) ? 'broken' : 'unavailable', message.slice(0, 200), error);
}
