import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteD1 } from '@agent-marketplace/core/testing/doubles/sqlite-d1.ts';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { REPOSITORY } from './repository.ts';
import { databaseWorker, type LocalDatabase, localDatabase } from './workerd/local-databases.ts';

// Migrations meet databases that are in use. Those that make a table anew must bring all of its rows along.

const MARKET = join(REPOSITORY, 'migrations/market');

/**
 * Every night in D1 itself, which takes three times the processor's time. Otherwise in SQLite: what migrations rely on is
 * alike (database.suite.ts), and D1 itself is migrated, without rows, for every test of all Workers together.
 */
const IN_D1 = process.env.FULL === '1';

let folder: string;
let runtime: Miniflare | undefined;
/** One for each test, in one runtime: starting a runtime takes longer than a migration. */
const unused = Array.from({ length: 40 }, (_, index) => `DB${index}`);
beforeAll(() => {
  const databases = Object.fromEntries(unused.map((name) => [name, name]));
  if (IN_D1) runtime = new Miniflare(convertV4MiniflareOptions({ workers: [databaseWorker(databases)] }));
});
afterAll(() => runtime?.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** By the migration that comes next: what those before it made of an empty database in SQLite. */
const begun = new Map<string, Uint8Array>();
/** By the digest of a database in SQLite: what all migrations made of it, for tests that begin with the same rows. */
const migrated = new Map<string, { readonly names: string[]; readonly copy: Uint8Array }>();

interface UsedDatabase {
  readonly database: LocalDatabase;
  /** Applies the migrations in the folder, which are those before this one. */
  begin(migration: string): Promise<void>;
  migrateOn(): Promise<string[]>;
}

async function newDatabase(): Promise<UsedDatabase> {
  if (runtime !== undefined) {
    const database = await localDatabase(runtime, unused.pop() ?? 'none is left');
    return {
      database,
      begin: async () => void (await migrate(database, folder)),
      migrateOn: () => migrate(database, MARKET),
    };
  }
  const sqlite = new SqliteD1();
  const database = sqlite.d1 as unknown as LocalDatabase;
  return {
    database,
    async begin(migration) {
      // From the nearest that an earlier test began with.
      const nearest = [...begun.keys()]
        .filter((name) => name <= migration)
        .sort()
        .at(-1);
      if (nearest !== undefined) sqlite.restore(begun.get(nearest) as Uint8Array);
      await migrate(database, folder);
      begun.set(migration, sqlite.copy());
    },
    async migrateOn() {
      const key = createHash('sha256').update(sqlite.copy()).digest('hex');
      const known = migrated.get(key);
      if (known) {
        sqlite.restore(known.copy);
        return known.names;
      }
      const names = await migrate(database, MARKET);
      migrated.set(key, { names, copy: sqlite.copy() });
      return names;
    },
  };
}

/** A database as the migrations before one leave it. */
async function databaseBefore(migration: string) {
  const { database, begin, migrateOn } = await newDatabase();
  for (const name of await readdir(MARKET)) {
    if (name < migration) await cp(join(MARKET, name), join(folder, name));
  }
  await begin(migration);
  const rows = async (sql: string) => (await database.prepare(sql).all()).results;
  return { database, rows, migrateOn };
}

const AN_AGENT = `INSERT INTO agents (id, name, handle, seller_label, buyer_label, created_at)
  VALUES (?, 'Somebody', 'agent-1', 'seller-1', 'buyer-1', '2026-06-01T12:00:00.000Z')`;
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

const AT = '2026-06-01T12:00:00.000Z';
/** What an event has had since there are events. */
const EVENT = 'id, agent_id, type, data, created_at, attempts, next_attempt_at, delivered_at, given_up_at';
const DIGEST = `sha256:${'0'.repeat(64)}`;
type Row = Readonly<Record<string, string | number | null>>;

/** Rows with what every such row has, as it was before any migration that is tried with them. */
function insertsInto(database: LocalDatabase) {
  const insert = (table: string, row: Row) =>
    database
      .prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
      .bind(...Object.values(row));
  return {
    insert,
    agent: (n: number) =>
      insert('agents', {
        id: id(n),
        name: 'Somebody',
        handle: `agent-${n}`,
        seller_label: `seller-${n}`,
        buyer_label: `buyer-${n}`,
        created_at: AT,
      }),
    /** Of the first agent. */
    listing: (n: number) =>
      insert('listings', {
        id: id(n),
        seller_id: id(1),
        seller_kind: 'third_party',
        status: 'active',
        vertical_slug: 'market-data',
        title: 'Tides',
        description: 'High water.',
        preview: '{}',
        price_cents: 1000,
        listing_type: 'standard',
        fulfilment: 'digital',
        fingerprint: DIGEST,
        history_digest: DIGEST,
        created_at: AT,
      }),
    /** By the second agent from the first. */
    insertPurchase: (n: number, fields: Row) =>
      insert('purchases', {
        id: id(n),
        seller_id: id(1),
        buyer_id: id(2),
        amount_cents: 1000,
        platform_fee_cents: 0,
        fee_schedule_version: 1,
        listing_version: 1,
        content_digest: DIGEST,
        delivered_at: AT,
        created_at: AT,
        ...fields,
      }),
  };
}

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
    `SELECT ${EVENT} FROM agent_events ORDER BY rowid`,
    `SELECT name FROM sqlite_schema WHERE tbl_name = 'agent_events' AND type = 'index'
      AND name <> 'agent_events_in_sequence' ORDER BY name`,
    `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('agent_events') WHERE instr('${EVENT}', name)`,
  ];
  const before = await Promise.all(KEPT.map(rows));
  expect(before.map(({ length }) => length)).toEqual([4, 4, 9]);

  expect(await migrateOn()).toContain('0017_told_disputes.sql');

  expect(await Promise.all(KEPT.map(rows))).toEqual(before);
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  await event(6, 'sale.disputed', 0, '', null, null).run();
  // What guards them came along, too.
  await expect(event(7, 'lost', 0, '', null, null).run()).rejects.toThrow('CHECK');
  await expect(event(7, 'sale.held', 9, '', null, null).run()).rejects.toThrow('CHECK');
  await expect(event(7, 'sale.held', 1, '', LATER, LATER).run()).rejects.toThrow('over_in_one_way');
  await database.prepare('DELETE FROM agents WHERE id = ?').bind(id(1)).run();
  expect(await rows('SELECT id FROM agent_events')).toEqual([]);
});

