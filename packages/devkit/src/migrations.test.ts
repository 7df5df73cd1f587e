import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MigratableDatabase, migrate } from './migrate.ts';
import { REPOSITORY } from './repository.ts';

// Migrations meet databases that are in use. Those that make a table anew must bring all of its rows along.

const MARKET = join(REPOSITORY, 'migrations/market');

let folder: string;
let runtime: Miniflare;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default { fetch: () => new Response(null) };',
      compatibilityDate: '2026-11-01',
      d1Databases: { DB: 'market' },
    }),
  );
});
afterEach(async () => {
  await runtime.dispose();
  await rm(folder, { recursive: true });
});

/** A database as the migrations before one leave it. */
async function databaseBefore(migration: string) {
  const database = await runtime.getD1Database('DB');
  for (const name of await readdir(MARKET)) {
    if (name < migration) await cp(join(MARKET, name), join(folder, name));
  }
  await migrate(database as unknown as MigratableDatabase, folder);
  const rows = async (sql: string) => (await database.prepare(sql).all()).results;
  return { database, rows, migrateOn: () => migrate(database as unknown as MigratableDatabase, MARKET) };
}

const AN_AGENT = `INSERT INTO agents (id, name, handle, seller_label, buyer_label, created_at)
  VALUES (?, 'Somebody', 'agent-1', 'seller-1', 'buyer-1', '2026-06-01T12:00:00.000Z')`;
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

it('bring postings, entries and events along when their tables are made anew', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0014');
  const posting = (n: number, kind: string, legs: Record<string, number>) =>
    database
      .prepare('INSERT INTO ledger_postings (id, kind, reference, legs, created_at) VALUES (?, ?, ?, ?, ?)')
      .bind(
        id(n),
        kind,
        id(9),
        JSON.stringify(Object.entries(legs).map(([account, amountCents]) => ({ account, amountCents }))),
        '2026-06-01T12:00:00.000Z',
      );
  await database.batch([
    posting(1, 'top_up', { card_clearing: -500, 'wallet:a': 500 }),
    posting(2, 'reserve', { 'wallet:a': -200, 'reserved:p': 200 }),
    database.prepare(AN_AGENT).bind(id(3)),
    database
      .prepare(
        `INSERT INTO agent_events (id, agent_id, type, data, created_at, attempts)
          VALUES (?, ?, 'sale.held', '{"a":1}', '2026-06-01T12:00:00.000Z', 3)`,
      )
      .bind(id(4), id(3)),
  ]);
  const KEPT = [
    'SELECT id, kind, reference, legs, created_at FROM ledger_postings ORDER BY rowid',
    'SELECT * FROM ledger_entries ORDER BY id',
    'SELECT * FROM ledger_accounts ORDER BY account',
    'SELECT id, agent_id, type, data, created_at, attempts FROM agent_events',
  ];
  const before = await Promise.all(KEPT.map(rows));
  expect(before.map(({ length }) => length)).toEqual([2, 4, 3, 1]);

  expect(await migrateOn()).toContain('0014_chargebacks.sql');

  expect(await Promise.all(KEPT.map(rows))).toEqual(before);
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  await posting(5, 'chargeback', { card_clearing: 500, chargebacks: -200, 'wallet:a': -300 }).run();
  expect(
    await rows(
      'SELECT account, balance_cents AS cents FROM ledger_accounts WHERE balance_cents <> 0 ORDER BY 1',
    ),
  ).toEqual([
    { account: 'chargebacks', cents: -200 },
    { account: 'reserved:p', cents: 200 },
  ]);
  // What guards the ledger came along, too.
  await expect(posting(6, 'refund', { a: 1, b: 1 }).run()).rejects.toThrow('ledger_balanced');
  await expect(rows('UPDATE ledger_postings SET created_at = 1')).rejects.toThrow('ledger_is_append_only');
  await expect(rows('DELETE FROM ledger_postings')).rejects.toThrow('ledger_is_append_only');
});

it('bring events along, however far they got, when sellers are told of disputes', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0017');
  const event = (n: number, type: string, ...stands: (string | number | null)[]) =>
    database
      .prepare(
        `INSERT INTO agent_events (id, agent_id, type, data, created_at, attempts, next_attempt_at, delivered_at, given_up_at)
          VALUES (?, ?, ?, '{"a":1}', ?, ?, ?, ?, ?)`,
      )
      .bind(id(n), id(1), type, '2026-06-01T12:00:00.000Z', ...stands);
  const LATER = '2026-06-01T13:00:00.000Z';
  await database.batch([
    database.prepare(AN_AGENT).bind(id(1)),
    event(4, 'sale.held', 1, LATER, LATER, null),
    event(3, 'sale.chargeback', 8, LATER, null, LATER),
    event(2, 'payout.failed', 3, LATER, null, null),
    event(5, 'message.received', 0, '', null, null),
  ]);
  await expect(event(6, 'sale.disputed', 0, '', null, null).run()).rejects.toThrow('CHECK');
  const KEPT = [
    // In the order in which they were noted.
    'SELECT * FROM agent_events ORDER BY rowid',
    `SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'agent_events' AND type <> 'table' ORDER BY name`,
    `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('agent_events')`,
  ];
  const before = await Promise.all(KEPT.map(rows));
  expect(before.map(({ length }) => length)).toEqual([4, 4, 9]);

  expect(await migrateOn()).toContain('0017_told_disputes.sql');

  expect(await Promise.all(KEPT.map(rows))).toEqual(before);
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  await event(6, 'sale.disputed', 0, '', null, null).run();
  // What guards them came along, too.
  await expect(event(7, 'sale.lost', 0, '', null, null).run()).rejects.toThrow('CHECK');
  await expect(event(7, 'sale.held', 9, '', null, null).run()).rejects.toThrow('CHECK');
  await expect(event(7, 'sale.held', 1, '', LATER, LATER).run()).rejects.toThrow('over_in_one_way');
  await database.prepare('DELETE FROM agents WHERE id = ?').bind(id(1)).run();
  expect(await rows('SELECT id FROM agent_events')).toEqual([]);
});
