import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { quotaPolicyOf } from '@agent-marketplace/core/kernel/operation/quota-policy.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../contract/requests.ts';
import type { goodRequest } from '../contract/try-operation.ts';
import { createWorld, type World } from '../contract/world.ts';
import { anonymous, dearest, documentedRowsRead, GOOD_ONCE, grow, LONG } from './anonymous-walk.ts';

// What one request without a key can cost at most, counted where it leaves the Worker: statements, rows, bytes, calls.

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
  'searchX402Resources documents': EXACT_TOTAL,
  'claimEndpoint sellers': 'the mean of all ratings, once a listing is indexed; takes a claim link',
  'registerAgent ratings': ONLY_DEFERRED,
  'registerSeller ratings': ONLY_DEFERRED,
};

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

async function measure(operation: AnyOperation, isInvalid = false): Promise<Cost> {
  const { market } = world;
  await market.background.settled();
  const sent = GOOD_ONCE.has(operation.name) ? undefined : requests.get(operation.name);
  // Nothing is answered from memory, and no quota of an earlier measurement is in the way.
  market.clock.advance(DAY_MS);
  const known = sent ?? (await dearest(world, operation));
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

beforeAll(async () => {
  world = await createWorld(x402Operations);
  for (const operation of anonymous) {
    // The first of a day and of a host writes more or less than those that follow.
    await measure(operation);
    requests.delete(operation.name);
    small.set(operation.name, await measure(operation));
  }
});

/**
 * A free purchase is mailed its receipt; a link that sets an endpoint writes its seller a mail and two events; what a mailed
 * link does to an account is told to its channels.
 */
const MOST_MESSAGES: Readonly<Record<string, number>> = {
  claimEndpoint: 3,
  completeRecovery: 2,
  openRecovery: 2,
  purchaseListing: 1,
  verifyEmail: 2,
};

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
    expect(messages, 'mails and events').toBeLessThanOrEqual(MOST_MESSAGES[name] ?? 0);
  });

  it.each(named)('%s: what it writes is counted by the day', (name, operation) => {
    const { rowsWritten, writesCounted, status } = costOf(name);
    if (rowsWritten === 0 || status >= 400) return;
    if (UNCOUNTED[name] !== undefined) return;
    expect(quotaPolicyOf(operation), 'a rate policy other than read').not.toBeNull();
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
  await grow(world, 0, 2000);
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

const security = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');

/** What asks no database needs no line. The rows read are those of rows-read.long.workers.test.ts. */
function table(): string {
  const rows = anonymous
    .filter((operation) => isWrite(operation) || costOf(operation.name).statements > 0)
    .map((operation) => {
      const { name, http, rate } = operation;
      const { statements, rowsWritten, bytesCounted, sellerCalls } = costOf(name);
      const { fields } = inputFields(operation);
      const page = fields.get('limit')?.maximum;
      const quota = quotaPolicyOf(operation);
      const limits = [
        `\`${rate}\` by the minute`,
        ...(quota === null ? [] : ['and by the day']),
        ...(page === undefined ? [] : [`a page of ${page}`]),
        ...(UNCOUNTED[name] === undefined ? [] : [UNCOUNTED[name]]),
      ].join(', ');
      const rowsRead = documentedRowsRead(security, http) ?? '?';
      const kilobytes = bytesCounted === 0 ? '0' : String(Math.ceil(bytesCounted / 1000));
      return `| ${http.method.toUpperCase()} ${http.path} | ${statements} | ${rowsWritten} | ${kilobytes} | ${sellerCalls} | ${rowsRead} | ${limits} |`;
    });
  return [
    '| operation | statements | rows written | kB stored | sellers asked | rows read | what limits it |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

it('docs/security.md has the figures', () => {
  expect(security, `Put this into docs/security.md:\n${table()}\n`).toContain(table());
});
