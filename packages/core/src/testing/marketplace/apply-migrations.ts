import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { restartCounters } from '../doubles/counters.ts';
import { testBindings } from './workers-bindings.ts';

// Test files share a runtime, which saves most of what it costs to start one and to load everything. Each
// starts from empty storage, the schema as deployed, and the same ids.

const { ATTACHMENTS, DB, SEARCH, TEST_MIGRATIONS } = testBindings;

const COUNT_OBJECTS = 'SELECT COUNT(*) AS count FROM sqlite_schema';
const count = (database: D1Database) => database.prepare(COUNT_OBJECTS).first<number>('count');

// `reset` passes over whatever sleeps, and everything falls asleep that was not asked for ten seconds.
await Promise.all([count(DB), count(SEARCH), ATTACHMENTS?.head('nothing')]);
await reset();
for (const database of [DB, SEARCH]) {
  if ((await count(database)) !== 0) throw new Error('Storage holds what another test file left there.');
}
await applyAtOnce(DB, TEST_MIGRATIONS.market);
await applyAtOnce(SEARCH, TEST_MIGRATIONS.search);
restartCounters();

async function applyAtOnce(database: D1Database, migrations: readonly D1Migration[]): Promise<void> {
  await applyD1Migrations(database, [{ name: 'all', queries: migrations.flatMap(({ queries }) => queries) }]);
}
