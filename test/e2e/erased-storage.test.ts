import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { API_WORKER, type Marketplace, startMarketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { Berth, createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { pollDeliveries } from '@agent-marketplace/sdk/seller';
import { ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openX402Shop, type X402Shop } from './x402-shop.ts';

// A mark in what a person sends, over every door, and in what operators write of it; then the account is erased, and all
// that the Workers stored is searched, Durable Objects, KV and R2 as well as both databases, and all that they logged.

const MARK = 'zqleaver';
const WAITING = 'zqwaiting';
const DAY_MS = 86_400_000;
const MINUTE_RUNS = 4;

let place: Marketplace;
let shop: X402Shop;
let stateDir: string;
let callback: Awaited<ReturnType<typeof openCallback>>;
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
  callback = await openCallback();
  shop = await openX402Shop(place, place.chain);
});
afterAll(async () => {
  callback?.close();
  await shop?.close();
  await place?.close();
  await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
});

async function minutes(): Promise<void> {
  for (let run = 0; run < MINUTE_RUNS; run += 1) await place.runScheduled();
}

/** `table.column` of each stored value with the text, and the path of each other file. */
function placesOf(text: string): string[] {
  const found = new Set<string>();
  const storage = join(stateDir, 'storage');
  for (const name of readdirSync(storage, { recursive: true, encoding: 'utf8' })) {
    const path = join(storage, name);
    if (path.endsWith('.sqlite')) for (const place of columnsWith(path, text)) found.add(place);
    else if (!/-(wal|shm)$/.test(path) && isIn(path, text)) found.add(name);
  }
  return [...found].sort();
}

function isIn(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch {
    // A folder.
    return false;
  }
}

function columnsWith(path: string, text: string): string[] {
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
            .get(text),
        )
        .map(({ name }) => `${table}.${name}`),
    );
  } finally {
    database.close();
  }
}

/** Takes events, and answers the challenge of a new `callbackUrl`. */
async function openCallback() {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    const { nonce } = JSON.parse(body) as { nonce?: string };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ nonce }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/${MARK}`, received, close: () => server.close() };
}

/** A seller behind a firewall. What is in its mailbox is in no storage: `whileWaiting` has what was found of a query there. */
async function openPollingShop(anyone: MarketplaceClient) {
  const client = anyone.withApiKey((await anyone.registerSeller({ name: 'Behind a firewall' })).apiKey ?? '');
  const polling = new AbortController();
  const whileWaiting: string[][] = [];
  const ended = pollDeliveries({
    client,
    deliver({ query }) {
      whileWaiting.push(placesOf(String(query?.waiting)));
      return { low: '04:12' };
    },
    signal: polling.signal,
    intervalMs: 10,
  });
  const { listing, claimUrl } = await client.createListing({ ...FREE, title: 'Polled tides', consent: true });
  const token = claimUrl?.split('/').at(-1) ?? '';
  await anyone.claimEndpoint({ token, callbackUrl: 'https://example.com/', callbackType: 'polling' });
  const close = async () => {
    polling.abort();
    await ended;
  };
  return { listingId: listing.id, whileWaiting, close };
}

const FREE = { title: 'Free tides', description: 'Low water.', preview: {}, priceCents: 0 };
/** Larger than what the api reads itself. */
const LARGE_BYTES = 1_300_000;

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
  await leaver.updateAgent({ callbackUrl: callback.url });
  const { listing } = await shop.seller.createListing({ ...FREE, consent: true });
  await leaver.purchaseListing({ listingId: listing.id, query: { note: MARK }, email });
  const { handle } = (await shop.seller.getOwnAgent()).connect;
  await leaver.sendMessage({ handle, text: `Hello from ${MARK}.` });
  await leaver.createReport({
    subjectType: 'listing',
    subjectId: listing.id,
    reason: 'deception',
    text: MARK,
  });
  const file = (text: string) => ({
    ...{ filename: `${MARK}.txt`, contentType: 'text/plain' },
    contentBase64: Buffer.from(text).toString('base64'),
  });
  const attachments = [file(MARK), file(`${MARK} ${'x'.repeat(LARGE_BYTES)}`)];
  for (const one of attachments)
    await leaver.submitInquiry({
      subject: MARK,
      message: `It is ${MARK}.`,
      name: MARK,
      email,
      attachments: [one],
    });
  const polled = await openPollingShop(anyone);
  const query = { note: MARK, waiting: WAITING };
  await leaver.purchaseListing({ listingId: polled.listingId, query });
  await polled.close();
  expect(polled.whileWaiting).toEqual([[]]);
  expect(placesOf(WAITING)).toEqual(['purchases.query']);
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
  const before = placesOf(MARK);
  expect(before.length).toBeGreaterThan(10);
  expect(before.filter((name) => name.includes('blobs'))).toHaveLength(attachments.length);
  expect(before).toContain('agents.callback_url');
  expect(callback.received.length).toBeGreaterThan(1);

  await leaver.requestErasure({});
  await place.advanceClock(7 * DAY_MS + 60_000);
  await minutes();
  expect(await leaver.getOwnAgent().catch((error: { code?: string }) => error.code)).toBe('invalid_api_key');
  // What was paid for without an account is nobody's to erase: it is sealed, and goes by the clock.
  expect(placesOf(MARK)).toEqual([]);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.filter((line) => line.includes(MARK))).toEqual([]);
}, 180_000);
