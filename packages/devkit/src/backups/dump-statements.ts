import type { DatabaseSync } from 'node:sqlite';
import { quoted } from './rebuild-database.ts';

/** D1 takes statements of up to 100 KB. */
const MAX_STATEMENT = 90_000;
/** Texts that are longer go through a table of their own, in pieces of this length. */
const MAX_TEXT = 20_000;
const PIECES = 'restored_pieces';

type Cell = string | number | bigint | null;

/** Statements that fill an empty database with everything in this one: tables, rows, then indexes, views and triggers. */
export function* dumpStatements(database: DatabaseSync): Generator<string> {
  const ofType = (type: string) =>
    database
      .prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid",
      )
      .all(type) as { name: string; sql: string }[];
  const tables = ofType('table');
  yield 'PRAGMA defer_foreign_keys = on';
  for (const { sql } of tables) yield sql;
  yield `CREATE TABLE ${PIECES} (cell INTEGER, place INTEGER, piece TEXT)`;
  for (const name of parentsFirst(
    database,
    tables.map((table) => table.name),
  ))
    yield* rowsOf(database, name);
  yield `DROP TABLE ${PIECES}`;
  for (const type of ['index', 'view', 'trigger']) for (const { sql } of ofType(type)) yield sql;
}

/** A row may refer to one that is inserted later only where D1 puts off the check. */
function parentsFirst(database: DatabaseSync, names: readonly string[]): string[] {
  const placed = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    if (placed.has(name) || above.includes(name)) return;
    const parents = database.prepare(`PRAGMA foreign_key_list(${quoted(name)})`).all() as { table: string }[];
    for (const { table } of parents) if (names.includes(table)) visit(table, [...above, name]);
    placed.add(name);
  };
  for (const name of names) visit(name, []);
  return [...placed];
}

function* rowsOf(database: DatabaseSync, name: string): Generator<string> {
  const list = database
    .prepare('SELECT wr FROM pragma_table_list WHERE schema = ? AND name = ?')
    .get('main', name);
  const own = (database.prepare(`PRAGMA table_info(${quoted(name)})`).all() as { name: string }[]).map(
    (column) => column.name,
  );
  const columns = list?.wr === 1 || own.includes('rowid') ? own : ['rowid', ...own];
  const names = columns.map(quoted).join(', ');
  const select = database.prepare(`SELECT ${names} FROM ${quoted(name)}`);
  select.setReturnArrays(true);
  select.setReadBigInts(true);
  const start = `INSERT INTO ${quoted(name)} (${names}) VALUES `;
  let rows: string[] = [];
  let length = start.length;
  for (const cells of select.iterate() as Iterable<unknown> as Iterable<Cell[]>) {
    const pieces = cells.flatMap((cell, at) => piecesOf(cell, at));
    const row = `(${cells.map((cell, at) => literalOf(cell, at)).join(', ')})`;
    if (rows.length > 0 && (pieces.length > 0 || length + row.length > MAX_STATEMENT)) {
      yield start + rows.join(', ');
      [rows, length] = [[], start.length];
    }
    if (pieces.length > 0) {
      yield* pieces;
      yield start + row;
      yield `DELETE FROM ${PIECES}`;
      continue;
    }
    rows.push(row);
    // Letters of other alphabets take up to three bytes.
    length += Buffer.byteLength(row) + 2;
  }
  if (rows.length > 0) yield start + rows.join(', ');
}

const isLong = (cell: Cell): cell is string => typeof cell === 'string' && cell.length > MAX_TEXT;

function piecesOf(cell: Cell, at: number): string[] {
  if (!isLong(cell)) return [];
  const characters = [...cell];
  return Array.from({ length: Math.ceil(characters.length / MAX_TEXT) }, (_, place) => {
    const piece = characters.slice(place * MAX_TEXT, (place + 1) * MAX_TEXT).join('');
    return `INSERT INTO ${PIECES} VALUES (${at}, ${place}, ${textOf(piece)})`;
  });
}

function literalOf(cell: Cell, at: number): string {
  if (isLong(cell)) {
    return `(SELECT group_concat(piece, '') FROM (SELECT piece FROM ${PIECES} WHERE cell = ${at} ORDER BY place))`;
  }
  if (typeof cell === 'string') return textOf(cell);
  return cell === null ? 'NULL' : String(cell);
}

/** A text ends at a NUL, even between quotes. */
function textOf(text: string): string {
  if (text.includes('\0')) return `CAST(X'${Buffer.from(text).toString('hex')}' AS TEXT)`;
  return `'${text.replaceAll("'", "''")}'`;
}
