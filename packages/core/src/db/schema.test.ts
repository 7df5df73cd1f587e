import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { testBindings } from '../testing/workers-bindings.ts';

declare global {
  interface ImportMeta {
    /** Vite's: every module that fits. */
    glob(pattern: string, options: { eager: true }): Record<string, Record<string, unknown>>;
  }
}

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  dflt_value: string | null;
}

const modules = import.meta.glob('./tables/*.ts', { eager: true });
const tables = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable));

async function columnsInDatabase(table: string): Promise<ColumnInfo[]> {
  const inMarket = await testBindings.DB.prepare('SELECT * FROM pragma_table_xinfo(?) WHERE hidden <> 1')
    .bind(table)
    .all();
  if (inMarket.results.length > 0) return inMarket.results as unknown as ColumnInfo[];
  const inSearch = await testBindings.SEARCH.prepare('SELECT * FROM pragma_table_xinfo(?) WHERE hidden <> 1')
    .bind(table)
    .all();
  return inSearch.results as unknown as ColumnInfo[];
}

describe('the tables as code knows them are the tables as migrated', () => {
  it('every file of tables is looked at', () => {
    expect(Object.keys(modules).length).toBeGreaterThan(0);
    for (const [path, module] of Object.entries(modules)) {
      expect(
        Object.values(module).some((value) => is(value, SQLiteTable)),
        path,
      ).toBe(true);
    }
  });

  it.each(tables.map((table) => [getTableName(table), table] as const))('%s', async (name, table) => {
    const known = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      notNull: column.notNull,
      hasDefault: column.hasDefault,
    }));
    const migrated = (await columnsInDatabase(name))
      // An alias of SQLite's own row number is none of a slice's business.
      .filter((column) => column.name !== 'rowid')
      .map((column) => ({
        name: column.name,
        type: column.type,
        notNull: column.notnull === 1 || column.pk > 0,
        hasDefault: column.dflt_value !== null,
      }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(known.sort(byName)).toEqual(migrated.sort(byName));
  });
});
