import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { backupChanges, backupParts, backups } from '../db/tables/reports.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import {
  type BackupColumn,
  type BackupTable,
  changedKeys,
  changedRows,
  dropTrigger,
  isWatching,
  type PageSize,
  pageOf,
  tablesOf,
} from './backup-sql.rules.ts';

export type Backup = typeof backups.$inferSelect;
export type SqlCell = string | number | null;
export type Row = readonly SqlCell[];

/** One thing of the schema: a table, an index, a trigger or a view. */
export interface SchemaPart {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const COLUMNS = {
  id: backups.id,
  state: backups.state,
  startedAt: backups.startedAt,
  cursor: backups.cursor,
  schemaDigest: backups.schemaDigest,
  parts: backups.parts,
  rowCount: backups.rowCount,
  finishedAt: backups.finishedAt,
};

const newest = query(() => build.select(COLUMNS).from(backups).orderBy(desc(backups.id)).limit(1));
const finished = query(() =>
  build
    .select({ id: backups.id })
    .from(backups)
    .where(isNotNull(backups.finishedAt))
    .orderBy(desc(backups.id))
    .limit(100),
);

export const findNewestBackup = (market: Database): Promise<Backup | null> => newest.first(market);

/** The newest first. */
export async function listFinishedBackups(market: Database): Promise<string[]> {
  return (await finished.all(market)).map(({ id }) => id);
}

/** What SQLite and D1 keep for themselves, and what a backup says of itself: a restored database makes its own. */
const NOT_COPIED = `name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`;
const OWN_TABLES = new Set(['backups', 'backup_parts', 'backup_changes']);

export async function readTables(market: Database): Promise<BackupTable[]> {
  const columns = await market.all<BackupColumn>({
    sql: `SELECT tables.name AS "table", tables.wr AS withoutRowid, columns.name AS "column", columns.pk AS keyPosition
      FROM (SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND ${NOT_COPIED}) AS tables
      JOIN pragma_table_info(tables.name) AS columns ORDER BY tables.name, columns.cid`,
    params: [],
  });
  return tablesOf(columns.filter(({ table }) => !OWN_TABLES.has(table)));
}

/** The statements that make an empty database of this kind, those that watch changes aside. */
export async function readSchema(market: Database): Promise<SchemaPart[]> {
  const parts = await market.all<SchemaPart>({
    sql: `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${NOT_COPIED} AND tbl_name NOT GLOB '_cf_*'
      ORDER BY rowid`,
    params: [],
  });
  return parts.filter(({ type, name }) => type !== 'trigger' || !isWatching(name));
}

export async function listWatchingTriggers(market: Database): Promise<string[]> {
  const found = await market.all<{ name: string }>({
    sql: `SELECT name FROM sqlite_schema WHERE type = 'trigger'`,
    params: [],
  });
  return found.map(({ name }) => name).filter(isWatching);
}

export const changeSchema = (sqlText: string): Statement => ({ sql: sqlText, params: [] });
export const dropTriggers = (names: readonly string[]): Statement[] =>
  names.map((name) => changeSchema(dropTrigger(name)));

export async function readPage(
  market: Database,
  table: BackupTable,
  after: Row | null,
  size: PageSize,
): Promise<Row[]> {
  const rows = await market.all<Record<string, SqlCell>>(
    after === null
      ? { sql: pageOf(table, 'first', size), params: [] }
      : { sql: pageOf(table, 'next', size), params: [JSON.stringify(after)] },
  );
  return rows.map((row) => valuesOf(table, row));
}

/** A column that the answer calls otherwise would be copied as empty. */
function valuesOf({ name, columns }: BackupTable, row: Record<string, SqlCell>): Row {
  return columns.map((column) => {
    const value = row[column];
    if (value === undefined) throw new Error(`A row of ${name} was read without its ${column}.`);
    return value;
  });
}

/** Rows of a table that changed: the keys of all, and those rows that are still there. */
export interface ChangedTable {
  readonly table: BackupTable;
  readonly keys: readonly string[];
  readonly rows: readonly Row[];
}

export interface Changes {
  /** Of the last that was read; null: nothing changed. */
  readonly last: number | null;
  readonly count: number;
  readonly tables: readonly ChangedTable[];
}

/**
 * The first changes with the rows as they are, all at one moment: where fewer than `most` were found, it is all that has
 * changed until then.
 */
export async function readChanges(
  market: Database,
  tables: readonly BackupTable[],
  most: number,
): Promise<Changes> {
  const names = new Set(
    (await market.all<{ table: string }>(changeSchema(changedKeys(most)))).map(({ table }) => table),
  );
  // One that begins to change meanwhile is not among them: nothing of it may be passed over.
  const changing = tables.filter(({ name }) => names.has(name));
  const [keys = [], ...rows] = (await market.commit([
    changeSchema(changedKeys(most)),
    ...changing.map((table) => changeSchema(changedRows(table, most))),
  ])) as [{ position: number; table: string; key: string }[], ...Record<string, SqlCell>[][]];
  const unread = keys.findIndex(({ table }) => !names.has(table));
  const read = unread === -1 ? keys : keys.slice(0, unread);
  const keysOf = Map.groupBy(read, ({ table }) => table);
  return {
    last: read.at(-1)?.position ?? null,
    count: unread === -1 ? keys.length : most,
    tables: changing.map((table, at) => ({
      table,
      keys: [...new Set((keysOf.get(table.name) ?? []).map(({ key }) => key))],
      rows: (rows[at] ?? []).map((row) => valuesOf(table, row)),
    })),
  };
}

const AHEAD = 'backup_ahead';
/** Another run of the job went on with it. */
export const isAhead = (error: unknown): boolean => isGuard(error, AHEAD);

const begin = write((p: Params<Pick<Backup, 'id' | 'startedAt' | 'schemaDigest'>>) =>
  build.insert(backups).values({
    id: p.id,
    state: 'watching',
    startedAt: p.startedAt,
    cursor: { table: 0, after: null },
    schemaDigest: p.schemaDigest,
  }),
);

const deleteParts = write(() => build.delete(backupParts));
const deleteChanges = write(() => build.delete(backupChanges));
const deleteChangesUntil = write((p: Params<{ last: number }>) =>
  build.delete(backupChanges).where(sql`position <= ${asInteger(p.last)}`),
);

export function beginBackup(backup: Pick<Backup, 'id' | 'startedAt' | 'schemaDigest'>): Statement[] {
  return [deleteParts(), deleteChanges(), begin(backup)];
}

const goOn = write(
  (
    p: Params<{
      id: string;
      state: Backup['state'];
      cursor: Backup['cursor'];
      parts: number;
      addedParts: number;
      addedRows: number;
      finishedAt: IsoTime | null;
      fromState: Backup['state'];
    }>,
  ) =>
    build
      .update(backups)
      .set({
        state: p.state,
        cursor: p.cursor,
        parts: sql`${backups.parts} + ${asInteger(p.addedParts)}`,
        rowCount: sql`${backups.rowCount} + ${asInteger(p.addedRows)}`,
        finishedAt: p.finishedAt,
      })
      .where(and(eq(backups.id, p.id), eq(backups.parts, p.parts), eq(backups.state, p.fromState))),
);

/** What comes next of a backup. It aborts where another run was there first. */
export interface NextStep {
  readonly state?: Backup['state'];
  readonly cursor?: Backup['cursor'];
  readonly part?: { readonly sha256: string; readonly rows: number };
  readonly changesUntil?: number | null;
  readonly finishedAt?: IsoTime;
}

export function advanceBackup(backup: Backup, next: NextStep): Statement[] {
  const { id, parts } = backup;
  const { state = backup.state, cursor = backup.cursor, part, changesUntil = null, finishedAt } = next;
  return [
    goOn({
      id,
      state,
      cursor,
      parts,
      addedParts: part ? 1 : 0,
      addedRows: part?.rows ?? 0,
      finishedAt: finishedAt ?? backup.finishedAt,
      fromState: backup.state,
    }),
    guardOneChange(AHEAD),
    ...(part ? [insertInto(backupParts, { part: parts + 1, sha256: part.sha256 })] : []),
    ...(changesUntil === null ? [] : [deleteChangesUntil({ last: changesUntil })]),
    ...(state === 'ended' ? [deleteParts(), deleteChanges()] : []),
  ];
}

const partsOf = query(() =>
  build.select({ sha256: backupParts.sha256 }).from(backupParts).orderBy(backupParts.part),
);

/** The digests of what has been written, in order. */
export async function listParts(market: Database): Promise<string[]> {
  return (await partsOf.all(market)).map(({ sha256 }) => sha256);
}
