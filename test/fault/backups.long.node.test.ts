import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { backUp, LATEST_PATH } from '@agent-marketplace/core/backups/index.ts';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { DAY_MS, MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { carryOutErasures } from '@agent-marketplace/core/privacy/index.ts';
import { FakeBackupStore } from '@agent-marketplace/core/testing/doubles/fake-backup-store.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { SqliteD1 } from '@agent-marketplace/core/testing/doubles/sqlite-d1.ts';
import { newListingOf } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { sequenceStatements } from '@agent-marketplace/core/transparency/index.ts';
import { checkpointIn } from '@agent-marketplace/core/transparency/publish-checkpoint.ts';
import { folderSource, readManifest } from '@agent-marketplace/devkit/backups/backup-source.ts';
import { dumpStatements } from '@agent-marketplace/devkit/backups/dump-statements.ts';
import { rebuildDatabase } from '@agent-marketplace/devkit/backups/rebuild-database.ts';
import { restore } from '@agent-marketplace/devkit/backups/restore.ts';
import type { Wrangler } from '@agent-marketplace/devkit/cloudflare/wrangler.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as splitSql } from 'wrangler';
import { liveThroughWeek } from '../week/week.ts';

// A backup is taken while things are sold, restored into an empty database, and compared row by row. Invariant 32: who was erased
// since is erased again. Invariant 33: the log of a restored marketplace is that of before.

const store = new FakeBackupStore();
const AMPLE = { network: 1e9, key: 1e9, keysOfNetwork: 1e9 };
const sales = createSalesMarketplace(
  {},
  {
    overrides: { backups: store },
    variables: { DAILY_LIMITS: JSON.stringify({ register: AMPLE, write: AMPLE, purchase: AMPLE }) },
  },
);
const { market } = sales;
const AS_ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };
/** So small that a backup takes many runs, and is never all at one moment. */
const PACE = { page: { rows: 40, bytes: 6000 }, partsAtOnce: 12, changesAtOnce: 30 };
const OWN_TABLES = ['backups', 'backup_parts', 'backup_changes'];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
  const week = await liveThroughWeek({ seed: 3, purchases: 40, buyers: 4, sellers: 3, stepHours: 6 });
  const kinds = ['wallet', 'card', 'checkout', 'usdc', 'free', 'disputes', 'offers'];
  expect(kinds.filter((kind) => !week.counts[kind])).toEqual([]);
  // The processor of the week counted its ids alike.
  const account = { sellerId: 'nobody', country: 'US', email: null };
  for (let n = 0; n < 1000; n += 1) await sales.cards.createAccount(`past-${n}`, account);
  market.clock.advance(30 * DAY_MS);
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

interface Newest {
  readonly state: string;
  readonly finished_at: string | null;
}
async function newest(): Promise<Newest | undefined> {
  const [found] = await sales.rows<Newest>('SELECT state, finished_at FROM backups ORDER BY id DESC LIMIT 1');
  return found;
}

/** Runs the job until a backup is finished, with something done before each run. */
async function backUpWhile(act: () => Promise<unknown>, run = () => backUp(market.newPorts(), PACE)) {
  market.clock.advance(8 * DAY_MS);
  await run();
  for (let runs = 1; (await newest())?.finished_at === null; runs += 1) {
    if (runs > 400) throw new Error('The backup does not come to an end.');
    await act();
    market.clock.advance(MINUTE_MS);
    await run();
  }
}

async function endBackup(): Promise<void> {
  for (let runs = 0; (await newest())?.state !== 'ended'; runs += 1) {
    if (runs > 20) throw new Error('The triggers stay.');
    await backUp(market.newPorts(), PACE);
  }
}

const source = async (path: string) => store.objects.get(path) ?? null;
let restored = 0;
async function rebuild(): Promise<DatabaseSync> {
  restored += 1;
  return rebuildDatabase(source, await readManifest(source, null), join(folder, `${restored}.sqlite`));
}

type Read = (sql: string) => Promise<Record<string, unknown>[]>;
async function everything(read: Read): Promise<Record<string, unknown>> {
  const tables = await read(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name",
  );
  const rows = tables
    .map(({ name }) => String(name))
    .filter((name) => !OWN_TABLES.includes(name))
    .map(async (name) => [
      name,
      (await read(`SELECT * FROM "${name}"`)).map((row) => JSON.stringify(row)).sort(),
    ]);
  const schema = await read(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'backup_watch_*' AND name NOT GLOB 'sqlite_*' ORDER BY type, name",
  );
  return { ...Object.fromEntries(await Promise.all(rows)), schema };
}
const ofMarket: Read = (sql) => sales.rows(sql);
const ofFile =
  (database: DatabaseSync): Read =>
  async (sql) =>
    database.prepare(sql).all();

