import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptions } from 'wrangler';
import { migrate } from '../migrate.ts';
import { REPOSITORY } from '../repository.ts';
import { type D1Databases, databaseWorker, localDatabase } from './local-databases.ts';

/** A folder with the storage of databases that were migrated once, for all marketplaces of one test run. */
export const MIGRATED_STORAGE = 'MARKETPLACE_STORAGE';

/** Binding → folder of its migrations. */
const DATABASES = [
  ['DB', 'migrations/market'],
  ['SEARCH', 'migrations/search'],
] as const;

/** Where D1, Durable Objects and queues live in a marketplace's folder. */
export const storageIn = (stateDir: string): string => join(stateDir, 'storage');

/** Applies what is missing of the migrations of both databases. */
export async function migrateDatabases(miniflare: Miniflare): Promise<void> {
  for (const [binding, folder] of DATABASES)
    await migrate(await localDatabase(miniflare, binding), join(REPOSITORY, folder));
}

/** Migrated databases in this folder, with nothing else: what `copyMigratedStorage` copies. */
export async function writeMigratedStorage(stateDir: string): Promise<void> {
  await withDatabases(stateDir, migrateDatabases);
}

const STATEMENTS_AT_ONCE = 50;

/**
 * Brings a folder of before up to date while no Worker runs on it: their objects' alarms go off as soon as they start, and
 * would meet tables that lack the columns of this version.
 */
export async function migrateBeforeStart(stateDir: string): Promise<void> {
  if (existsSync(storageIn(stateDir))) await withDatabases(stateDir, migrateDatabases);
}

/** Fills the market of a new folder; what is missing of the migrations is applied behind it. */
export async function restoreLocally(stateDir: string, statements: Iterable<string>): Promise<void> {
  await withDatabases(stateDir, async (miniflare) => {
    const market = await localDatabase(miniflare, 'DB');
    let batch: string[] = [];
    const run = async () => {
      if (batch.length > 0) await market.batch(batch.map((sql) => market.prepare(sql)));
      batch = [];
    };
    for (const sql of statements) {
      batch.push(sql);
      if (batch.length === STATEMENTS_AT_ONCE) await run();
    }
    await run();
    await migrateDatabases(miniflare);
  });
}

export async function withDatabases(
  stateDir: string,
  work: (miniflare: Miniflare) => Promise<void>,
): Promise<void> {
  const { d1Databases = {} } = workerOptions(join(REPOSITORY, 'wrangler.toml')).workerOptions as {
    d1Databases?: D1Databases;
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [databaseWorker(d1Databases)],
      cf: false,
      resourcePersistencePath: storageIn(stateDir),
    }),
  );
  try {
    await work(miniflare);
  } finally {
    await miniflare.dispose();
  }
}

/** A new marketplace of a test run begins with a copy: a hundred migrations in D1 take two seconds of processor. */
export async function copyMigratedStorage(stateDir: string): Promise<void> {
  const from = process.env[MIGRATED_STORAGE];
  const storage = storageIn(stateDir);
  if (from === undefined || existsSync(storage)) return;
  await cp(storageIn(from), storage, { recursive: true });
}
