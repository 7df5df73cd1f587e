import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { quotaPolicyOf } from '@agent-marketplace/core/kernel/operation/quota-policy.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { inputFields } from '@agent-marketplace/core/testing/operation-inputs.ts';
import { testBindings } from '@agent-marketplace/core/testing/workers-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../contract/requests.ts';
import { goodRequest } from '../contract/try-operation.ts';
import { createWorld, type World } from '../contract/world.ts';

// What one request without a key can cost at most, counted where it leaves the Worker: statements, rows, bytes, calls.

const anonymous = [...apiOperations, ...x402Operations].filter(
  ({ auth }) => auth === 'none' || auth === 'optional',
);

/** What makes an operation's request dear, where limit and offset alone do not. */
const LONG = 'x'.repeat(9_900);
const DEAREST: Readonly<Record<string, Record<string, unknown>>> = {
  claimEndpoint: { callbackUrl: 'https://seller.example.com/claimed' },
  browseListings: { q: 'tide', minRating: 1, sort: 'quality', price: 'free', samples: 'include' },
  purchaseListing: { query: { text: 'x'.repeat(60_000) }, email: 'stranger@example.com' },
  registerAgent: { name: 'N', email: 'stranger@example.com', callbackUrl: 'http://localhost:9/events' },
  submitInquiry: { message: LONG, email: 'stranger@example.com' },
  followUpInquiry: { message: LONG },
  submitIdea: { description: LONG, impact: 'y'.repeat(1_900) },
};

/** Writes without a quota of the day: why a stranger cannot repeat them without end. */
const UNCOUNTED: Readonly<Record<string, string>> = {
  disputePurchase: 'one dispute of a purchase that was paid',
};

/** Tables that grow with what people do, in both databases. */
const GROWING =
  /\b(agents|sellers|listings|purchases|messages|ratings|documents|demand_rows|idempotency_keys|inquiries)\b/;
const EXACT_TOTAL = 'totals are exact, so what matches is counted';
const ONLY_DEFERRED = 'SQLite looks for children of a new parent only while constraints are deferred';
/** What passes more than a page of a table that grows, by operation and table, and why. */
const KNOWN_SCANS: Readonly<Record<string, string>> = {
  'browseListings documents': EXACT_TOTAL,
  'searchHealthData documents': EXACT_TOTAL,
  'listX402Resources listings': EXACT_TOTAL,
  'claimEndpoint sellers': 'the mean of all ratings, once a listing is indexed; takes a claim link',
  'registerAgent ratings': ONLY_DEFERRED,
  'registerSeller ratings': ONLY_DEFERRED,
};

/** Their requests expire, or are good for one answer. */
const GOOD_ONCE: ReadonlySet<string> = new Set(['provePayer']);

const MAX_STATEMENTS = 35;
const MAX_ROWS_WRITTEN = 60;
const MAX_BYTES_SENT = 600_000;

interface Cost {
  readonly status: number;
  readonly statements: number;
  readonly trips: number;
  readonly rowsWritten: number;
  /** By the quotas of the day. */
  readonly writesCounted: number;
  readonly bytesCounted: number;
  readonly bytesSent: number;
  readonly sellerCalls: number;
  readonly messages: number;
}

let world: World;
const requests = new Map<string, Awaited<ReturnType<typeof goodRequest>>>();
const small = new Map<string, Cost>();
const plans = new Map<string, string[]>();

const number = async (sql: string) => Number(await testBindings.DB.prepare(sql).first('n'));
const changes = async () =>
  Number(await testBindings.DB.prepare('SELECT total_changes() AS n').first('n')) +
  Number(await testBindings.SEARCH.prepare('SELECT total_changes() AS n').first('n'));

/** The longest page, as far behind as it may begin, and whatever else is dear. */
async function dearest(operation: AnyOperation) {
  const good = await goodRequest(world, operation);
  const { fields } = inputFields(operation);
  const page = Object.fromEntries(
    [...fields].flatMap(([name, { maximum }]) =>
      (name === 'limit' || name === 'offset') && maximum !== undefined ? [[name, maximum]] : [],
    ),
  );
  const input = { ...good.input, ...page, ...DEAREST[operation.name] };
  const { apiKey: _, ...keyless } = good;
  // Who may read a purchase or a consent shows a key or a link: without one, the refusal is what a stranger can cause.
  return { ...keyless, input };
}