/** One listing, and what was bought of it before each rail had a table of its own. */
it('bring events along, and key endpoints by what a server answers alike', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0026');
  const endpoints = [
    ['https://Seller.example.com/Hook/?a=%2F', 'webhook', 'https://seller.example.com/Hook/?a=%2F'],
    // It had the same URL as the first when keys began, so that it got none.
    ['https://Seller.example.com/Hook/?a=%2F', 'mcp', null],
    ['https://seller.example.com:8443', 'webhook', 'https://seller.example.com:8443/'],
    ['http://localhost:9000/a?b', 'webhook', null],
    ['https://poller.example.com/', 'polling', null],
  ] as const;
  await database.batch(
    endpoints.flatMap(([url, type, key], n) => [
      database
        .prepare(AN_AGENT.replace("'agent-1'", `'agent-${n}'`).replace("'seller-1'", `'seller-${n}'`))
        .bind(id(n)),
      database.prepare('INSERT INTO sellers (agent_id, registered_at) VALUES (?, ?)').bind(id(n), AT),
      database
        .prepare(
          `INSERT INTO delivery_endpoints (seller_id, callback_url, callback_type, callback_key, verified_at)
            VALUES (?, ?, ?, ?, ?)`,
        )
        .bind(id(n), url, type, key, AT),
    ]),
  );
  await database
    .prepare(
      `INSERT INTO agent_events (id, agent_id, type, data, created_at, attempts, given_up_at)
        VALUES (?, ?, 'sale.held', '{"a":1}', ?, 8, ?)`,
    )
    .bind(id(9), id(1), AT, AT)
    .run();
  const KEPT = [
    'SELECT seller_id, callback_url, callback_type, verified_at FROM delivery_endpoints ORDER BY seller_id',
    `SELECT ${EVENT} FROM agent_events`,
  ];
  const before = await Promise.all(KEPT.map(rows));
  expect(await migrateOn()).toContain('0026_shares_and_proofs.sql');
  expect(await Promise.all(KEPT.map(rows))).toEqual(before);
  const keys =
    'SELECT callback_key AS k, callback_host AS h, names_seller AS n FROM delivery_endpoints ORDER BY seller_id';
  expect(await rows(keys)).toEqual([
    { k: 'https://seller.example.com/hook', h: 'seller.example.com', n: 0 },
    { k: 'https://seller.example.com/hook', h: 'seller.example.com', n: 0 },
    { k: 'https://seller.example.com:8443', h: 'seller.example.com', n: 0 },
    { k: 'http://localhost:9000/a', h: 'localhost:9000', n: 0 },
    { k: null, h: null, n: 0 },
  ]);
  await database.prepare("UPDATE agent_events SET type = 'endpoint.displaced'").run();
});

async function databaseWithSales() {
  const { database, rows, migrateOn } = await databaseBefore('0023');
  const LATER = '2026-06-04T12:00:00.000Z';
  const HASH = `0x${'a'.repeat(64)}`;
  const { insert, agent, listing, insertPurchase } = insertsInto(database);
  /** A purchase with its payment as it was stored: `fields` are of the payment. */
  const sale = (n: number, rail: string, status: string, fields: Record<string, string | number>) => {
    const isDelivered = ['held', 'releasing', 'released'].includes(status);
    return [
      insertPurchase(n, {
        listing_id: id(3),
        buyer_id: rail === 'x402' ? null : id(2),
        status,
        rail,
        amount_cents: fields.amount_cents ?? 1000,
        content_digest: isDelivered ? DIGEST : null,
        delivered_at: isDelivered ? AT : null,
      }),
      insert('payments', {
        purchase_id: id(n),
        fingerprint: DIGEST,
        fulfilment: 'digital',
        hold_hours: 72,
        ...Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'amount_cents')),
      }),
    ];
  };
  const captured = { captured_cents: 1000, captured_at: AT, hold_until: LATER };
  await database.batch([
    agent(1),
    agent(2),
    insert('sellers', { agent_id: id(1), payouts: 'connected', registered_at: AT }),
    listing(3),
    insert('payout_batches', {
      id: id(8),
      seller_id: id(1),
      chain_id: 8453,
      address: `0x${'b'.repeat(40)}`,
      amount_cents: 1000,
      status: 'sending',
      due_at: AT,
      created_at: AT,
    }),
    ...sale(4, 'card', 'releasing', {
      ...captured,
      customer_id: 'cus',
      payment_method_id: 'pm',
      payment_id: 'pi_card',
      charge_id: 'ch_card',
      transfer_account_id: 'acct',
      transferred_cents: 1000,
      transfer_refusals: 1,
      releasing_since: LATER,
      worked_until: LATER,
      authorization_expires_at: LATER,
    }),
    ...sale(5, 'checkout', 'pending_payment', {
      session_id: 'cs',
      checkout_url: 'https://pay.example.com',
      due_at: LATER,
      holds_copy: 0,
      ending: 'expired',
      failure: 'no_checkout',
    }),
    ...sale(6, 'x402', 'releasing', {
      ...captured,
      charge_id: HASH,
      payout_batch_id: id(8),
      transferred_cents: 1000,
    }),
    insert('usdc_payments', {
      purchase_id: id(6),
      chain_id: 8453,
      payer: `0x${'c'.repeat(40)}`,
      pay_to: `0x${'d'.repeat(40)}`,
      units: '10000000',
      valid_after: '0',
      valid_before: '9999999999',
      nonce: HASH,
      binding: DIGEST,
      content_digest: DIGEST,
      delivered_at: AT,
      transaction_hash: HASH,
    }),
    ...sale(7, 'wallet', 'held', {
      captured_cents: 1000,
      captured_at: AT,
      fulfilment: 'physical',
      ship_days: 5,
      ship_by: LATER,
      shipped_at: AT,
      carrier: 'Post',
      tracking_number: 'X1',
      refund_reason: 'dispute',
      refund_requested_at: AT,
      attempts: 2,
    }),
    ...sale(9, 'wallet', 'authorized', { amount_cents: 0 }),
  ]);
  return { database, rows, migrateOn, insert, AT, LATER, HASH };
}

