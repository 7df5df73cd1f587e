import { copyStorage, testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { expect } from 'vitest';

/** Without `answers`, which counts how often a purchase was read: its seller is told. */
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table'
  AND name <> 'answers' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;

const DATABASES = [testBindings.DB, testBindings.SEARCH];
/** Of rows, since the connection was opened. */
const COUNT_CHANGES = 'SELECT total_changes() AS changes';

/** What both databases held at a moment. Reading all of it takes longer than most requests: it is read if need be. */
export interface Snapshot {
  readonly changes: string;
  text(besides: readonly string[]): Promise<string>;
}

export async function snapshot(): Promise<Snapshot> {
  const changes = await countChanges();
  if (copyStorage === null) {
    const tables = await readTables(DATABASES);
    return { changes, text: async (besides) => textOf(tables, besides) };
  }
  const open = copyStorage();
  return { changes, text: async (besides) => textOf(await readTables(open()), besides) };
}

/** Whether any table but those named holds other rows than before. */
export async function hasChanged(before: Snapshot, besides: readonly string[] = []): Promise<boolean> {
  return (
    (await countChanges()) !== before.changes && (await storedText(besides)) !== (await before.text(besides))
  );
}

/** Expects both databases to be as they were, but for the tables named. */
export async function expectUnchanged(
  before: Snapshot,
  { besides = [], message }: { readonly besides?: readonly string[]; readonly message?: string } = {},
): Promise<void> {
  if ((await countChanges()) === before.changes) return;
  expect(await storedText(besides), message).toBe(await before.text(besides));
}

/** Everything that both databases hold now. */
export async function storedText(besides: readonly string[] = []): Promise<string> {
  return textOf(await readTables(DATABASES), besides);
}

async function countChanges(): Promise<string> {
  const counts = await Promise.all(DATABASES.map((db) => db.prepare(COUNT_CHANGES).first('changes')));
  return counts.join();
}

type TableText = readonly [table: string, rows: string];

async function readTables(databases: readonly D1Database[]): Promise<TableText[]> {
  const read = async (db: D1Database): Promise<TableText[]> => {
    const { results: tables } = await db.prepare(TABLES).all<{ name: string }>();
    const rows = await db.batch(tables.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`)));
    return tables.map(({ name }, index) => [name, JSON.stringify(rows[index]?.results)]);
  };
  return (await Promise.all(databases.map(read))).flat();
}

function textOf(tables: readonly TableText[], besides: readonly string[]): string {
  return tables
    .filter(([table]) => !besides.includes(table))
    .map((one) => one.join(' '))
    .join('\n');
}