async function measure(operation: AnyOperation, isInvalid = false): Promise<Cost> {
  const { market } = world;
  await market.background.settled();
  const sent = GOOD_ONCE.has(operation.name) ? undefined : requests.get(operation.name);
  // Nothing is answered from memory, and no quota of an earlier measurement is in the way.
  market.clock.advance(DAY_MS);
  const known = sent ?? (await dearest(operation));
  requests.set(operation.name, known);
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  market.jobs.sent.length = 0;
  const before = [
    await changes(),
    await number('SELECT COALESCE(SUM(bytes), 0) AS n FROM daily_quotas'),
    await number('SELECT COALESCE(SUM(writes), 0) AS n FROM daily_quotas'),
    market.sellerEndpoint.requests.length,
    await number('SELECT (SELECT COUNT(*) FROM mail_outbox) + (SELECT COUNT(*) FROM agent_events) AS n'),
  ];
  const input = isInvalid ? { ...known.input, limit: 'x', unknownField: LONG } : known.input;
  const response = await send(market, operation, { ...known, input });
  const text = await response.text();
  const sql = [...market.market.roundTrips, ...market.search.roundTrips];
  plans.set(operation.name, sql.flat());
  await market.background.settled();
  return {
    status: response.status,
    statements: sql.flat().length,
    trips: sql.length,
    rowsWritten: (await changes()) - (before[0] ?? 0),
    bytesCounted: (await number('SELECT COALESCE(SUM(bytes), 0) AS n FROM daily_quotas')) - (before[1] ?? 0),
    writesCounted:
      (await number('SELECT COALESCE(SUM(writes), 0) AS n FROM daily_quotas')) - (before[2] ?? 0),
    bytesSent: text.length,
    sellerCalls: market.sellerEndpoint.requests.length - (before[3] ?? 0),
    messages:
      (await number('SELECT (SELECT COUNT(*) FROM mail_outbox) + (SELECT COUNT(*) FROM agent_events) AS n')) -
      (before[4] ?? 0),
  };
}