it('bring sales along when each rail has its own table', async () => {
  const { rows, migrateOn, AT, LATER, HASH } = await databaseWithSales();
  const settled = [
    'SELECT * FROM demand_rows ORDER BY purchase_id',
    'SELECT rail, status, class, is_reference, is_paid, sales, gross_cents, fee_cents FROM demand_cells ORDER BY 1, 2',
  ];
  const before = await Promise.all(settled.map(rows));
  expect(before[0]).toHaveLength(3);

  const applied = await migrateOn();
  expect(applied).toContain('0023_rails.sql');
  expect(applied).toContain('0024_output_schemas.sql');

  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(await Promise.all(settled.map(rows))).toEqual(before);
  expect(await rows('SELECT id, rail FROM purchases ORDER BY id')).toEqual(
    [
      [4, 'card'],
      [5, 'checkout'],
      [6, 'x402'],
      [7, 'wallet'],
      [9, 'wallet'],
    ].map(([n, rail]) => ({ id: id(Number(n)), rail })),
  );
  expect(
    await rows(
      `SELECT payer_account, captured_cents, transferred_cents, leased_until, collect_until, holds_unit, outcome, failure,
        due_at, attempts, refund_reason, refund_requested_at FROM payments ORDER BY purchase_id`,
    ),
  ).toEqual([
    {
      ...NOTHING,
      payer_account: 'card_clearing',
      captured_cents: 1000,
      transferred_cents: 1000,
      leased_until: LATER,
      collect_until: LATER,
    },
    {
      ...NOTHING,
      payer_account: 'card_clearing',
      holds_unit: 0,
      outcome: 'expired',
      failure: 'no_checkout',
      due_at: LATER,
    },
    { ...NOTHING, payer_account: 'usdc_clearing', captured_cents: 1000, transferred_cents: 1000 },
    {
      ...NOTHING,
      payer_account: `wallet:${id(2)}`,
      captured_cents: 1000,
      refund_reason: 'dispute',
      refund_requested_at: AT,
      attempts: 2,
    },
    NOTHING,
  ]);
  const side = async (table: string) => await rows(`SELECT * FROM ${table}`);
  expect(await side('card_payments')).toEqual([
    {
      purchase_id: id(4),
      customer_id: 'cus',
      payment_method_id: 'pm',
      payment_id: 'pi_card',
      charge_id: 'ch_card',
    },
  ]);
  expect(await side('checkout_payments')).toEqual([
    {
      purchase_id: id(5),
      session_id: 'cs',
      checkout_url: 'https://pay.example.com',
      payment_id: null,
      charge_id: null,
    },
  ]);
  // What was delivered before deliveries were held against a schema does not say that it was.
  expect(await rows('SELECT settled_by, output_schema_digest FROM usdc_payments')).toEqual([
    { settled_by: HASH, output_schema_digest: null },
  ]);
  expect(await side('shipments')).toEqual([
    {
      purchase_id: id(7),
      ship_days: 5,
      ship_by: LATER,
      shipped_at: AT,
      carrier: 'Post',
      tracking_number: 'X1',
    },
  ]);
  expect(await rows('SELECT * FROM transfers ORDER BY purchase_id')).toEqual([
    {
      purchase_id: id(4),
      account_id: 'acct',
      transfer_id: null,
      refusals: 1,
      releasing_since: LATER,
      payout_batch_id: null,
      returns: 0,
    },
    {
      purchase_id: id(6),
      account_id: null,
      transfer_id: null,
      refusals: 0,
      releasing_since: null,
      payout_batch_id: id(8),
      returns: 0,
    },
  ]);
});

const NOTHING = {
  payer_account: null,
  captured_cents: 0,
  transferred_cents: 0,
  leased_until: null,
  collect_until: null,
  holds_unit: 1,
  outcome: null,
  failure: null,
  due_at: null,
  attempts: 0,
  refund_reason: null,
  refund_requested_at: null,
};

it('keep what guards sales when each rail has its own table', async () => {
  const { database, rows, migrateOn } = await databaseWithSales();
  await migrateOn();
  const set = (n: number, changes: string) =>
    database.prepare(`UPDATE purchases SET ${changes} WHERE id = ?`).bind(id(n)).run();
  await expect(set(7, "status = 'pending_payment'")).rejects.toThrow('purchase_way');
  await expect(set(4, "status = 'failed'")).rejects.toThrow('purchase_way');
  await set(5, "status = 'expired'");
  // Only what was paid on chain may still be paid back after that.
  await expect(set(5, "status = 'refunded'")).rejects.toThrow('purchase_way');
  await expect(
    rows('UPDATE payments SET refunded_cents = 1001 WHERE captured_cents = 1000 RETURNING purchase_id'),
  ).rejects.toThrow('captured_covers_what_left');
  // The demand ledger follows a sale as before.
  await set(7, "status = 'refunded'");
  expect(await rows('SELECT purchase_id FROM demand_rows ORDER BY purchase_id')).toEqual([
    { purchase_id: id(4) },
    { purchase_id: id(6) },
  ]);
});

it('count what buyers had of sellers when reputation weighs them', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0025');
  const { insert, agent, listing, insertPurchase } = insertsInto(database);
  const purchase = (n: number, status: string, fields: Row = {}) =>
    insertPurchase(n, { listing_id: id(4), status, rail: 'wallet', ...fields });
  const rating = (n: number, stars: number) =>
    insert('ratings', {
      purchase_id: id(n),
      listing_id: id(4),
      seller_id: id(1),
      buyer_id: id(2),
      rating: stars,
      salt: id(n),
      attestation: '{"statement":{}}',
      created_at: AT,
      updated_at: AT,
    });
  await database.batch([
    agent(1),
    agent(2),
    agent(3),
    // Of its failures nobody knows any more whose they were.
    insert('sellers', { agent_id: id(1), failed_count: 60, registered_at: AT }),
    listing(4),
    purchase(5, 'released'),
    purchase(6, 'held', { delivered_at: '2026-06-02T12:00:00.000Z' }),
    purchase(7, 'held'),
    rating(5, 5),
    rating(6, 4),
    rating(7, 1),
    database.prepare("UPDATE purchases SET status = 'refunded' WHERE id = ?").bind(id(7)),
    insert('payments', {
      purchase_id: id(7),
      fingerprint: DIGEST,
      fulfilment: 'physical',
      hold_hours: 72,
      failure: 'not_shipped',
      refund_requested_at: '2026-06-15T12:00:00.000Z',
    }),
    // Whoever only took what is free never paid.
    purchase(8, 'released', { buyer_id: id(3), amount_cents: 0 }),
  ]);

  expect(await migrateOn()).toContain('0025_weighed_buyers.sql');

  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(await rows('SELECT * FROM paying_buyers')).toEqual([
    { buyer: id(2), released_cents: 1000, weighed_cents: 0 },
  ]);
  const had = {
    delivered_days: 2,
    failed_days: 1,
    refused_days: 0,
    ratings: 2,
    stars: 9,
    released_cents: 1000,
  };
  expect(await rows('SELECT * FROM seller_buyers')).toMatchObject([
    { buyer: id(2), first_day: '2026-06-01', ...had, weight: 0, is_weighed: 0 },
  ]);
  expect(await rows('SELECT rating, is_refunded FROM ratings ORDER BY purchase_id')).toEqual([
    { rating: 5, is_refunded: 0 },
    { rating: 4, is_refunded: 0 },
    { rating: 1, is_refunded: 1 },
  ]);
  // Counts and weights follow from here on.
  await database.prepare('UPDATE seller_buyers SET weight = 100, is_weighed = 1').run();
  const weighed = { rating_count: 2, rating_sum: 9, rated_weight: 100, stars_weight: 450 };
  expect(await rows('SELECT * FROM sellers')).toMatchObject([
    { failed_count: 1, delivered_days: 2, delivered_weight: 66, failed_weight: 33, ...weighed },
  ]);
  // One buyer, however often; what was sold to it before is in the ledger as it was.
  expect(await rows('SELECT * FROM listings')).toMatchObject([{ ...weighed, popularity: 100 }]);
  expect(await rows('SELECT DISTINCT class FROM demand_rows')).toEqual([{ class: 'apart' }]);
  await database.prepare("UPDATE purchases SET status = 'refunded' WHERE id = ?").bind(id(6)).run();
  const left = { rating_count: 1, rating_sum: 5, rated_weight: 100, stars_weight: 500 };
  expect(await rows('SELECT * FROM sellers')).toMatchObject([left]);
  expect(await rows('SELECT * FROM listings')).toMatchObject([left]);
});

