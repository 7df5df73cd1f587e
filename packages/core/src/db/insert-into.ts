import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SqlValue, Statement } from '../kernel/ports/database.ts';

const dialect = new SQLiteAsyncDialect();

/** Texts of INSERTs by table and the fields given: on hot paths they would be built anew each time. */
const insertTexts = new WeakMap<SQLiteTable, Map<string, string>>();

/** INSERT of one row. */
export function insertInto<T extends SQLiteTable>(table: T, row: T['$inferInsert']): Statement {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  const fields = entries.map(([field]) => field);
  const columns = getTableColumns(table);
  const params = entries.map(([field, value]) => encodeValue(columns[field], value));
  const texts = insertTexts.get(table) ?? new Map<string, string>();
  insertTexts.set(table, texts);
  const key = fields.join();
  const known = texts.get(key) ?? dialect.sqlToQuery(insertion(table, fields)).sql;
  texts.set(key, known);
  return { sql: known, params };
}

function encodeValue(column: SQLiteColumn | undefined, value: unknown): SqlValue {
  return (value === null ? null : (column?.mapToDriverValue(value) ?? value)) as SqlValue;
}

function insertion(table: SQLiteTable, fields: readonly string[]): SQL {
  const columns = getTableColumns(table);
  const names = fields.map((field) => sql.identifier(columns[field]?.name ?? field));
  const values = fields.map((field) => sql.placeholder(field));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) VALUES (${sql.join(values, sql`, `)})`;
}
