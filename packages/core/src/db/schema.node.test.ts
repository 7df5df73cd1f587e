import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  dflt_value: string | null;
}

const TABLES = join(import.meta.dirname, 'tables');
const modules = new Map<string, Record<string, unknown>>();
for (const file of readdirSync(TABLES))
  modules.set(file, await import(pathToFileURL(join(TABLES, file)).href));
const tables = [...modules.values()]
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
    expect(modules.size).toBeGreaterThan(0);
    for (const [file, module] of modules) {
      expect(
        Object.values(module).some((value) => is(value, SQLiteTable)),
        file,
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