const ATTACHMENT = {
  inquiry_id: id(3),
  message_id: id(4),
  filename: 'a.txt',
  content_type: 'text/plain',
  sha256: '0'.repeat(64),
};

it('write the rows of browsing anew, and let attachments be empty', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0039');
  const { insert, agent } = insertsInto(database);
  await database.batch([
    agent(1),
    insert('sellers', { agent_id: id(1), registered_at: AT }),
    insert('listings', {
      id: id(2),
      seller_id: id(1),
      seller_kind: 'third_party',
      status: 'active',
      vertical_slug: 'market-data',
      title: 'A listing',
      description: 'What it holds.',
      preview: '{}',
      price_cents: 0,
      listing_type: 'standard',
      fulfilment: 'digital',
      fingerprint: DIGEST,
      history_digest: DIGEST,
      created_at: AT,
    }),
    database.prepare('UPDATE search_outbox SET indexed_mark = mark'),
    insert('inquiries', {
      id: id(3),
      subject: 'A subject',
      category: 'general',
      submitted_by: 'Somebody',
      status: 'open',
      message_count: 1,
      closes_at: AT,
      closes_at_set_by: 'policy',
      created_at: AT,
    }),
    insert('inquiry_messages', {
      id: id(4),
      inquiry_id: id(3),
      position: 1,
      author: 'inquirer',
      body: 'A message',
      created_at: AT,
    }),
    insert('inquiry_attachments', { ...ATTACHMENT, id: id(5), position: 1, size_bytes: 7 }),
  ]);
  await migrateOn();
  await insert('inquiry_attachments', { ...ATTACHMENT, id: id(6), position: 2, size_bytes: 0 }).run();
  expect(await rows('SELECT id, size_bytes, sha256 FROM inquiry_attachments ORDER BY position')).toEqual([
    { id: id(5), size_bytes: 7, sha256: ATTACHMENT.sha256 },
    { id: id(6), size_bytes: 0, sha256: ATTACHMENT.sha256 },
  ]);
  expect(await rows('SELECT listing_id, mark - indexed_mark AS waiting FROM search_outbox')).toEqual([
    { listing_id: id(2), waiting: 2 },
  ]);
});

it('find who shares a wallet or a host already', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0032');
  const { insert, agent } = insertsInto(database);
  const address = `0x${'a'.repeat(40)}`;
  const endpoint = (n: number, callback_host: string) =>
    insert('delivery_endpoints', {
      seller_id: id(n),
      callback_url: `https://${callback_host}/${n}`,
      callback_type: 'webhook',
      callback_key: `https://${callback_host}/${n}`,
      callback_host,
      verified_at: AT,
    });
  await database.batch([
    ...[1, 2, 3].flatMap((n) => [agent(n), insert('sellers', { agent_id: id(n), registered_at: AT })]),
    ...[1, 2].map((n) => endpoint(n, 'shop.example.com')),
    endpoint(3, 'other.example.com'),
    ...[2, 3].map((n) => insert('payout_wallets', { seller_id: id(n), chain_id: 1, address, bound_at: AT })),
  ]);
  expect(await migrateOn()).toContain('0032_parties.sql');
  // The second is between the two others, and they stay strangers.
  expect(await rows('SELECT * FROM same_parties ORDER BY 1, 2')).toEqual([
    { holder: id(1), other: id(2) },
    { holder: id(2), other: id(1) },
    { holder: id(2), other: id(3) },
    { holder: id(3), other: id(2) },
  ]);
  await database.prepare("UPDATE delivery_endpoints SET callback_host = 'new.example.com'").run();
  await database.prepare('DELETE FROM delivery_endpoints WHERE seller_id = ?').bind(id(3)).run();
  expect(await rows("SELECT mark, holder FROM party_marks WHERE mark GLOB 'host:*' ORDER BY 2")).toEqual([
    { mark: 'host:new.example.com', holder: id(1) },
    { mark: 'host:new.example.com', holder: id(2) },
  ]);
});

it('forget what free purchases without a key asked for, and nothing else', async () => {
  const { database, rows, migrateOn } = await databaseWithSales();
  const set = (n: number, changes: string) =>
    database.prepare(`UPDATE purchases SET ${changes} WHERE id = ?`).bind(id(n)).run();
  await database.prepare(`UPDATE purchases SET query = '{"q":1}'`).run();
  await set(5, 'buyer_id = NULL');
  await set(9, 'buyer_id = NULL');
  expect(await migrateOn()).toContain('0027_keyless_queries.sql');
  // Of 5 and 6, which have a price, the link still brings the content; 9 was free.
  expect(await rows('SELECT id FROM purchases WHERE query IS NULL')).toEqual([{ id: id(9) }]);
  expect(await rows(`SELECT count(*) AS n FROM purchases WHERE query = '{"q":1}'`)).toEqual([{ n: 4 }]);
});

