import { Column, getTableColumns, is, type Param, type Placeholder, SQL, sql, Table } from 'drizzle-orm';
import type {
  SelectedFields,
  SQLiteColumn,
  SQLiteTable,
  SQLiteUpdateSetSource,
} from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { decoderOf, NAME_SEPARATOR } from './rows.ts';

/** Drizzle only writes SQL here. Statements run through the Database port, which batches and commits them. */
export const drizzleBuilder = drizzle(() =>
  Promise.reject(new Error('Statements run through the Database port.')),
);

/** What an UPDATE assigns, by the field's name. */
type Assignments<T extends SQLiteTable> = {
  readonly [Field in keyof T['$inferInsert']]?:
    | T['$inferInsert'][Field]
    | SQL
    | SQLiteColumn
    | Placeholder
    | undefined;
};

/** Drizzle's builder. Rows come back from D1 as objects, so `select` gives every field a column name of its own. */
export const build = {
  select: <Fields extends SelectedFields>(fields: Fields) => drizzleBuilder.select(named(fields)),
  selectDistinct: <Fields extends SelectedFields>(fields: Fields) =>
    drizzleBuilder.selectDistinct(named(fields)),
  insert: <T extends SQLiteTable>(table: T) => drizzleBuilder.insert(table),
  update: <T extends SQLiteTable>(table: T) => ({
    // Drizzle binds placeholders in SET as it does in VALUES; only its type leaves them out.
    set: (assignments: Assignments<T>) =>
      drizzleBuilder.update(table).set(assignments as SQLiteUpdateSetSource<T>),
  }),
  delete: <T extends SQLiteTable>(table: T) => drizzleBuilder.delete(table),
};

/**
 * The same fields, each selected under its own name: two tables of a join may both have an `id`, and a row keeps
 * only one value for a name. `returning` needs it for fields that are named differently from their columns. The type
 * stays that of the columns, so that drizzle knows which of them a LEFT JOIN may leave empty.
 */
export function named<Fields extends SelectedFields>(fields: Fields): Fields {
  return namedUnder('', fields) as Fields;
}

function namedUnder(prefix: string, fields: SelectedFields): SelectedFields {
  const entries = Object.entries(fields).map(([key, field]) => {
    const name = prefix + key;
    // Wrapped, because drizzle drops the table's name from columns that stand directly in a selected expression.
    if (is(field, SQL) || is(field, Column) || is(field, SQL.Aliased))
      return [key, sql`${is(field, SQL.Aliased) ? field.sql : field}`.mapWith(decoderOf(field)).as(name)];
    const group = is(field, Table) ? getTableColumns(field) : (field as SelectedFields);
    return [key, namedUnder(name + NAME_SEPARATOR, group)];
  });
  return Object.fromEntries(entries);
}

/** A condition as a selected field: SQLite's 0 and 1 become booleans. */
export function asBoolean(condition: SQL): SQL<boolean> {
  return sql`${condition}`.mapWith(Boolean);
}

/** An integer to reckon with. D1 binds every number as REAL, which would make the result REAL, too. */
export function asInteger(value: number | Placeholder): SQL<number> {
  return sql<number>`CAST(${value} AS INTEGER)`;
}

/** A value as one JSON parameter, for `json_each` and `->>`. */
export function asJson(value: unknown): Param {
  return sql.param(value, JSON_TEXT);
}

const JSON_TEXT = { mapToDriverValue: (value: unknown) => JSON.stringify(value) };

/** A column's value is one of a list, which is one parameter: D1 binds at most 100. */
export function isOneOf(
  column: SQLiteColumn | SQL,
  list: readonly string[] | Placeholder<string, readonly string[]>,
): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${asJson(list)}))`;
}

/** The values of an INSERT that met a row, for `onConflictDoUpdate`. */
export function excluded<T extends SQLiteTable, Field extends keyof T['_']['columns'] & string>(
  table: T,
  ...fields: Field[]
): Record<Field, SQL> {
  const columns = getTableColumns(table);
  return Object.fromEntries(
    fields.map((field) => [field, sql`excluded.${sql.identifier(columns[field]?.name ?? field)}`]),
  ) as Record<Field, SQL>;
}
