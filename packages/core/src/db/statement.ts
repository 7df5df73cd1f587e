import { fillPlaceholders, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SqlValue, Statement } from '../kernel/ports/database.ts';

const dialect = new SQLiteAsyncDialect();

/** A statement built for this one use. Parameters are bound, never spliced into the text. */
export function statement(query: SQL): Statement {
  const { sql, params } = dialect.sqlToQuery(query);
  return { sql, params: params as SqlValue[] };
}

/**
 * A statement built once and filled many times: on hot paths, building the text anew would cost more
 * than running it. Placeholders are `sql.placeholder('name')`.
 */
export function prepared<Values extends Record<string, SqlValue>>(query: SQL): (values: Values) => Statement {
  const { sql, params } = dialect.sqlToQuery(query);
  return (values) => ({ sql, params: fillPlaceholders(params, values) as SqlValue[] });
}

/** Texts of INSERTs by table and the fields given: on hot paths they would be built anew each time. */
const insertTexts = new WeakMap<SQLiteTable, Map<string, string>>();

/** INSERT of one row; `suffix` takes ON CONFLICT or RETURNING. */
export function insertInto<T extends SQLiteTable>(table: T, row: T['$inferInsert'], suffix?: SQL): Statement {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  const fields = entries.map(([field]) => field);
  const columns = getTableColumns(table);
  const params = entries.map(([field, value]) => encoded(columns[field], value));
  if (suffix) return statement(insertion(table, fields, params, suffix));
  const texts = insertTexts.get(table) ?? new Map<string, string>();
  insertTexts.set(table, texts);
  const key = fields.join();
  const known = texts.get(key);
  if (known !== undefined) return { sql: known, params };
  const built = statement(insertion(table, fields, params, sql.empty()));
  texts.set(key, built.sql);
  return built;
}

function encoded(column: SQLiteColumn | undefined, value: unknown): SqlValue {
  return (value === null ? null : (column?.mapToDriverValue(value) ?? value)) as SqlValue;
}

function insertion(table: SQLiteTable, fields: string[], values: SqlValue[], suffix: SQL): SQL {
  const columns = getTableColumns(table);
  const names = fields.map((field) => sql.identifier(columns[field]?.name ?? field));
  const bound = values.map((value) => sql`${value}`);
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) VALUES (${sql.join(bound, sql`, `)}) ${suffix}`;
}

/** UPDATE of the rows that fit; only the given fields change. */
export function updateSet<T extends SQLiteTable>(
  table: T,
  changes: Partial<T['$inferInsert']>,
  where: SQL,
): Statement {
  const columns = getTableColumns(table);
  const assignments = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([field, value]) =>
        sql`${sql.identifier(columns[field]?.name ?? field)} = ${encoded(columns[field], value)}`,
    );
  return statement(sql`UPDATE ${table} SET ${sql.join(assignments, sql`, `)} WHERE ${where}`);
}