it('let a sale that was paid out come back, once its transfer was taken back', async () => {
  const { database, rows, migrateOn } = await databaseWithSales();
  expect(await migrateOn()).toContain('0058_returned_transfers.sql');
  expect(await rows('SELECT DISTINCT set_aside_at FROM payments')).toEqual([{ set_aside_at: null }]);
  expect(await rows('SELECT DISTINCT returns FROM transfers')).toEqual([{ returns: 0 }]);
  const moveTo = (status: string) =>
    database.prepare('UPDATE purchases SET status = ? WHERE id = ?').bind(status, id(4)).run();
  const paid = () => rows('SELECT seller_id, buyer, released_cents FROM seller_buyers ORDER BY buyer');
  const before = await paid();
  await moveTo('released');
  await expect(moveTo('held')).rejects.toThrow('purchase_way');
  const returned = database.prepare('INSERT INTO returned_transfers VALUES (?, ?, ?, ?, ?, ?)');
  await returned.bind('tr_1', id(4), 'acct', 1000, id(4), AT).run();
  await moveTo('held');
  expect(await paid()).toEqual(before);
  await moveTo('releasing');
  await moveTo('released');
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
});

it('find the queries that are over without looking through all purchases', async () => {
  const { rows, migrateOn } = await databaseWithSales();
  await migrateOn();
  const CONDITIONS = [
    "status IN ('refunded', 'expired', 'failed')",
    "status = 'released' AND delivered_at <= '2026'",
  ];
  for (const isOver of CONDITIONS) {
    const plan = await rows(`EXPLAIN QUERY PLAN
      SELECT id FROM purchases WHERE buyer_id IS NULL AND query IS NOT NULL AND ${isOver}`);
    expect(JSON.stringify(plan)).toContain('SEARCH purchases USING INDEX purchases_keyless_queries');
  }
});

it('count by the day from here on, and know no network of agents that were there before', async () => {
  const { database, rows, migrateOn } = await databaseWithSales();
  expect(await migrateOn()).toContain('0036_daily_quotas.sql');
  expect(await rows('SELECT DISTINCT registered_from FROM agents')).toEqual([{ registered_from: null }]);
  await database
    .prepare(`INSERT INTO daily_quotas VALUES ('network 192.0.2.1', 'write', '2026-06-01', 1, 10)`)
    .run();
  const plan = await rows(`EXPLAIN QUERY PLAN DELETE FROM daily_quotas WHERE day < '2026-06-02'`);
  expect(JSON.stringify(plan)).toContain('daily_quotas_by_day');
  await expect(
    database.prepare(`UPDATE daily_quotas SET writes = -1 WHERE day = '2026-06-01'`).run(),
  ).rejects.toThrow('CHECK');
});

it('let what is paid for be collected again, as nothing failed so far', async () => {
  const { rows, migrateOn } = await databaseWithSales();
  expect(await migrateOn()).toContain('0034_collections.sql');
  expect(
    await rows('SELECT failed_collections AS failed, COUNT(*) > 1 AS several FROM payments GROUP BY 1'),
  ).toEqual([{ failed: '[]', several: 1 }]);
});

it('leave sales, agents and chargebacks as they are where banks take money back', async () => {
  const { database, rows, migrateOn, insert } = await databaseWithSales();
  await database.batch([
    insert('wallets', { agent_id: id(2) }),
    insert('wallet_top_ups', {
      id: id(1),
      agent_id: id(2),
      amount_cents: 1000,
      status: 'paid',
      source: 'checkout',
      payment_id: 'pi_top_up',
      created_at: AT,
      expires_at: AT,
      look_at: AT,
    }),
    insert('chargebacks', {
      dispute_id: 'du_1',
      payment_id: 'pi_top_up',
      top_up_id: id(1),
      agent_id: id(2),
      amount_cents: 1000,
      status: 'lost',
      withdrawn_cents: 1000,
      covered_cents: 400,
      opened_at: AT,
      settled_at: AT,
      revision: 2,
    }),
  ]);
  expect(await migrateOn()).toContain('0037_money_taken_back.sql');
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(
    await rows(
      'SELECT DISTINCT taken_net_cents, taken_fee_cents, refund_failures, restorations FROM payments',
    ),
  ).toEqual([{ taken_net_cents: 0, taken_fee_cents: 0, refund_failures: 0, restorations: 0 }]);
  expect(await rows('SELECT covered_cents, escrow_cents, check_at FROM chargebacks')).toEqual([
    { covered_cents: 400, escrow_cents: 0, check_at: null },
  ]);
  const account = (balance: number) =>
    insert('ledger_accounts', { account: `wallet:${id(2)}`, balance_cents: balance });
  await account(0).run();
  await database.prepare('UPDATE ledger_accounts SET balance_cents = 600').run();
  expect(await rows('SELECT check_at FROM chargebacks'), 'due, since credits came back').toEqual([
    { check_at: '' },
  ]);
  const toStatus = (n: number, status: string) =>
    database.prepare('UPDATE purchases SET status = ? WHERE id = ?').bind(status, id(n)).run();
  await toStatus(7, 'refunded');
  await toStatus(7, 'held');
  await toStatus(5, 'refunded');
  await expect(toStatus(5, 'held'), 'never delivered').rejects.toThrow('purchase_way');
  await database.prepare('UPDATE agents SET limited_since = ? WHERE id = ?').bind(AT, id(2)).run();
  const bought = (n: string, cents: number) =>
    database
      .prepare(
        `INSERT INTO purchases (id, listing_id, seller_id, buyer_id, status, rail, amount_cents, platform_fee_cents,
          fee_schedule_version, listing_version, created_at)
          VALUES (?, ?, ?, ?, 'authorized', 'wallet', ?, 0, 1, 1, ?)`,
      )
      .bind(`00000000-0000-4000-8000-0000000000${n}`, id(3), id(1), id(2), cents, AT)
      .run();
  await expect(bought('20', 1000)).rejects.toThrow('buyer_not_limited');
  await bought('21', 0);
});

