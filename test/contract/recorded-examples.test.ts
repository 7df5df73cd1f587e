import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { tabClientOf } from '@agent-marketplace/core/testing/fixtures/tabs.ts';
import {
  createQueryMarketplace,
  type QueryMarketplace,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_SIGNING_KEY } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import {
  type OperationExample,
  operationExamples,
} from '@agent-marketplace/core/transport/openapi/examples.ts';
import { wireFields } from '@agent-marketplace/core/transport/openapi/fields.ts';
import { inputSchema } from '@agent-marketplace/core/transport/openapi/json-schema.ts';
import {
  closeTab,
  getTab,
  listX402Resources,
  openTab,
  queryListing,
  queryListingWithBody,
  queryTab,
  searchX402Resources,
} from '@agent-marketplace/core/x402/index.ts';
import { printJson } from '@agent-marketplace/devkit/generate/print-json.ts';
import { provenanceOf, serialise } from '@agent-marketplace/protocol/crypto/seal.ts';
import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  keySetOf,
  verifyAdmission,
  verifyListingHistory,
  verifyResponse,
  verifyStatement,
} from '@agent-marketplace/sdk';
import { expect, it, vi } from 'vitest';
import { createRecordedDoor } from '../ingress/recorded-door.ts';
import { send } from './requests.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// The examples of the OpenAPI documents are exchanges with a marketplace. `RECORD=1 vitest run --project node
// test/contract/recorded-examples.test.ts` records them anew, and `pnpm generate` puts them into the documents, where
// `check:openapi` compares each with its schema.

const FILE = join(import.meta.dirname, '../../packages/core/src/transport/openapi/examples.json');

/** What a schema alone tells is `x`; a reader of an example wants to see what is meant. */
const READABLE: Readonly<Record<string, string>> = {
  name: 'Tide watcher',
  reason: 'Not what was described.',
  text: 'Is the table of Brest in UTC?',
  message: 'Is the table of Brest in UTC?',
  idea: 'A vertical for tide gauges.',
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
};

/** Where the contract suite's own request would show less: a purchase that costs something. */
const INSTEAD: Readonly<Record<string, (world: World) => Promise<Record<string, unknown>>>> = {
  purchaseListing: async (world) => ({
    listingId: await world.newListing({ priceCents: 250, title: 'Tide tables of Saint-Malo' }),
    maxPriceCents: 250,
    paymentMethod: 'wallet',
  }),
  getPurchase: async (world) => ({
    purchaseId: (await world.newSale({ title: 'Tide tables of Roscoff' })).purchaseId,
  }),
};

/** Nothing is left out of these: the door signs the digest of the first, and the second has five counts by its schema. */
const WHOLE = ['getIngressSchedule', 'listRatings'];

const BASE_URL = 'https://marketplace.example/api';

it.runIf(process.env.RECORD === '1')(
  'are recorded',
  async () => {
    // What is random stays as it was, so that a diff shows what changed; in letters, of which titles are made.
    let count = 0;
    const letters = () =>
      (++count)
        .toString(6)
        .padStart(8, '0')
        .replaceAll(/./g, (digit) => 'abcdef'[Number(digit)] ?? '');
    vi.spyOn(crypto, 'randomUUID').mockImplementation(() => `${letters()}-0000-4000-9000-000000000000`);
    const world = await createWorld();
    const recorded: Record<string, OperationExample> = {};
    for (const operation of apiOperations) recorded[operation.name] = await recordOfApi(world, operation);
    for (const operation of ingressOperations)
      recorded[operation.name] = await recordOfDoor(world, operation);
    Object.assign(recorded, await recordOfQueries());
    writeFileSync(FILE, `${printJson(recorded)}\n`);
  },
  300_000,
);

it('are there for every operation', () => {
  const expected = documentedOperations.map(({ name }) => name).sort();
  expect(Object.keys(operationExamples).sort(), 'record them anew: see above').toEqual(expected);
});

it('verify with the keys that are examples themselves', async () => {
  const exampleOf = (name: string) => operationExamples[name]?.answer;
  const keys = keySetOf(exampleOf('getSigningKey'));
  for (const { name, file } of documentedOperations) {
    if (file !== undefined) continue;
    expect(await verifyResponse(exampleOf(name) ?? {}, keys), name).toMatchObject({ valid: true });
  }
  const doorKeys = keySetOf(exampleOf('getIngressKeys'));
  const admission = await verifyAdmission(exampleOf('admit'), doorKeys, exampleOf('getIngressSchedule'));
  expect(admission).toMatchObject({ valid: true, type: 'ADMIT' });
});

