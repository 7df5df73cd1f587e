import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../migrate.ts';
import { REPOSITORY } from '../repository.ts';
import { localDatabase } from './local-databases.ts';
import { migrateBeforeStart, storageIn, withDatabases } from './migrated-storage.ts';

const MIGRATIONS = join(REPOSITORY, 'migrations/market');

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'migrated-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true, maxRetries: 5 }));

it('makes nothing where nothing was started before', async () => {
  await migrateBeforeStart(stateDir);
  expect(existsSync(storageIn(stateDir))).toBe(false);
});

it('brings the databases of an earlier version up to date, with what they hold', {
  timeout: 120_000,
}, async () => {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const earlier = join(stateDir, 'earlier');
  await mkdir(earlier);
  for (const name of names.slice(0, -5)) await cp(join(MIGRATIONS, name), join(earlier, name));
  await withDatabases(stateDir, async (miniflare) => {
    const market = await localDatabase(miniflare, 'DB');
    await migrate(market, earlier);
    await market.prepare('UPDATE log_state SET size = 7').run();
  });

  await migrateBeforeStart(stateDir);

  await withDatabases(stateDir, async (miniflare) => {
    const [market, search] = [await localDatabase(miniflare, 'DB'), await localDatabase(miniflare, 'SEARCH')];
    const applied = await market.prepare('SELECT name FROM d1_migrations ORDER BY name').all();
    expect(applied.results).toEqual(names.map((name) => ({ name })));
    expect((await market.prepare('SELECT size FROM log_state').all()).results).toEqual([{ size: 7 }]);
    expect((await search.prepare('SELECT name FROM d1_migrations').all()).results).not.toEqual([]);
  });
});