it('bring events along, however far they got, when their types are left to the code', async () => {
  const { rows, migrateOn, insert } = await databaseWithSales();
  await insert('agent_events', {
    id: id(4),
    agent_id: id(2),
    type: 'purchase.refunded',
    data: '{"a":1}',
    created_at: AT,
    attempts: 3,
    next_attempt_at: AT,
  }).run();
  const kept = 'SELECT id, agent_id, type, data, created_at, attempts, next_attempt_at FROM agent_events';
  const before = await rows(kept);
  expect(await migrateOn()).toContain('0051_copy_holds.sql');
  expect(await rows(kept)).toEqual(before);
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  const event = (n: number, type: string) =>
    insert('agent_events', { id: id(n), agent_id: id(2), type, data: '{}', created_at: AT }).run();
  await event(5, 'purchase.expired');
  await expect(event(6, 'Anything')).rejects.toThrow('CHECK');
  await insert('copy_holds', { purchase_id: id(7), buyer_id: id(2), held_until: AT }).run();
  await expect(insert('copy_holds', { purchase_id: id(2), held_until: AT }).run()).rejects.toThrow('FOREIGN');
});

it('keep refund credit from being overdrawn, and look for it where a bank took a top-up', async () => {
  const { database, rows, migrateOn, insert } = await databaseWithSales();
  expect(await migrateOn()).toContain('0050_refund_credits.sql');
  const account = `refund_credit:${id(2)}`;
  await insert('ledger_accounts', { account, balance_cents: 0 }).run();
  const set = (cents: number) =>
    database
      .prepare('UPDATE ledger_accounts SET balance_cents = ? WHERE account = ?')
      .bind(cents, account)
      .run();
  await set(70_000);
  await expect(set(-1)).rejects.toThrow('refund_credit_not_overdrawn');
  const plan = await rows(
    `EXPLAIN QUERY PLAN SELECT SUM(amount_cents) FROM purchases
      WHERE buyer_id = 'x' AND rail = 'wallet' AND status IN ('pending_payment', 'authorized')`,
  );
  expect(JSON.stringify(plan)).toContain('purchases_reserved_of_wallet');
});

it('leave listings and sales with one answer to a payment, and find statements by the receipt they add to', async () => {
  const { database, rows, migrateOn, insert } = await databaseWithSales();
  expect(await migrateOn()).toContain('0035_fresh_redeliveries.sql');
  expect(await rows('SELECT redelivery FROM listings UNION SELECT redelivery FROM payments')).toEqual([
    { redelivery: 'same' },
  ]);
  await insert('answers', {
    purchase_id: id(7),
    day: '2026-06-01',
    redelivery: JSON.stringify({
      digest: DIGEST,
      keyId: 'key',
      signedAt: AT,
      statement: { previousReceiptDigest: 'sha256:first', type: 'purchase_receipt' },
    }),
  }).run();
  expect(await rows('SELECT refreshed_at FROM answers')).toEqual([{ refreshed_at: null }]);
  const plan = await rows(
    `EXPLAIN QUERY PLAN SELECT 1 FROM answers WHERE redelivery IS NOT NULL
      AND json_extract(redelivery, '$.statement.previousReceiptDigest') = 'sha256:first'`,
  );
  expect(JSON.stringify(plan)).toContain('answers_by_receipt');
  await expect(database.prepare(`UPDATE listings SET redelivery = 'any'`).run()).rejects.toThrow('CHECK');
});

it('take callbacks that acknowledged an event for confirmed, and no others', async () => {
  const { database, rows, migrateOn, insert } = await databaseWithSales();
  await database.batch([
    database
      .prepare("UPDATE agents SET callback_url = 'https://agent.example.com/' WHERE id IN (?, ?)")
      .bind(id(1), id(2)),
    ...[AT, null].map((deliveredAt, n) =>
      insert('agent_events', {
        id: id(8 + n),
        agent_id: id(n + 1),
        type: 'sale.held',
        data: '{}',
        created_at: AT,
        delivered_at: deliveredAt,
      }),
    ),
  ]);
  expect(await migrateOn()).toContain('0042_confirmed_callbacks.sql');
  expect(
    await rows(
      'SELECT id, callback_confirmed_at AS at FROM agents WHERE callback_url IS NOT NULL ORDER BY id',
    ),
  ).toEqual([
    { id: id(1), at: AT },
    { id: id(2), at: null },
  ]);
});

it('leave wallets and accounts paid that were, and bring events along, when changes of payouts begin to wait', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0045');
  const { insert, agent } = insertsInto(database);
  const address = `0x${'a'.repeat(40)}`;
  const event = (n: number, type: string, data: string) =>
    insert('agent_events', { id: id(n), agent_id: id(1), type, data, created_at: AT, attempts: n });
  const note = `{"address":"${address}","chainId":1}`;
  await database.batch([
    ...[1, 2].flatMap((n) => [agent(n), insert('sellers', { agent_id: id(n), registered_at: AT })]),
    insert('payout_wallets', { seller_id: id(1), chain_id: 1, address, bound_at: AT }),
    ...[1, 2].map((n) =>
      insert('payout_accounts', {
        seller_id: id(n),
        account_id: `acct_${n}`,
        country: 'US',
        payouts_enabled: n - 1,
        created_at: AT,
      }),
    ),
    event(4, 'sale.held', '{"a":1}'),
    event(3, 'payout_wallet.changed', note),
    insert('seller_notifications', {
      id: id(5),
      seller_id: id(1),
      type: 'payout_wallet.changed',
      data: note,
      created_at: AT,
    }),
  ]);
  const kept = 'SELECT * FROM payout_wallets';
  const before = await rows(kept);
  expect(await migrateOn()).toContain('0045_payout_changes.sql');
  // What later migrations add has a default.
  expect(await rows(kept)).toMatchObject(before);
  expect(await rows('SELECT * FROM payout_changes')).toEqual([]);
  expect(
    await rows('SELECT account_id, enabled_at, wait_hours, set_by FROM payout_accounts ORDER BY 1'),
  ).toEqual([
    { account_id: 'acct_1', enabled_at: null, wait_hours: 0, set_by: 'key' },
    { account_id: 'acct_2', enabled_at: AT, wait_hours: 0, set_by: 'key' },
  ]);
  const walletChange = { kind: 'wallet', changeId: null, address, chainId: 1 };
  const read = await rows('SELECT type, data, attempts FROM agent_events ORDER BY rowid');
  expect(read.map((row) => ({ ...row, data: JSON.parse(String(row.data)) }))).toEqual([
    { type: 'sale.held', data: { a: 1 }, attempts: 4 },
    { type: 'payout.changed', data: walletChange, attempts: 3 },
  ]);
  const [notice] = await rows('SELECT type, data FROM seller_notifications');
  expect([notice?.type, JSON.parse(String(notice?.data))]).toEqual(['payout.changed', walletChange]);
  await expect(event(6, 'changed', '{}').run()).rejects.toThrow('CHECK');
  await expect(event(7, 'sale.held', '[]').run()).rejects.toThrow('CHECK');
  await event(8, 'payout.change_requested', '{}').run();
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
});