it('hold no statement whose signature does not verify', async () => {
  const keys = keySetOf(operationExamples.getSigningKey?.answer);
  const invalid: string[] = [];
  let found = 0;
  for (const [name, { answer }] of Object.entries(operationExamples))
    for (const { at, statement } of statementsIn(answer as JsonObject, name)) {
      found += 1;
      const verdict = await verifyStatement(
        statement,
        keys,
        String((statement.statement as JsonObject).type),
      );
      if (!verdict.valid) invalid.push(`${at}: ${verdict.reason}`);
    }
  expect(invalid).toEqual([]);
  expect(found).toBeGreaterThan(10);
  const { listingId, entries } = operationExamples.getListingHistory?.answer ?? {};
  expect(await verifyListingHistory(String(listingId), entries as Json[], keys)).toMatchObject({
    valid: true,
  });
});

/** Every signed statement inside an answer, and where it is. */
function statementsIn(value: Json, at: string): { at: string; statement: JsonObject }[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.entries(value).flatMap(([member, one]) => statementsIn(one, `${at}.${member}`));
  if (Array.isArray(value) || !('statement' in value) || !('signature' in value)) return within;
  const { alg, digest, keyId, signature, signedAt, statement, verify } = value as JsonObject;
  const signed = { alg, digest, keyId, signature, signedAt, statement, verify } as JsonObject;
  return [{ at, statement: signed }, ...within];
}

it('hold no secret, and are short', () => {
  for (const [name, example] of Object.entries(operationExamples)) {
    const text = JSON.stringify(example);
    expect(text.match(SECRETS)?.filter((found) => !found.endsWith('example')) ?? [], name).toEqual([]);
    expect(text, name).not.toContain('localhost');
    expect(text.length, name).toBeLessThan(12_000);
  }
});

const SECRETS = /mkt_(?:live|op)_\w+/g;

/** What was sent, by the operation's own field names, and the answer as it came. */
interface Exchange {
  readonly input: Readonly<Record<string, unknown>>;
  readonly response: Response;
  readonly now: number;
}

async function recordOfApi(world: World, operation: AnyOperation): Promise<OperationExample> {
  const good = await goodRequest(world, operation);
  const readable = Object.entries(good.input).map(([field, value]) => [
    field,
    typeof value === 'string' && /^x+$/.test(value) ? (READABLE[field] ?? value) : value,
  ]);
  const input = { ...Object.fromEntries(readable), ...(await INSTEAD[operation.name]?.(world)) } as Record<
    string,
    unknown
  >;
  const response = await send(world.market, operation, { ...good, input });
  return exampleOf(operation, { input, response, now: world.market.clock.now() });
}

async function recordOfDoor({ market }: World, operation: AnyOperation): Promise<OperationExample> {
  const door = createRecordedDoor(market.clock, BASE_URL);
  const inputs: Readonly<Record<string, object>> = {
    admit: await door.admission(),
    heartbeat: { sessionId: door.sessionId },
    getOccupancy: { class: 'COMMERCE' },
  };
  const input = { ...inputs[operation.name] };
  const response = await send(door, operation, { input });
  return exampleOf(operation, { input, response, now: market.clock.now() });
}

async function recordOfQueries(): Promise<Record<string, OperationExample>> {
  const x402 = createQueryMarketplace();
  x402.market.sellerEndpoint.script = sellerOf({ city: 'Brest', highWater: '04:12' });
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const { id } = await x402.sales.listing({ priceCents: 5, inputSchema, exampleQuery: { city: 'Brest' } });
  const query = { city: 'Brest' };
  const path = `/x402/listings/${id}/query`;
  const paid = await x402.pay(x402.newPayer(), id, 2, { parameters: '?city=Brest' });
  const response = await x402.market.request('GET', `${path}?city=Brest`, { headers: paid });
  const paidInBody = await x402.pay(x402.newPayer(), id, 2, { parameters: query });
  const responseToBody = await x402.market.request('POST', path, { headers: paidInBody, body: { query } });
  const signatureOf = (headers: typeof paid) =>
    btoa(atob(headers['PAYMENT-SIGNATURE'] ?? '').replaceAll('http://localhost', new URL(BASE_URL).origin));
  const input = { listingId: id, parameters: query, paymentSignature: signatureOf(paid) };
  const now = x402.market.clock.now();
  // Later than a list may be kept.
  x402.market.clock.advance(60_000);
  const list = await send(x402.market, listX402Resources, { input: {} });
  return {
    queryListing: await exampleOf(queryListing, { input, response, now }),
    queryListingWithBody: await exampleOf(queryListingWithBody, {
      input: { listingId: id, query, paymentSignature: signatureOf(paidInBody) },
      response: responseToBody,
      now,
    }),
    listX402Resources: await exampleOf(listX402Resources, {
      input: {},
      response: list,
      now: x402.market.clock.now(),
    }),
    searchX402Resources: await exampleOf(searchX402Resources, {
      input: { query: 'tide' },
      response: await send(x402.market, searchX402Resources, { input: { query: 'tide' } }),
      now: x402.market.clock.now(),
    }),
    ...(await recordOfTabs(x402)),
  };
}

