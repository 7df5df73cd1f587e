import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { runStep, type Wrangler } from '../cloudflare/wrangler.ts';
import { RefusalToStart } from '../refusal-to-start.ts';
import { restoreLocally } from '../workerd/migrated-storage.ts';
import { type BackupSource, readManifest } from './backup-source.ts';
import { dumpStatements } from './dump-statements.ts';
import { quoted, rebuildDatabase } from './rebuild-database.ts';
import { requireWholeAudit } from './require-whole-audit.ts';

export interface Restore {
  readonly source: BackupSource;
  /** Null: the last one. */
  readonly backup: string | null;
  /** Where the files of the restored database go. */
  readonly folder: string;
  /** The empty database of Cloudflare that takes it; null: none. */
  readonly database: string | null;
  /** The state folder of a local marketplace that takes it; null: none. */
  readonly stateDir: string | null;
  readonly wrangler: Wrangler;
  readonly say: (line: string) => void;
}

/** Puts a backup together, compares it with its digests, and loads it where it is wanted. Nothing that exists is changed. */
export async function restore(options: Restore): Promise<void> {
  const { source, backup, folder, database: name, stateDir, wrangler, say } = options;
  if (name !== null) await requireEmpty(wrangler, name);
  if (stateDir !== null && existsSync(stateDir))
    throw new RefusalToStart(`There is a marketplace in ${stateDir} already: name a new folder.`);
  const manifest = await readManifest(source, backup);
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${manifest.id}.sqlite`);
  const database = await rebuildDatabase(source, manifest, file);
  try {
    requireWholeAudit(database);
    const sqlFile = join(folder, `${manifest.id}.sql`);
    await writeSql(database, sqlFile);
    say(`The database as it was at ${manifest.finishedAt}: ${file}, and as SQL: ${sqlFile}`);
    if (stateDir !== null) {
      await restoreLocally(stateDir, dumpStatements(database));
      say(`Start it with STATE_DIR=${stateDir} pnpm dev`);
    }
    if (name === null) return;
    const advice = 'Delete the database, create it anew, and repeat this.';
    await runStep(wrangler, ['d1', 'execute', name, '--remote', '--yes', '--file', sqlFile], advice);
    await requireSameCounts(wrangler, name, database);
    say(`Every table of ${name} has the rows of the backup. Go on as docs/operate.md says under "Backups".`);
  } finally {
    database.close();
  }
}

async function writeSql(database: DatabaseSync, file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (const statement of dumpStatements(database)) {
    if (!stream.write(`${statement};\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

async function ask(wrangler: Wrangler, name: string, sql: string): Promise<Record<string, unknown>> {
  const { ok, stdout, said } = await wrangler.ask([
    'd1',
    'execute',
    name,
    '--remote',
    '--json',
    '--command',
    sql,
  ]);
  if (!ok) throw new RefusalToStart(`Could not ask the database ${name}.\n${said}`);
  const [answer] = JSON.parse(stdout) as { results: Record<string, unknown>[] }[];
  return answer?.results[0] ?? {};
}

async function requireEmpty(wrangler: Wrangler, name: string): Promise<void> {
  const { count } = await ask(
    wrangler,
    name,
    "SELECT COUNT(*) AS count FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
  );
  if (count !== 0)
    throw new RefusalToStart(`The database ${name} is not empty: create a new one for the backup.`);
}

/** As many as a SELECT may have columns. */
const TABLES_AT_ONCE = 90;

async function requireSameCounts(wrangler: Wrangler, name: string, database: DatabaseSync): Promise<void> {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name")
    .all()
    .map((table) => String(table.name));
  for (let at = 0; at < tables.length; at += TABLES_AT_ONCE) {
    const some = tables.slice(at, at + TABLES_AT_ONCE);
    const sql = `SELECT ${some.map((table) => `(SELECT COUNT(*) FROM ${quoted(table)}) AS ${quoted(table)}`).join(', ')}`;
    const expected = database.prepare(sql).get() ?? {};
    const found = await ask(wrangler, name, sql);
    const different = some.filter((table) => found[table] !== expected[table]);
    if (different.length > 0)
      throw new RefusalToStart(
        `These tables of ${name} have not the rows of the backup: ${different.join(', ')}.`,
      );
  }
}
