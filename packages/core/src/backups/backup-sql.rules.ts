/** A table of the database, as a backup reads it. */
export interface BackupTable {
  readonly name: string;
  /** What tells its rows apart: SQLite's row number, or the columns of its key. */
  readonly key: readonly string[];
  /** In the order in which a row lists its values: the key's own first, where it is the row number. */
  readonly columns: readonly string[];
}

export interface BackupColumn {
  readonly table: string;
  readonly withoutRowid: number;
  readonly column: string;
  /** Its place in the primary key; 0: it is not part of it. */
  readonly keyPosition: number;
}

/** Tables from their columns, which come in the order of tables and columns. */
export function tablesOf(columns: readonly BackupColumn[]): BackupTable[] {
  const byTable = Map.groupBy(columns, ({ table }) => table);
  return [...byTable].map(([name, all]) => {
    const names = all.map(({ column }) => column);
    if (all[0]?.withoutRowid !== 1) {
      return { name, key: ['rowid'], columns: names.includes('rowid') ? names : ['rowid', ...names] };
    }
    const key = all
      .filter(({ keyPosition }) => keyPosition > 0)
      .toSorted((a, b) => a.keyPosition - b.keyPosition)
      .map(({ column }) => column);
    return { name, key, columns: names };
  });
}

/** Names come from the schema itself. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const listOf = (names: readonly string[], of = ''): string =>
  names.map((name) => `${of}${quoted(name)}`).join(', ');
/** Under their own names: SQLite calls the row number after the column that repeats it. */
const namedColumns = (names: readonly string[]): string =>
  names.map((name) => `${quoted(name)} AS ${quoted(name)}`).join(', ');

const TRIGGER_PREFIX = 'backup_watch_';
export const isWatching = (trigger: string): boolean => trigger.startsWith(TRIGGER_PREFIX);

/** Three for each table, by name: they write down which rows change. */
export function watchingTriggers({ name, key }: BackupTable): ReadonlyMap<string, string> {
  const keyOf = (row: 'OLD' | 'NEW') => `json_array(${listOf(key, `${row}.`)})`;
  const note = (values: string) => `INSERT INTO backup_changes (table_name, key) ${values}`;
  const one = (row: 'OLD' | 'NEW') => `SELECT '${name.replaceAll("'", "''")}', ${keyOf(row)}`;
  const trigger = (event: string, values: string): [string, string] => {
    const called = `${TRIGGER_PREFIX}${event.toLowerCase()}_${name}`;
    return [
      called,
      `CREATE TRIGGER IF NOT EXISTS ${quoted(called)} AFTER ${event} ON ${quoted(name)} BEGIN ${note(values)}; END`,
    ];
  };
  return new Map([
    trigger('INSERT', one('NEW')),
    // Where the key itself changes, the row of the old one is gone.
    trigger('UPDATE', `${one('OLD')} UNION ${one('NEW')}`),
    trigger('DELETE', one('OLD')),
  ]);
}

export const dropTrigger = (trigger: string): string => `DROP TRIGGER IF EXISTS ${quoted(trigger)}`;

/** How much of a table is read at once: one row may be larger, and is then read alone. */
export interface PageSize {
  readonly rows: number;
  readonly bytes: number;
}

/** The first page of a table, or that behind a key (a JSON array), in the order of keys. */
export function pageOf({ name, key, columns }: BackupTable, place: 'first' | 'next', size: PageSize): string {
  const order = listOf(key);
  const after = key.map((_, at) => `(SELECT json_extract(place.key, '$[${at}]') FROM place)`).join(', ');
  const where = place === 'first' ? '' : `WHERE (${order}) > (${after})`;
  const bytes = columns.map((column) => `COALESCE(octet_length(${quoted(column)}), 0)`).join(' + ');
  const page = `SELECT ${namedColumns(columns)}, ${bytes} AS row_bytes
    FROM ${quoted(name)} ${where} ORDER BY ${order} LIMIT ${size.rows}`;
  const sums = `SELECT *, ROW_NUMBER() OVER (ORDER BY ${order}) AS row_at, SUM(row_bytes) OVER (ORDER BY ${order}) AS all_bytes
    FROM (${page})`;
  const parameter = place === 'first' ? '' : 'WITH place AS (SELECT ? AS key) ';
  return `${parameter}SELECT ${namedColumns(columns)} FROM (${sums}) WHERE row_at = 1 OR all_bytes <= ${size.bytes} ORDER BY ${order}`;
}

/** The first changes, as many as are read at once. */
const firstChanges = (most: number): string =>
  `(SELECT position, table_name, key FROM backup_changes ORDER BY position LIMIT ${most})`;

export const changedKeys = (most: number): string =>
  `SELECT position, table_name AS "table", key FROM ${firstChanges(most)} ORDER BY position`;

/** The rows of a table, as they are now, that are among the first changes. */
export function changedRows({ name, key, columns }: BackupTable, most: number): string {
  const keys = key.map((_, at) => `json_extract(key, '$[${at}]')`).join(', ');
  return `SELECT ${namedColumns(columns)} FROM ${quoted(name)} WHERE (${listOf(key)}) IN (
    SELECT ${keys} FROM ${firstChanges(most)} WHERE table_name = '${name.replaceAll("'", "''")}')`;
}