it("bring the ledger along when it gets words for what is the platform's own", async () => {
  const { database, rows, migrateOn } = await databaseBefore('0048');
  const posting = (n: number, kind: string, legs: Record<string, number>) =>
    database
      .prepare('INSERT INTO ledger_postings (id, kind, reference, legs, created_at) VALUES (?, ?, ?, ?, ?)')
      .bind(
        id(n),
        kind,
        id(9),
        JSON.stringify(Object.entries(legs).map(([account, amountCents]) => ({ account, amountCents }))),
        AT,
      );
  await database.batch([
    posting(1, 'top_up', { card_clearing: -500, 'wallet:a': 500 }),
    posting(2, 'chargeback', { card_clearing: 500, chargebacks: -500 }),
  ]);
  await expect(posting(3, 'processor_fee', { card_clearing: 45, processor_fees: -45 }).run()).rejects.toThrow(
    'CHECK',
  );
  const KEPT = [
    'SELECT id, kind, reference, legs, created_at FROM ledger_postings ORDER BY rowid',
    'SELECT * FROM ledger_entries ORDER BY id',
    'SELECT * FROM ledger_accounts ORDER BY account',
  ];
  const before = await Promise.all(KEPT.map(rows));
  expect(before.map(({ length }) => length)).toEqual([2, 4, 3]);
  expect(await migrateOn()).toContain('0048_processor_entries.sql');
  expect(await Promise.all(KEPT.map(rows))).toEqual(before);
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
  await posting(3, 'processor_fee', { card_clearing: 45, processor_fees: -45 }).run();
  await expect(posting(4, 'processor_fee', { card_clearing: 45, processor_fees: -45 }).run()).rejects.toThrow(
    'UNIQUE',
  );
  await expect(posting(5, 'gas', { gas: -1, relayer_gas: 2 }).run()).rejects.toThrow('ledger_balanced');
  await expect(rows('DELETE FROM ledger_postings')).rejects.toThrow('ledger_is_append_only');
  expect(await rows('SELECT * FROM processor_readings')).toEqual([
    { id: 1, read_until: null, looked_back_at: null, since: null, began_at: null, after_entry: null },
  ]);
});

it('know the person behind each address that mail went to', async () => {
  const { rows, migrateOn, insert } = await databaseWithSales();
  const recipients = ['Ada@Example.com', 'ada+1+2@example.com', '+ada@example.com', 'ada@ex+ample.com'];
  for (const [n, recipient] of recipients.entries()) {
    await insert('mail_outbox', { purpose: 'claim_link', reference: id(n), recipient, created_at: AT }).run();
  }
  expect(await migrateOn()).toContain('0043_mail_persons.sql');
  expect(
    await rows("SELECT person FROM mail_outbox WHERE purpose = 'claim_link' ORDER BY reference"),
  ).toEqual(
    ['ada@example.com', 'ada@example.com', '+ada@example.com', 'ada@ex+ample.com'].map((person) => ({
      person,
    })),
  );
});

it('put what was declared of health data before an operator, and bring events along', async () => {
  const { database, rows, migrateOn, insert } = await databaseWithSales();
  const entry = (to: boolean | undefined) =>
    JSON.stringify({
      changedAt: AT,
      changes: to === undefined ? {} : { notPersonalHealth: { from: null, to } },
    });
  await database.batch([
    database.prepare('DELETE FROM listing_history'),
    ...[true, undefined, true].map((to, n) =>
      insert('listing_history', { listing_id: id(3), version: n + 1, entry: entry(to) }),
    ),
    insert('agent_events', { id: id(8), agent_id: id(1), type: 'sale.held', data: '{}', created_at: AT }),
  ]);
  const inOrder = `SELECT ${EVENT} FROM agent_events ORDER BY rowid`;
  const events = await rows(inOrder);
  expect(await migrateOn()).toContain('0046_health_declarations.sql');
  expect(await rows(inOrder)).toEqual(events);
  expect(
    await rows(
      'SELECT listing_id, version, words, created_at, status FROM health_declarations ORDER BY version',
    ),
  ).toEqual(
    [1, 3].map((version) => ({ listing_id: id(3), version, words: '[]', created_at: AT, status: 'open' })),
  );
  const [declared] = await rows('SELECT id FROM health_declarations');
  expect(declared?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const reject = `UPDATE health_declarations SET status = 'rejected', reason = 'So.', reviewed_at = '${AT}' WHERE version = 3`;
  await database.batch([
    database.prepare("UPDATE listings SET status = 'inactive' WHERE id = ?").bind(id(3)),
    database.prepare(reject),
  ]);
  const activate = database.prepare("UPDATE listings SET status = 'active' WHERE id = ?").bind(id(3));
  await expect(activate.run()).rejects.toThrow('listing_not_blocked');
});

it('bring mail and changes of payouts along when notices go out by mail', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0057');
  const { insert, agent } = insertsInto(database);
  const mail = (n: number, fields: object) =>
    insert('mail_outbox', { reference: id(n), recipient: 'A+shop@b.example', created_at: AT, ...fields });
  const change = (n: number, fields: object) =>
    insert('payout_changes', {
      id: id(n),
      seller_id: id(1),
      kind: 'account',
      destination: `acct_${n}`,
      requested_by: 'key',
      requested_at: AT,
      effective_at: '2026-06-03T12:00:00.000Z',
      ...fields,
    });
  await database.batch([
    agent(1),
    insert('sellers', { agent_id: id(1), registered_at: AT }),
    mail(1, { purpose: 'purchase_receipt' }),
    mail(2, { purpose: 'claim_link', subject: 's', text: 't', attempts: 3, next_attempt_at: AT }),
    mail(3, { purpose: 'inquiry_reply', subject: 's', text: '', sent_at: AT }),
    change(5, { cancelled_at: AT, cancelled_by: 'wallet' }),
    change(4, {}),
  ]);
  const kept = ['SELECT * FROM mail_outbox', 'SELECT rowid, * FROM payout_changes'];
  const triggers =
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('mail_outbox', 'payout_changes') ORDER BY name";
  const before = await Promise.all([...kept, triggers].map(rows));
  expect(before[0]).toHaveLength(3);
  expect(await migrateOn()).toContain('0057_notice_mails.sql');
  // Later migrations add columns.
  expect(await Promise.all([...kept, triggers].map(rows))).toMatchObject(before);
  await mail(6, { purpose: 'payout_notice' }).run();
  await mail(7, { purpose: 'endpoint_notice' }).run();
  expect(await rows('SELECT DISTINCT person FROM mail_outbox')).toEqual([{ person: 'a@b.example' }]);
  await expect(mail(8, { purpose: 'advertisement' }).run()).rejects.toThrow('CHECK');
  await change(9, { cancelled_at: AT, cancelled_by: 'mail' }).run();
  await expect(change(10, { cancelled_at: AT, cancelled_by: 'guess' }).run()).rejects.toThrow('CHECK');
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
});

