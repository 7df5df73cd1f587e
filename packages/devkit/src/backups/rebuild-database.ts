import { rm } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { BackupPart } from '@agent-marketplace/core/backups/index.ts';
import { RefusalToStart } from '../refusal-to-start.ts';
import { type BackupManifest, type BackupSource, readParts } from './backup-source.ts';

type BackupTable = Extract<BackupPart, { kind: 'rows' }>['table'];
type Row = readonly SQLInputValue[];

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The database of a backup as a file of SQLite. Rows come as they were at different moments, and those that changed come again:
 * they are put together without constraints first, and are all of one moment at the end. Triggers come last, since the
 * rows hold what they did.
 */
export async function rebuildDatabase(
  source: BackupSource,
  manifest: BackupManifest,
  file: string,
): Promise<DatabaseSync> {
  const gathered = `${file}.rows`;
  await Promise.all([rm(file, { force: true }), rm(gathered, { force: true })]);
  const database = new DatabaseSync(file, { enableDoubleQuotedStringLiterals: true });
  try {
    // A crash only means that it is made anew.
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    database.prepare('ATTACH ? AS gathered').run(gathered);
    database.exec(
      'CREATE TABLE gathered.lines (table_name TEXT, key TEXT, line TEXT, PRIMARY KEY (table_name, key)) WITHOUT ROWID',
    );
    create(database, manifest, ['table']);
    const tables = await gatherRows(database, source, manifest);
    for (const table of tables.values()) insertRows(database, table);
    create(database, manifest, ['index', 'view', 'trigger']);
    database.exec('DETACH gathered');
    requireSound(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  } finally {
    await rm(gathered, { force: true });
  }
}

/**
 * Rows with nothing left out. Earlier copies lack the row number of some: there a column, which is the integer key, repeats it.
 * No other can be told: rows without a key would replace each other.
 */
function wholeRows(database: DatabaseSync, { name, key, columns }: BackupTable, rows: readonly Row[]): Row[] {
  const places = key.map((column) => columns.indexOf(column));
  const repeated = database
    .prepare(
      `SELECT name FROM pragma_table_info(?1) WHERE pk = 1 AND upper(type) = 'INTEGER'
        AND NOT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE pk = 2)`,
    )
    .get(name);
  return rows.map((row) => {
    const whole =
      key[0] === 'rowid' && repeated !== undefined
        ? row.with(places[0] ?? 0, row[columns.indexOf(String(repeated.name))] ?? null)
        : row;
    if (places.some((place) => (whole[place] ?? null) === null))
      throw new RefusalToStart(`The backup has a row of ${name} without its key: it would replace another.`);
    return whole;
  });
}

async function gatherRows(database: DatabaseSync, source: BackupSource, manifest: BackupManifest) {
  const tables = new Map<string, BackupTable>();
  const put = database.prepare('INSERT OR REPLACE INTO gathered.lines VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM gathered.lines WHERE table_name = ? AND key = ?');
  const putRows = (table: BackupTable, rows: readonly Row[]) => {
    tables.set(table.name, table);
    const places = table.key.map((column) => table.columns.indexOf(column));
    for (const row of wholeRows(database, table, rows)) {
      put.run(table.name, JSON.stringify(places.map((place) => row[place])), JSON.stringify(row));
    }
  };
  for await (const part of readParts(source, manifest)) {
    database.exec('BEGIN');
    if (part.kind === 'rows') putRows(part.table, part.rows);
    else {
      for (const { table, keys, rows } of part.tables) {
        for (const key of keys) remove.run(table.name, key);
        putRows(table, rows);
      }
    }
    database.exec('COMMIT');
  }
  return tables;
}

function create(database: DatabaseSync, { schema }: BackupManifest, types: readonly string[]): void {
  for (const type of types) for (const part of schema) if (part.type === type) database.exec(part.sql);
}

function insertRows(database: DatabaseSync, { name, columns }: BackupTable): void {
  const lines = database.prepare('SELECT line FROM gathered.lines WHERE table_name = ? ORDER BY key');
  const insert = database.prepare(
    `INSERT INTO main.${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  database.exec('BEGIN');
  for (const { line } of lines.iterate(name)) insert.run(...(JSON.parse(String(line)) as SQLInputValue[]));
  database.exec('COMMIT');
}

function requireSound(database: DatabaseSync): void {
  const { integrity_check: verdict } = database.prepare('PRAGMA integrity_check').get() ?? {};
  const orphan = database.prepare('PRAGMA foreign_key_check').get();
  if (verdict !== 'ok' || orphan !== undefined)
    throw new RefusalToStart(`The backup is not whole: ${JSON.stringify(orphan ?? verdict)}.`);
}
