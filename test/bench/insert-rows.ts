import { insertInto } from '@agent-marketplace/core/db/insert-into.ts';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';

type Table = Parameters<typeof insertInto>[0];

const ROWS_A_STATEMENT = 500;

/**
 * Inserts rows that all give the same fields, as the table's definition has them: a column that is missing here fails to
 * compile. Hundreds go in one statement, since each statement is a call from this process to workerd.
 */
export async function insertRows<T extends Table>(
  database: Database,
  table: T,
  rows: readonly T['$inferInsert'][],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const statements = rows.slice(start, start + ROWS_A_STATEMENT).map((row) => insertInto(table, row));
    const text = statements[0]?.sql ?? '';
    if (statements.some(({ sql }) => sql !== text)) throw new Error('The rows give different fields.');
    const params = [JSON.stringify(statements.map((one) => one.params))];
    await database.commit([{ sql: fromJson(text), params }]);
  }
}

/** The same INSERT with its values taken from an array of arrays. */
function fromJson(insert: string): string {
  const [, into, values] = /^(INSERT INTO .+?) VALUES \((.+)\)\s*$/is.exec(insert) ?? [];
  if (into === undefined || values === undefined) throw new Error(`Not the INSERT of one row: ${insert}`);
  let position = 0;
  const taken = values.replaceAll('?', () => `value ->> ${position++}`);
  return `${into} SELECT ${taken} FROM json_each(?)`;
}