it('keep the chain of what operators did from forking', async () => {
  const { rows, migrateOn, insert } = await databaseWithSales();
  const applied = await migrateOn();
  expect(applied).toContain('0053_operator_actions.sql');
  expect(applied).toContain('0054_overdue.sql');
  const action = { key_id: 'k', signature: 's', statement: '{"type":"operator_action","at":"2026"}' };
  await insert('operator_actions', { sequence: 1, digest: 'sha256:a', ...action }).run();
  const second = { sequence: 2, previous_digest: 'sha256:a', digest: 'sha256:b', ...action };
  await insert('operator_actions', second).run();
  for (const fork of [
    { ...second, digest: 'sha256:c' },
    { ...second, sequence: 3, digest: 'sha256:c' },
  ]) {
    await expect(insert('operator_actions', fork).run()).rejects.toThrow('operator_actions_head');
  }
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
});

it('say why agents are limited that were before', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0054');
  const { agent } = insertsInto(database);
  await database.batch([agent(1), agent(2)]);
  await database.prepare('UPDATE agents SET limited_since = ? WHERE id = ?').bind(AT, id(2)).run();
  expect(await migrateOn()).toContain('0054_overdue.sql');
  expect(
    await rows(
      `SELECT id, limited_reason AS reason FROM agents WHERE id IN ('${id(1)}', '${id(2)}') ORDER BY id`,
    ),
  ).toEqual([
    { id: id(1), reason: null },
    { id: id(2), reason: 'chargeback' },
  ]);
});

it('number the events of each agent as they were noted, and those that code of before notes', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0081');
  const { agent, insert } = insertsInto(database);
  const event = (n: number, of: number) =>
    insert('agent_events', { id: id(n), agent_id: id(of), type: 'sale.held', data: '{}', created_at: AT });
  await database.batch([agent(1), agent(2), agent(3), event(9, 1), event(4, 2), event(2, 1)]);
  expect(await migrateOn()).toContain('0081_event_sequence.sql');
  await database.batch([event(7, 1), event(1, 3)]);
  expect(await rows('SELECT agent_id, id, sequence FROM agent_events ORDER BY agent_id, sequence')).toEqual([
    { agent_id: id(1), id: id(9), sequence: 1 },
    { agent_id: id(1), id: id(2), sequence: 2 },
    { agent_id: id(1), id: id(7), sequence: 3 },
    { agent_id: id(2), id: id(4), sequence: 1 },
    { agent_id: id(3), id: id(1), sequence: 1 },
  ]);
  expect(await rows('SELECT last_sequence AS n FROM agent_event_counts ORDER BY agent_id')).toEqual([
    { n: 3 },
    { n: 1 },
    { n: 1 },
  ]);
});

it('move the reasons of what operators did into rows that can be erased, and leave what was signed as it was', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0091');
  const { insert } = insertsInto(database);
  const statement =
    '{"type":"operator_action", "operator":"operator","subject":{"id":"p1","type":"purchase"},"at":"2026"}';
  const action = { key_id: 'k', signature: 's', statement };
  await insert('operator_actions', {
    sequence: 1,
    digest: 'sha256:a',
    ...action,
    salt: 'ab'.repeat(16),
  }).run();
  await insert('operator_actions', {
    ...{ sequence: 2, previous_digest: 'sha256:a', digest: 'sha256:b', ...action },
    ...{ reason: 'A "complaint".', salt: 'cd'.repeat(16) },
  }).run();
  await insert('operator_actions', {
    sequence: 3,
    previous_digest: 'sha256:b',
    digest: 'sha256:c',
    ...action,
  }).run();
  const signed =
    'SELECT sequence, previous_digest, digest, key_id, signature, statement FROM operator_actions';
  const before = await rows(signed);
  expect(await migrateOn()).toEqual(expect.arrayContaining(['0091_operators.sql', '0092_audit_texts.sql']));
  expect(await rows(signed)).toEqual(before);
  expect(await rows('SELECT DISTINCT reason, salt FROM operator_actions')).toEqual([
    { reason: null, salt: null },
  ]);
  expect(await rows('SELECT * FROM audit_texts ORDER BY sequence')).toEqual([
    { sequence: 1, salt: 'ab'.repeat(16), texts: '{"reason":null}' },
    { sequence: 2, salt: 'cd'.repeat(16), texts: '{"reason":"A \\"complaint\\"."}' },
  ]);
  expect(await rows('SELECT DISTINCT operator, subject_type, subject_id, at FROM operator_actions')).toEqual([
    { operator: 'operator', subject_type: 'purchase', subject_id: 'p1', at: '2026' },
  ]);
  expect(await rows('PRAGMA foreign_key_check')).toEqual([]);
});

it('ask MCP servers that were verified before in the way that they were verified', async () => {
  const { database, rows, migrateOn } = await databaseBefore('0196');
  const { agent, insert } = insertsInto(database);
  const types = ['webhook', 'mcp', 'polling'];
  for (const [n, callback_type] of types.entries()) {
    const endpoint = { callback_url: `https://seller.example.com/${n}`, callback_type, verified_at: AT };
    await database.batch([
      agent(n),
      insert('sellers', { agent_id: id(n), registered_at: AT }),
      insert('delivery_endpoints', { seller_id: id(n), ...endpoint }),
    ]);
  }
  expect(await migrateOn()).toContain('0196_mcp_revisions.sql');
  expect(await rows('SELECT callback_type, mcp_revision FROM delivery_endpoints ORDER BY seller_id')).toEqual(
    [
      { callback_type: 'webhook', mcp_revision: null },
      { callback_type: 'mcp', mcp_revision: '2025-11-25' },
      { callback_type: 'polling', mcp_revision: null },
    ],
  );
});
