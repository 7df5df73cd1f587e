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

/** What no CHECK can bound, and why. */
const UNCHECKED_CENTS: Readonly<Record<string, string>> = {
  'compared_objects.ledger_cents': 'of either sign',
  'compared_objects.outside_cents': 'of either sign',
  'ledger_entries.balance_cents': 'of either sign: the accounts check those of owners',
  'paying_buyers.weighed_cents': 'a sum that triggers keep',
  'payments.withheld_cents': 'of either sign: a seller has back what it bore',
  'payout_totals.disputed_cents': 'a sum that triggers keep',
  'payout_totals.sent_cents': 'a sum that triggers keep',
  'processor_entries.amount_cents': 'what the card processor says',
  'processor_entries.fee_cents': 'what the card processor says',
  'sale_totals.taken_fee_cents': 'a sum that triggers keep',
  'sale_totals.taken_net_cents': 'a sum that triggers keep',
};

describe('every amount that a row must have has an end in the schema', async () => {
  const { results } = await testBindings.DB.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%_cents%'",
  ).all<{ name: string; sql: string }>();
  const amounts = (
    await Promise.all(
      results.map(async ({ name, sql }) =>
        (
          await columnsInDatabase(name)
        )
          .filter((column) => /_cents$/.test(column.name) && column.notnull === 1)
          .map((column) => [`${name}.${column.name}`, sql, column.name] as const),
      ),
    )
  ).flat();

  it.each(amounts)('%s', (name, sql, column) => {
    const isChecked = new RegExp(`CHECK \\([^)]*\\b${column}\\b`).test(sql);
    expect(isChecked, UNCHECKED_CENTS[name]).toBe(!(name in UNCHECKED_CENTS));
  });
});
