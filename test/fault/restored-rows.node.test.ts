import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupPart } from '@agent-marketplace/core/backups/index.ts';
import { backUp, manifestPath, partPath } from '@agent-marketplace/core/backups/index.ts';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { FakeBackupStore } from '@agent-marketplace/core/testing/doubles/fake-backup-store.ts';
import { FakeClock } from '@agent-marketplace/core/testing/doubles/fake-clock.ts';
import { SqliteD1 } from '@agent-marketplace/core/testing/doubles/sqlite-d1.ts';
import { touchEveryRow } from '@agent-marketplace/core/testing/fixtures/touch-every-row.ts';
import { type BackupSource, readManifest } from '@agent-marketplace/devkit/backups/backup-source.ts';
import { rebuildDatabase } from '@agent-marketplace/devkit/backups/rebuild-database.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

// Every table of the schema with some rows, all of which change while they are copied: no table is restored with fewer.

const ROWS = 3;
const PACE = { page: { rows: 50, bytes: 1_000_000 }, partsAtOnce: 50, changesAtOnce: 100 };
/** What a backup says of itself is not copied. */
const OWN_TABLES = ['backups', 'backup_parts', 'backup_changes'];

interface Column {
  readonly name: string;
  readonly type: string;
  /** Its place in the primary key; 0: it is not part of it. */
  readonly pk: number;
}
type Rows = Record<string, unknown>[];

const store = new FakeBackupStore();
const source: BackupSource = async (path) => store.objects.get(path) ?? null;
const clock = new FakeClock();
const log = { info() {}, warn() {}, error() {} };
let folder = '';
let rebuilt = 0;
let original: Record<string, Rows>;

/** Each table of the schema with its columns and its key, and no rule about what a row says: it takes any row of the right types. */
async function makeTables(): Promise<{ d1: D1Database; names: readonly string[] }> {
  const schema = new SqliteD1();
  schema.load(inject('migrations').market.flatMap(({ queries }) => queries));
  const ask = async <Row>(sql: string) => (await schema.d1.prepare(sql).all<Row>()).results;
  const tables = await ask<{ name: string; wr: number; sql: string }>(
    "SELECT name, wr, (SELECT sql FROM sqlite_schema AS one WHERE one.name = list.name) AS sql FROM pragma_table_list AS list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name",
  );
  const sqlite = new SqliteD1();
  for (const { name, wr, sql } of tables) {
    if (OWN_TABLES.includes(name)) {
      sqlite.load([sql]);
      continue;
    }
    const columns = await ask<Column>(`SELECT name, type, pk FROM pragma_table_info('${name}')`);
    const quoted = (some: readonly Column[]) => some.map((column) => `"${column.name}"`).join(', ');
    const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
    sqlite.load([
      `CREATE TABLE "${name}" (${[
        ...columns.map((column) => `"${column.name}" ${column.type}`),
        ...(key.length > 0 ? [`PRIMARY KEY (${quoted(key)})`] : []),
      ].join(', ')}) STRICT${wr === 1 ? ', WITHOUT ROWID' : ''}`,
      ...Array.from({ length: ROWS }, (_, row) => {
        const values = columns.map(({ type }, at) =>
          type === 'TEXT' ? `'${row}${at}é'` : String((row + 1) * 1000),
        );
        return `INSERT INTO "${name}" (${quoted(columns)}) VALUES (${values.join(', ')})`;
      }),
    ]);
  }
  return {
    d1: sqlite.d1,
    names: tables.map(({ name }) => name).filter((name) => !OWN_TABLES.includes(name)),
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restored-rows-'));
  const { d1, names } = await makeTables();
  const market = createDatabase(d1);
  const run = () => backUp({ market, backups: store, clock, log }, PACE);
  const state = async () =>
    (await market.first<{ state: string }>({ sql: 'SELECT state FROM backups', params: [] }))?.state;
  for (let isTouched = false; (await state()) !== 'ended'; ) {
    await run();
    if (isTouched || (await state()) !== 'rows') continue;
    isTouched = true;
    await touchEveryRow(market);
  }
  const read = async (name: string) =>
    [name, await market.all<Rows[number]>({ sql: `SELECT * FROM "${name}"`, params: [] })] as const;
  original = Object.fromEntries(await Promise.all(names.map(read)));
});
afterAll(() => rm(folder, { recursive: true }));

async function restoredRows(from: BackupSource = source): Promise<Record<string, Rows>> {
  rebuilt += 1;
  const file = join(folder, `${rebuilt}.sqlite`);
  const database = await rebuildDatabase(from, await readManifest(from, null), file);
  const rows = Object.keys(original).map((name) => [
    name,
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => ({ ...row })),
  ]);
  database.close();
  return Object.fromEntries(rows);
}

const sorted = (tables: Record<string, Rows>) =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).sort()]),
  );

/** The same backup, with its parts as they would have been written otherwise. */
async function changed(change: (part: BackupPart) => unknown): Promise<BackupSource> {
  const objects = new Map(store.objects);
  const manifest = await readManifest(source, null);
  const parts: string[] = [];
  for (const sha256 of manifest.parts) {
    const text = new TextDecoder().decode(objects.get(partPath(manifest.id, sha256)));
    const bytes = utf8(JSON.stringify(change(JSON.parse(text))));
    parts.push(await sha256Hex(bytes));
    objects.set(partPath(manifest.id, parts.at(-1) ?? ''), bytes);
  }
  objects.set(manifestPath(manifest.id), utf8(JSON.stringify({ ...manifest, parts })));
  return async (path) => objects.get(path) ?? null;
}

/** Takes the key away from the rows of those changed tables that the test names. */
const withoutKeys = (isChosen: (table: string) => boolean) =>
  changed((part) =>
    part.kind === 'rows'
      ? part
      : {
          ...part,
          tables: part.tables.map((one) =>
            one.table.key[0] === 'rowid' && isChosen(one.table.name)
              ? { ...one, rows: one.rows.map((row) => [null, ...row.slice(1)]) }
              : one,
          ),
        },
  );

it('holds every row of every table, all of which changed while they were copied', async () => {
  expect(Object.keys(original).length).toBeGreaterThan(80);
  expect(new Set(Object.values(original).map((rows) => rows.length))).toEqual(new Set([ROWS]));
  expect(sorted(await restoredRows())).toEqual(sorted(original));
});

it('holds every row where an older copy left out row numbers that a column of the table repeats', async () => {
  const numbered = new Set(['operator_actions', 'audit_texts', 'settlements', 'ledger_entries']);
  const older = await withoutKeys((name) => numbered.has(name));
  expect(sorted(await restoredRows(older))).toEqual(sorted(original));
});

it('is refused where a row lacks the key that tells it from others', async () => {
  await expect(restoredRows(await withoutKeys((name) => name === 'purchases'))).rejects.toThrow(
    /row of purchases without its key/,
  );
});
