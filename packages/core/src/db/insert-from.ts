import { getTableColumns, is, type Placeholder, SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  SQLiteAsyncDialect,
  SQLiteColumn,
  type SQLiteInsertBase,
  type SQLiteTable,
} from 'drizzle-orm/sqlite-core';
import { drizzleBuilder } from './build.ts';

const dialect = new SQLiteAsyncDialect();

/** What a column is given: a value of its type, a placeholder for one, or what SQL computes. */
type Given<Value> = Value | Placeholder<string, Value> | SQL | SQLiteColumn;

/** The columns of a row by their fields' names: all that have no default. */
export type InsertedRow<T extends SQLiteTable> = {
  readonly [Field in keyof T['$inferInsert']]: Given<T['$inferInsert'][Field]>;
};

type Insertion<T extends SQLiteTable> = SQLiteInsertBase<T, 'async', unknown>;

/** INSERT of one row if a condition holds: `INSERT INTO table (…) SELECT … WHERE condition`. */
export function insertWhere<T extends SQLiteTable>(
  table: T,
  row: InsertedRow<T>,
  condition: SQL,
): Insertion<T> {
  const values = Object.values(selectedOf(table, row));
  return insertion(table, Object.keys(row), sql`select ${sql.join(values, sql`, `)} where ${condition}`);
}

/** From a SELECT of the values, which says nothing of where from yet. */
export type Find = (select: ReturnType<typeof drizzleBuilder.select<Record<string, SQL>>>) => SQLWrapper;

/**
 * INSERT of a row for each that a query finds: `INSERT INTO table (…) SELECT … FROM …`. Where it says what a conflict
 * does, the query needs a WHERE: SQLite would read ON as that of a join.
 *
 *     insertFrom(holds, { purchaseId: purchases.id, heldAt: p.at }, (select) =>
 *       select.from(purchases).where(eq(purchases.id, p.id)))
 */
export function insertFrom<T extends SQLiteTable>(table: T, row: InsertedRow<T>, find: Find): Insertion<T> {
  return insertion(table, Object.keys(row), find(drizzleBuilder.select(selectedOf(table, row))).getSQL());
}

function selectedOf<T extends SQLiteTable>(table: T, row: InsertedRow<T>): Record<string, SQL> {
  const columns = getTableColumns(table);
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => {
      if (is(value, SQL) || is(value, SQLiteColumn)) return [field, sql`${value}`];
      return [field, value === null ? sql`null` : sql`${sql.param(value, columns[field])}`];
    }),
  );
}

interface InsertInside {
  readonly config: { readonly table: SQLiteTable };
}

interface DialectInside {
  buildInsertQuery(config: InsertInside['config']): SQL;
}

/** Drizzle's INSERT, of the given columns alone: by itself it names every column of the table. */
function insertion<T extends SQLiteTable>(table: T, fields: readonly string[], select: SQL): Insertion<T> {
  const insert = drizzleBuilder.insert(table).select(select);
  const { config } = insert as unknown as InsertInside;
  const getSQL = () =>
    (dialect as unknown as DialectInside).buildInsertQuery({ ...config, table: withColumns(table, fields) });
  return Object.assign(insert, { getSQL }) as unknown as Insertion<T>;
}

const COLUMNS = Symbol.for('drizzle:Columns');

function withColumns(table: SQLiteTable, fields: readonly string[]): SQLiteTable {
  const columns = getTableColumns(table);
  return Object.create(table, {
    [COLUMNS]: { value: Object.fromEntries(fields.map((field) => [field, columns[field]])) },
  }) as SQLiteTable;
}
