import { describe, expect, it } from 'vitest';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { HELD_DATA } from './held-data.ts';
import { WITHOUT_TEXTS } from './held-rows.store.ts';
import { columnsOf, type HeldTable, KINDS, type Owner, type OwnerColumn } from './held-table.ts';
import { RETENTION } from './retention.data.ts';

interface Column {
  readonly name: string;
  readonly notnull: number;
  readonly pk: number;
}

/** Of D1 itself, and of SQLite. */
const NOT_OURS = /^(sqlite_|_cf_|d1_)/;

async function columnsByTable(): Promise<Map<string, Column[]>> {
  const tables = new Map<string, Column[]>();
  for (const database of [testBindings.DB, testBindings.SEARCH]) {
    const { results } = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of results as { name: string }[]) {
      if (NOT_OURS.test(name)) continue;
      const columns = await database
        .prepare('SELECT name, "notnull", pk FROM pragma_table_xinfo(?)')
        .bind(name)
        .all();
      tables.set(name, columns.results as unknown as Column[]);
    }
  }
  return tables;
}

const HOW =
  'Say in packages/core/src/privacy/held/*.data.ts what it holds: a table is an entry (name, what, until, owners, ' +
  'columns), a column is a word under its kind (fact, pseudonym, identity, text, network, secret, money, published, ' +
  'consent, derived: see KINDS in held-table.ts). Export and erasure follow it.';

const clearedBy = (table: HeldTable, owner: Owner): readonly string[] =>
  owner.clears ?? [...columnsOf(table)].filter(([, kind]) => KINDS[kind].isCleared).map(([name]) => name);

function* pathOf(name: string, { column, through }: OwnerColumn): Generator<[string, string]> {
  yield [name, column];
  if (!through) return;
  yield [through.table, through.key];
  yield* pathOf(through.table, through.owner);
}

describe('what is held', () => {
  it('names every column of every table, and none that is not there', async () => {
    const held = HELD_DATA.flatMap((table) =>
      Object.values(table.columns).flatMap((names) =>
        names.split(' ').map((column) => `${table.name}.${column}`),
      ),
    );
    const existing = [...(await columnsByTable())].flatMap(([table, columns]) =>
      columns.map(({ name }) => `${table}.${name}`),
    );
    expect(
      existing.filter((column) => !held.includes(column)),
      HOW,
    ).toEqual([]);
    expect(
      held.filter((column) => !existing.includes(column)),
      'These are gone: delete them there.',
    ).toEqual([]);
    expect(
      held.filter((column, at) => held.indexOf(column) !== at),
      'These are there twice.',
    ).toEqual([]);
  });

  it('says of each table whose it is by columns that exist', async () => {
    const tables = await columnsByTable();
    for (const table of HELD_DATA) {
      expect(RETENTION).toHaveProperty(table.until);
      for (const owner of table.owners) {
        for (const [name, column] of pathOf(table.name, owner)) {
          expect(
            tables.get(name)?.map((one) => one.name),
            `${table.name}: ${name}.${column}`,
          ).toContain(column);
        }
        for (const hidden of owner.hides ?? []) expect([...columnsOf(table).keys()]).toContain(hidden);
      }
    }
  });

  it('has a replacement for each value that an erasure cannot leave out', async () => {
    const tables = await columnsByTable();
    for (const table of HELD_DATA) {
      for (const owner of table.owners.filter(({ erasure }) => erasure === 'clear')) {
        const required = tables
          .get(table.name)
          ?.filter((column) => column.notnull || column.pk > 0)
          .map(({ name }) => name);
        const bare = clearedBy(table, owner).filter(
          (column) =>
            required?.includes(column) &&
            table.replacements?.[column] === undefined &&
            !Object.hasOwn(WITHOUT_TEXTS, `${table.name}.${column}`),
        );
        expect(bare, `${table.name}: add them to \`replacements\`.`).toEqual([]);
      }
    }
  });

  it('says of each record of money with what it ends, and that leads to a row that ends by itself', () => {
    const endless = HELD_DATA.filter(({ until, ends }) => {
      const rule: { readonly until: string; readonly isOfRecords?: true } = RETENTION[until];
      return rule.isOfRecords && ends === undefined;
    }).map(({ name }) => name);
    expect(endless, 'Say in `ends` with what its rows end: see RecordsEnd in held-table.ts.').toEqual([]);
    for (const { name, ends } of HELD_DATA) {
      if (typeof ends !== 'object') continue;
      const columns = 'with' in ends ? Object.values(ends.with) : [ends.after, ...ends.key.split(' ')];
      const known = HELD_DATA.filter((table) => table.name === name).flatMap((table) => [
        ...columnsOf(table).keys(),
      ]);
      for (const column of columns) expect(known, name).toContain(column);
    }
  });

  it('has an owner wherever somebody’s own data is', () => {
    const personal = HELD_DATA.filter(
      (table) => table.owners.length === 0 && [...columnsOf(table).values()].includes('text'),
    ).map(({ name }) => name);
    expect(personal).toEqual(['ideas', 'operator_actions', 'audit_texts']);
  });
});