async function recordOfTabs(x402: QueryMarketplace): Promise<Record<string, OperationExample>> {
  const { market } = x402;
  const tabs = tabClientOf(x402);
  const payer = x402.newPayer();
  const { id } = await x402.sales.listing({ priceCents: 1, priceMicros: 500 });
  const headers = await tabs.payFor(payer, id, 100);
  const order = { listingId: id, amountCents: 100 };
  const opened = await market.request('POST', '/x402/tabs', { body: order, headers });
  const { tabId } = (await opened.clone().json()) as { tabId: string };
  const at = { now: market.clock.now() };
  const asked = await tabs.voucherOf(payer, tabId, { sequence: 1, ceilingMicros: 500 }, { city: 'Brest' });
  const closing = await tabs.closingOf(payer, tabId);
  const send = (path: string, body: object) =>
    market.request('POST', `/x402/tabs/${tabId}/${path}`, { body });
  const answered = await send('queries', asked);
  const seen = await market.request('GET', `/x402/tabs/${tabId}`);
  const closed = await send('close', closing);
  return {
    openTab: await exampleOf(openTab, {
      input: { ...order, payment: headers['X-PAYMENT'] },
      response: opened,
      ...at,
    }),
    queryTab: await exampleOf(queryTab, { input: { tabId, ...asked }, response: answered, ...at }),
    getTab: await exampleOf(getTab, { input: { tabId }, response: seen, ...at }),
    closeTab: await exampleOf(closeTab, { input: { tabId, ...closing }, response: closed, ...at }),
  };
}

async function exampleOf(
  operation: AnyOperation,
  { input, response, now }: Exchange,
): Promise<OperationExample> {
  const fields = wireFields(operation, inputSchema(operation, {}));
  const sent = Object.entries(input).flatMap(([name, value]) => {
    const field = fields.find((one) => one.field === name);
    return field && value !== undefined ? [{ ...field, value }] : [];
  });
  const at = (isInBody: boolean) =>
    Object.fromEntries(
      sent
        .filter((one) => (one.in === 'body') === isInBody)
        .map(({ wire, value }) => [wire, withoutSecrets(value as Json, wire)]),
    );
  const text = await response.text();
  expect([operation.name, response.status], text).toEqual([operation.name, operation.http.status]);
  return { parameters: at(false), body: at(true), answer: await answerOf(operation, response, text, now) };
}

async function answerOf(operation: AnyOperation, { headers }: Response, text: string, now: number) {
  if (operation.file === undefined) {
    const { provenance: _, ...body } = JSON.parse(text) as JsonObject;
    const clean = withoutSecrets(body, '');
    return signedAnew((WHOLE.includes(operation.name) ? clean : shortened(clean)) as JsonObject, now);
  }
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  return mediaType.startsWith('text/')
    ? { [mediaType]: withoutSecrets(text.split('\n').slice(0, LINES).join('\n'), '') }
    : {};
}

/** Of a file: its heading and what follows. */
const LINES = 4;

async function signedAnew(answer: JsonObject, now: number): Promise<JsonObject> {
  const { digest } = await serialise(answer);
  return { ...answer, provenance: await provenanceOf(digest, createSigner(TEST_SIGNING_KEY), now, BASE_URL) };
}

/** The first item of each list. */
function shortened(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

/** Keys, and what opens something by being known. */
function withoutSecrets(value: Json, name: string): Json {
  if (typeof value === 'string') {
    if (/(?:token|secret)$/i.test(name) && value.length > 8) return 'example-token';
    return value
      .replaceAll('http://localhost:9/', 'https://seller.example/')
      .replaceAll('http://localhost/', 'https://marketplace.example/')
      .replaceAll(/\blocalhost\b/g, 'marketplace.example')
      .replaceAll(SECRETS, (found) => `${found.slice(0, found.indexOf('_', 4))}_example`)
      .replaceAll(/(\/(?:claim|purchases|payout-changes|recover|enrol)\/)[\w-]{20,}/g, '$1example-token')
      .replaceAll(/([?#&](?:token|key)=)[\w.-]+/g, '$1example-token');
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, withoutSecrets(inner, member)]),
  );
}