/** A sale, by turns: what is copied changes in every table that a purchase touches. */
async function activity() {
  const seller = await sales.seller();
  const buyer = await sales.newAgent({ name: 'Zqbuyer' });
  await sales.fund(buyer, 5000);
  const { id } = await sales.listing({ priceCents: 2000 }, seller);
  let turn = 0;
  return async () => {
    turn += 1;
    if (turn <= 2) await sales.buy(id, buyer);
    else if (turn % 3 === 0) await sales.newAgent({ name: 'Zqlater' });
    else await market.request('DELETE', '/agents/me', { apiKey: (await sales.newAgent()).apiKey });
  };
}

describe('a backup that was taken while things were sold', () => {
  it('has every row as it was at the moment it was finished, and the schema', {
    timeout: 120_000,
  }, async () => {
    await backUpWhile(await activity());
    const before = await everything(ofMarket);
    await endBackup();
    const database = await rebuild();
    expect(await everything(ofFile(database))).toEqual(before);
    database.close();
    expect(store.objects.size).toBeGreaterThan(20);
    expect(await ofMarket("SELECT name FROM sqlite_schema WHERE name GLOB 'backup_watch_*'")).toEqual([]);
    expect(await ofMarket('SELECT 1 FROM backup_changes UNION ALL SELECT 1 FROM backup_parts')).toEqual([]);
  });

  it('is the same where two runs overlap, and every 41st call of the store or the database is lost', {
    timeout: 120_000,
  }, async () => {
    let calls = 0;
    const fault = () => {
      calls += 1;
      if (calls % 41 !== 0) return undefined;
      return calls % 2 === 0 ? 'lose_request' : 'lose_reply';
    };
    const broken = async () => {
      store.fault = fault;
      market.market.fault = fault;
      const ports = [market.newPorts(), market.newPorts()];
      await Promise.allSettled(ports.map((one) => backUp(one, PACE)));
      store.fault = () => undefined;
      market.market.fault = () => undefined;
    };
    await backUpWhile(await activity(), broken);
    const before = await everything(ofMarket);
    await endBackup();
    const database = await rebuild();
    expect(await everything(ofFile(database))).toEqual(before);
    database.close();
  });

  it('is given up and begun anew where the schema changed meanwhile', async () => {
    market.clock.advance(8 * DAY_MS);
    await backUp(market.newPorts(), PACE);
    await backUp(market.newPorts(), PACE);
    await testBindings.DB.prepare('CREATE TABLE made_by_a_migration (id TEXT PRIMARY KEY) STRICT').run();
    for (let runs = 0; (await newest())?.state !== 'ended'; runs += 1) {
      if (runs > 100) throw new Error('The backup does not come to an end.');
      await backUp(market.newPorts(), PACE);
    }
    expect(await newest()).toEqual({ state: 'ended', finished_at: null });
    expect(
      market.log.lines.filter(({ event }) => event === 'backup_given_up').map(({ fields }) => fields),
    ).toEqual([expect.objectContaining({ reason: 'schema_changed' })]);
    market.clock.advance(MINUTE_MS);
    await backUpWhile(async () => undefined);
    await endBackup();
    await testBindings.DB.prepare('DROP TABLE made_by_a_migration').run();
  });

  it('is removed after 35 days, and the latest is named', async () => {
    const folders = await store.listFolders();
    market.clock.advance(36 * DAY_MS);
    await backUpWhile(async () => undefined);
    await endBackup();
    const left = await store.listFolders();
    expect([left.length, left.some((one) => folders.includes(one))]).toEqual([1, false]);
    const latest = JSON.parse(new TextDecoder().decode(store.objects.get(LATEST_PATH)));
    expect(latest.id).toBe(left[0]);
  });

  it('is refused where a part was changed or is missing', async () => {
    const manifest = await readManifest(source, null);
    const [first = ''] = manifest.parts;
    const path = `${manifest.id}/${first}.json`;
    const bytes = store.objects.get(path) as Uint8Array;
    store.objects.set(
      path,
      bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)),
    );
    await expect(rebuild()).rejects.toThrow('was changed');
    store.objects.delete(path);
    await expect(rebuild()).rejects.toThrow('lacks its part');
    store.objects.set(path, bytes);
    await expect(readManifest(source, '2020-01-01')).rejects.toThrow(manifest.id);
  });
});

const MARKER = 'Zqmarker';

