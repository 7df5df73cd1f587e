import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { API_WORKER, type Marketplace, startMarketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { Berth, createMarketplaceClient } from '@agent-marketplace/sdk';
import { ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openX402Shop, type X402Shop } from './x402-shop.ts';

// A mark in what a person sends, over every door, and in what operators write of it; then the account is erased, and all
// that the Workers stored is searched, Durable Objects, KV and R2 as well as both databases, and all that they logged.

const MARK = 'zqleaver';
const DAY_MS = 86_400_000;
const MINUTE_RUNS = 4;

let place: Marketplace;
let shop: X402Shop;
let stateDir: string;
const logged: string[] = [];

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'erased-'));
  place = await startMarketplace({
    port: 0,
    stateDir,
    onLog: ({ message }) => {
      logged.push(message);
    },
  });
  if (!place.chain) throw new Error('There is no local chain.');
  shop = await openX402Shop(place, place.chain);
});
afterAll(async () => {
  await shop?.close();
  await place?.close();
  await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
});

async function minutes(): Promise<void> {
  for (let run = 0; run < MINUTE_RUNS; run += 1) await place.runScheduled();
}

/** `table.column` of each stored value with the mark, and the path of each other file. */
function placesOfMark(): string[] {
  const found = new Set<string>();
  const storage = join(stateDir, 'storage');
  for (const name of readdirSync(storage, { recursive: true, encoding: 'utf8' })) {
    const path = join(storage, name);
    if (path.endsWith('.sqlite')) for (const place of markedColumns(path)) found.add(place);
    else if (!/-(wal|shm)$/.test(path) && holdsMark(path)) found.add(name);
  }
  return [...found].sort();
}

function holdsMark(path: string): boolean {
  try {
    return readFileSync(path).includes(MARK);
  } catch {
    // A folder.
    return false;
  }
}

function markedColumns(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name: table }) =>
      database
        .prepare('SELECT name FROM pragma_table_xinfo(?)')
        .all(String(table))
        .filter(({ name }) =>
          database
            .prepare(
              `SELECT 1 FROM "${table}" WHERE instr(CAST("${name}" AS BLOB), CAST(? AS BLOB)) > 0 LIMIT 1`,
            )
            .get(MARK),
        )
        .map(({ name }) => `${table}.${name}`),
    );
  } finally {
    database.close();
  }
}

async function payWithMark(): Promise<number> {
  const url = `${shop.url}?note=${MARK}`;
  const unpaid = await fetch(url);
  const payer = await shop.newPayer();
  const http = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(payer)));
  const required = http.getPaymentRequiredResponse((name) => unpaid.headers.get(name), await unpaid.json());
  const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
  return (await fetch(url, { headers })).status;
}

it('leaves no mark of an erased account in any storage or log', async () => {
  const anyone = createMarketplaceClient({ baseUrl: place.baseUrl, retries: 0 });
  const email = `${MARK}@example.com`;
  const { apiKey, id } = await anyone.registerAgent({ name: MARK, email, displayName: `${MARK} public` });
  const leaver = anyone.withApiKey(apiKey);
  await leaver.updateAgent({ email });
  await leaver.createKey({ label: MARK, scopes: ['read'] });
  const free = { title: 'Free tides', description: 'Low water.', preview: {}, priceCents: 0 };
  const { listing } = await shop.seller.createListing({ ...free, consent: true });
  await leaver.purchaseListing({ listingId: listing.id, query: { note: MARK }, email });
  const { handle } = (await shop.seller.getOwnAgent()).connect;
  await leaver.sendMessage({ handle, text: `Hello from ${MARK}.` });
  await leaver.createReport({
    subjectType: 'listing',
    subjectId: listing.id,
    reason: 'deception',
    text: MARK,
  });
  await leaver.submitInquiry({ subject: MARK, message: `It is ${MARK}.`, name: MARK, email });
  // The door takes no text: what it does not know is no part of the terms.
  const berth = await Berth.create({ baseUrl: place.baseUrl });
  await berth.admit({ intentClass: 'RESEARCH', side: 'buy' });
  await fetch(`${place.baseUrl}/ingress/admit`, {
    method: 'POST',
    body: JSON.stringify({ intentClass: MARK, note: MARK }),
  });
  expect(await payWithMark()).toBe(200);
  const { ADMIN_SECRET } = await place.miniflare.getBindings<{ ADMIN_SECRET: string }>(API_WORKER);
  const operator = createMarketplaceClient({
    baseUrl: place.baseUrl,
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set('x-mkt-admin', ADMIN_SECRET);
      return fetch(request);
    },
  });
  await operator.limitPurchases({
    agentId: id,
    limited: true,
    rule: 'deception',
    reason: `${MARK} did not pay.`,
  });
  await operator.limitPurchases({ agentId: id, limited: false, reason: `${MARK} paid.` });
  await minutes();
  expect(placesOfMark().length).toBeGreaterThan(10);

  await leaver.requestErasure({});
  await place.advanceClock(7 * DAY_MS + 60_000);
  await minutes();
  expect(await leaver.getOwnAgent().catch((error: { code?: string }) => error.code)).toBe('invalid_api_key');
  // What was paid for without an account is nobody's to erase: it is sealed, and goes by the clock.
  expect(placesOfMark()).toEqual([]);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.filter((line) => line.includes(MARK))).toEqual([]);
}, 180_000);