/** Rows like one that is there, under new ids. */
async function multiply(
  table: string,
  times: number,
  changed: Readonly<Record<string, string>>,
  where = '1',
) {
  const { results } = await testBindings.DB.prepare('SELECT name FROM pragma_table_info(?)')
    .bind(table)
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `one.${name}`);
  await testBindings.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${times})
      INSERT INTO ${table} (${names.join()}) SELECT ${values.join()}
      FROM n, (SELECT * FROM ${table} WHERE ${where} LIMIT 1) AS one`,
  ).run();
}

const idOf = (kind: number, index: string) => `printf('00000000-0000-4000-8%03d-%012d', ${kind}, ${index})`;

/** 200 sellers with 2,000 listings, which were bought 5,000 times. */
async function grow(): Promise<void> {
  const { seller, buyer } = world;
  await multiply(
    'agents',
    400,
    { id: idOf(1, 'i'), api_key_hash: `printf('%064d', i)`, handle: `printf('agent-%08d', i)` },
    `id = '${buyer.id}'`,
  );
  await multiply('sellers', 200, { agent_id: idOf(1, 'i') }, `agent_id = '${seller.id}'`);
  const listingId = await world.newListing();
  const sellerOf = idOf(1, '1 + i % 200');
  await multiply('listings', 2000, { id: idOf(2, 'i'), seller_id: sellerOf }, `id = '${listingId}'`);
  const { purchaseId } = await world.newSale();
  await multiply(
    'purchases',
    5000,
    {
      id: idOf(3, 'i'),
      listing_id: idOf(2, '1 + i % 2000'),
      seller_id: idOf(1, '1 + (1 + i % 2000) % 200'),
      buyer_id: idOf(1, '201 + i % 200'),
    },
    `id = '${purchaseId}'`,
  );
  for (let last = -1, now = -2; last !== now; ) {
    last = now;
    await sweepSearchOutbox(world.market.newPorts());
    now = Number(await testBindings.SEARCH.prepare('SELECT COUNT(*) AS n FROM documents').first('n'));
  }
}

beforeAll(async () => {
  world = await createWorld(x402Operations);
  for (const operation of anonymous) {
    // The first of a day and of a host writes more or less than those that follow.
    await measure(operation);
    requests.delete(operation.name);
    small.set(operation.name, await measure(operation));
  }
});

const named = anonymous.map((operation) => [operation.name, operation] as const);
const costOf = (name: string): Cost => small.get(name) as Cost;
const isWrite = (operation: AnyOperation) => costOf(operation.name).rowsWritten > 0;

describe('one request without a key', () => {
  it.each(named)('%s stays within bounds', (name) => {
    const { statements, rowsWritten, bytesSent, sellerCalls, messages, status } = costOf(name);
    expect(status).toBeLessThan(500);
    expect(statements).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(rowsWritten).toBeLessThanOrEqual(MAX_ROWS_WRITTEN);
    expect(bytesSent).toBeLessThanOrEqual(MAX_BYTES_SENT);
    expect(sellerCalls, 'sellers asked').toBeLessThanOrEqual(1);
    // A free purchase is mailed its receipt, in the marketplace's own words.
    const most = ['claimEndpoint', 'purchaseListing'].includes(name) ? 1 : 0;
    expect(messages, 'mails and events').toBeLessThanOrEqual(most);
  });

  it.each(named)('%s: what it writes is counted by the day', (name, operation) => {
    const { rowsWritten, writesCounted, status } = costOf(name);
    if (rowsWritten === 0 || status >= 400) return;
    if (UNCOUNTED[name] !== undefined) return;
    const call = { operator: null } as Parameters<typeof quotaPolicyOf>[0]['call'];
    expect(quotaPolicyOf({ operation, call }), 'a rate policy other than read').not.toBeNull();
    expect(writesCounted).toBe(1);
  });

  it.each(named)('%s: a bad request writes nothing and asks nobody', async (_, operation) => {
    const cost = await measure(operation, true);
    expect(cost.status).toBeLessThan(500);
    // A public read ignores what it does not know, and is then what it is.
    if (cost.status < 400) return;
    expect([cost.rowsWritten, cost.sellerCalls, cost.messages]).toEqual([0, 0, 0]);
  });
});

it('at 2,000 listings, 400 agents and 5,000 purchases each costs the same', async () => {
  await grow();
  const grown: string[] = [];
  for (const operation of anonymous) {
    const { name } = operation;
    const before = costOf(name);
    requests.delete(name);
    const now = await measure(operation);
    for (const part of ['statements', 'trips', 'rowsWritten', 'sellerCalls', 'messages'] as const) {
      if (now[part] > before[part]) grown.push(`${name}: ${part} from ${before[part]} to ${now[part]}`);
    }
    const { bytesSent } = now;
    expect(bytesSent, name).toBeLessThanOrEqual(MAX_BYTES_SENT);
  }
  expect(grown).toEqual([]);

  const scans: string[] = [];
  for (const operation of anonymous) {
    for (const sql of new Set(plans.get(operation.name))) {
      const plan = await planOf(sql);
      for (const { detail } of plan) {
        const isScan = /^SCAN /.test(detail) && GROWING.test(detail) && !/VIRTUAL TABLE/.test(detail);
        const isPage = /USING .*INDEX/.test(detail) && /limit/i.test(sql);
        const place = `${operation.name} ${GROWING.exec(detail)?.[0]}`;
        if (isScan && !isPage && KNOWN_SCANS[place] === undefined) scans.push(`${place}: ${detail}: ${sql}`);
      }
    }
  }
  expect(scans).toEqual([]);
});

async function planOf(sql: string): Promise<{ detail: string }[]> {
  const count = sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"/g, '').split('?').length - 1;
  const explained = [`EXPLAIN QUERY PLAN ${sql}`, ...Array.from({ length: count }, () => null)] as const;
  for (const database of [testBindings.DB, testBindings.SEARCH]) {
    const [text, ...values] = explained;
    const rows = await database
      .prepare(text)
      .bind(...values)
      .all<{ detail: string }>()
      .catch(() => null);
    if (rows !== null) return rows.results;
  }
  throw new Error(`No plan of ${sql}`);
}

/** Reads of public data need no line each: they write nothing and ask nobody. */
function table(): string {
  const rows = anonymous
    .filter((operation) => isWrite(operation) || costOf(operation.name).statements > 0)
    .map((operation) => {
      const { name, http, rate } = operation;
      const { statements, rowsWritten, bytesCounted, sellerCalls } = costOf(name);
      const { fields } = inputFields(operation);
      const page = fields.get('limit')?.maximum;
      const call = { operator: null } as Parameters<typeof quotaPolicyOf>[0]['call'];
      const quota = quotaPolicyOf({ operation, call });
      const limits = [
        `\`${rate}\` by the minute`,
        ...(quota === null ? [] : ['and by the day']),
        ...(page === undefined ? [] : [`a page of ${page}`]),
        ...(UNCOUNTED[name] === undefined ? [] : [UNCOUNTED[name]]),
      ].join(', ');
      const kilobytes = bytesCounted === 0 ? '0' : String(Math.ceil(bytesCounted / 1000));
      return `| ${http.method.toUpperCase()} ${http.path} | ${statements} | ${rowsWritten} | ${kilobytes} | ${sellerCalls} | ${limits} |`;
    });
  return [
    '| operation | statements | rows written | kB stored | sellers asked | what limits it |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

it('docs/security.md has the figures', () => {
  const security = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  expect(security, `Put this into docs/security.md:\n${table()}\n`).toContain(table());
});