async function eraseAll({ market: { newPorts } }: typeof sales): Promise<void> {
  const open = () =>
    newPorts().market.all({
      sql: 'SELECT 1 FROM erasures WHERE erased_at IS NULL OR listed_at IS NULL',
      params: [],
    });
  for (let runs = 0; (await open()).length > 0; runs += 1) {
    if (runs > 30) throw new Error('Some erasures are not carried out.');
    await carryOutErasures(newPorts());
  }
}

describe('a marketplace that was restored from a backup', () => {
  it('has books that agree, erases again who was erased since, and goes on with the same log', {
    timeout: 120_000,
  }, async () => {
    const leaver = await sales.newAgent({ name: `${MARKER} of a person` });
    const log = await createMemoryLog(market.newPorts().market);
    await sequenceStatements(log.ports);
    await backUpWhile(await activity());
    await endBackup();
    const database = await rebuild();

    // Since the backup: somebody was erased, something was sold, and the log went on.
    await market.request('DELETE', '/agents/me', { apiKey: leaver.apiKey });
    market.clock.advance(8 * DAY_MS);
    await eraseAll(sales);
    expect(JSON.stringify(await everything(ofMarket))).not.toContain(MARKER);
    await (await activity())();
    await sequenceStatements(log.ports);
    const head = () => checkpointIn(log.files.checkpoint ?? '', TEST_LOG_ORIGIN)?.checkpoint;
    const published = head();
    expect(published?.size).toBeGreaterThan(0);

    const empty = new SqliteD1();
    empty.load([...dumpStatements(database)]);
    const read: Read = async (sql) => (await empty.d1.prepare(sql).all()).results as never;
    expect(await everything(read)).toEqual(await everything(ofFile(database)));
    database.close();

    const again = createSalesMarketplace(
      {},
      {
        overrides: {
          market: createDatabase(empty.d1),
          cards: sales.cards,
          erasureList: market.erasureList,
          clock: market.clock,
        },
      },
    );
    await again.audit();
    const outside = { processor: { ...(await sales.cards.getBalance()), keptCents: 0 }, chain: null };
    const report = await reconcile(again.market.newPorts().market, outside, market.clock.now());
    const sum = report.balances.reduce((total, { amount }) => total + amount, 0);
    expect([sum, report.balances.length > 3]).toEqual([0, true]);

    // What the log has is no second leaf; what is signed from now on comes behind it.
    await sequenceStatements({ ...log.ports, market: again.market.newPorts().market });
    expect([log.errors, head()]).toEqual([[], published]);

    const marked = async () => JSON.stringify(await everything(read)).includes(MARKER);
    expect(await marked()).toBe(true);
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await again.request(
        'POST',
        '/admin/erasures/replay',
        null,
        after === '' ? {} : { after },
        AS_ADMIN,
      );
      after = (body as unknown as { nextAfter: string | null }).nextAfter;
    }
    await eraseAll(again);
    expect(await marked()).toBe(false);

    const { id } = await newListingOf(again.market, { priceCents: 0 });
    expect((await again.buy(id, await again.newAgent())).status).toBe(200);
    await sequenceStatements({ ...log.ports, market: again.market.newPorts().market });
    expect(head()?.size).toBeGreaterThan(published?.size ?? 0);
    expect(log.errors).toEqual([]);
    await again.audit();
  });
});

describe('pnpm cloudflare restore', () => {
  it('loads the last backup into an empty database of Cloudflare, and refuses one that is not', {
    timeout: 60_000,
  }, async () => {
    const copied = join(folder, 'bucket');
    for (const [path, bytes] of store.objects) {
      await mkdir(dirname(join(copied, path)), { recursive: true });
      await writeFile(join(copied, path), bytes);
    }
    const cloud = new SqliteD1();
    const lines: string[] = [];
    const wrangler: Wrangler = {
      async ask(args) {
        const { results } = await cloud.d1.prepare(args[args.indexOf('--command') + 1] ?? '').all();
        return { ok: true, stdout: JSON.stringify([{ results }]), said: '' };
      },
      async run(args) {
        lines.push(args.slice(0, 3).join(' '));
        cloud.load(splitSql(await readFile(args[args.indexOf('--file') + 1] ?? '', 'utf8')));
        return { ok: true };
      },
    };
    const into = {
      source: folderSource(copied),
      backup: null,
      folder: join(folder, 'restored'),
      database: 'market-2',
      stateDir: null,
      wrangler,
      say: () => {},
    };
    await restore(into);
    expect(lines).toEqual(['d1 execute market-2']);
    const { results } = await cloud.d1.prepare('SELECT COUNT(*) AS count FROM purchases').all();
    expect(results).toEqual([{ count: expect.any(Number) }]);
    expect(results).not.toEqual([{ count: 0 }]);
    await expect(restore(into)).rejects.toThrow('market-2 is not empty');
    expect(lines).toHaveLength(1);
  });
});
