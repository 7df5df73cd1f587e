import { MAX_OPEN_DEPTH } from '@agent-marketplace/core/kernel/json/json-schema.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { HEALTH_LISTING } from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import { inputParts } from '@agent-marketplace/core/testing/fixtures/input-parts.ts';
import { LISTING_BODY } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { tabClientOf } from '@agent-marketplace/core/testing/fixtures/tabs.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { MAX_JSON_DEPTH, MAX_WRITTEN_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { beforeAll, describe, expect, it } from 'vitest';

// What is taken in can be told again, wherever it is shown: objects of any shape are nested only so deep that every
// answer with them in it can be written, signed, and sent back to be verified.

const x402 = createQueryMarketplace();
const { market, sales } = x402;
const tabs = tabClientOf(x402);
market.sellerEndpoint.script = sellerOf({ answer: 42 });

type Value = Record<string, unknown>;
/** `{}` has depth 1. */
const nested = (depth: number): Value => (depth === 1 ? {} : { deeper: nested(depth - 1) });

let seller: RegisteredAgent;
let buyer: RegisteredAgent;
beforeAll(async () => {
  seller = await sales.seller();
  buyer = await sales.newAgent();
  await sales.fund(buyer, 50_000);
});

interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  readonly body: any;
}

async function ask(method: string, path: string, as: RegisteredAgent | null, body?: Value): Promise<Answer> {
  const options = { ...(body ? { body } : {}), ...(as ? { apiKey: as.apiKey } : {}) };
  const response = await market.request(method, path, options);
  const signed = await readSigned(response);
  expect(signed.body.code, signed.text).not.toBe('internal_error');
  // Whatever was signed here can be checked here.
  if (path !== '/verify-receipt') await expectVerified(signed);
  return { status: response.status, text: signed.text, body: signed.body };
}

async function expectVerified({ body: payload, receipt }: Awaited<ReturnType<typeof readSigned>>) {
  const { status, body } = await ask('POST', '/verify-receipt', null, { receipt, payload });
  expect([status, body.valid]).toEqual([200, true]);
}

type Read = readonly [path: string, as?: RegisteredAgent];

const listingReads = async (id: string): Promise<Read[]> => {
  await market.background.settled();
  // Discovery and browsing are answered again from memory for a while.
  market.clock.advance(60_000);
  return [
    [`/marketplace/listings/${id}`],
    [`/marketplace/listings/${id}/history`],
    ['/marketplace/listings?limit=100'],
    ['/health-data/listings?limit=100'],
    ['/x402/discovery/resources?limit=100'],
    [`/x402/listings/${id}/query`],
    ['/sell/me', seller],
  ];
};
const madeReads = async ({ body }: Answer) => listingReads(body.listing.id);
const purchaseReads = async ({ body }: Answer): Promise<Read[]> => [
  [`/marketplace/purchases/${body.id}`, buyer],
  [`/marketplace/purchases/${body.id}?content=omit`, buyer],
  ['/sell/me', seller],
];

const create = (fields: Value) =>
  ask('POST', '/marketplace/listings', seller, { ...LISTING_BODY, ...fields });
const createHealth = (fields: Value) =>
  ask('POST', '/health-data/listings', seller, { ...HEALTH_LISTING, ...fields });
const verify = (fields: Value) => ask('POST', '/verify-receipt', null, fields);
const RECEIPT = { digest: 'sha256:x', keyId: 'x', signature: 'x', signedAt: 'x' };
const NOTHING = async (): Promise<Read[]> => [];

interface Open {
  readonly deepest: number;
  /** Sends the object in an otherwise good request. */
  write(value: Value): Promise<Answer>;
  /** Everything that shows it. */
  reads(written: Answer): Promise<Read[]>;
}

/** The open objects of all operations, by their paths. */
const OPEN: Readonly<Record<string, Open>> = {
  'createListing.preview': made((preview) => create({ priceCents: 100, preview })),
  'createListing.inputSchema': made(
    (value) => create({ priceCents: 100, inputSchema: { default: value } }),
    1,
  ),
  'createListing.outputSchema': made(
    (value) => create({ priceCents: 100, outputSchema: { default: value } }),
    1,
  ),
  'createListing.exampleQuery': made((exampleQuery) => create({ priceCents: 100, exampleQuery })),
  'updateListing.preview': {
    deepest: MAX_OPEN_DEPTH,
    async write(preview) {
      const { id } = await sales.listing({ priceCents: 100 }, seller);
      const changed = await ask('PATCH', `/marketplace/listings/${id}`, seller, { preview });
      return { ...changed, body: { ...changed.body, id } };
    },
    reads: ({ body }) => listingReads(body.id),
  },
  'listHealthData.preview': made((preview) => createHealth({ preview })),
  'listHealthData.demographics': made((demographics) => createHealth({ demographics })),
  'purchaseListing.query': {
    deepest: MAX_OPEN_DEPTH,
    async write(query) {
      const { id } = await sales.listing({ priceCents: 100 }, seller);
      const body = { query, payment_method: 'wallet' };
      return ask('POST', `/marketplace/listings/${id}/purchase`, buyer, body);
    },
    reads: purchaseReads,
  },
  'makeOffer.query': {
    deepest: MAX_OPEN_DEPTH,
    async write(query) {
      const { id } = await sales.listing({ priceCents: 5000, listingType: 'exclusive' }, seller);
      return ask('POST', `/marketplace/listings/${id}/offers`, buyer, { amountCents: 100, query });
    },
    async reads({ body }) {
      await ask('GET', '/sell/me', seller);
      const { body: accepted } = await ask('POST', `/sell/offers/${body.id}/accept`, seller, {});
      const path = `/marketplace/offers/${body.id}`;
      return [
        [path, buyer],
        [path, seller],
        [`/marketplace/purchases/${accepted.purchaseId}`, buyer],
      ];
    },
  },
  'answerDelivery.data': {
    deepest: MAX_JSON_DEPTH - 1,
    async write(data) {
      const polling = await pollingSeller();
      const { id } = await sales.listing({ priceCents: 0 }, polling);
      const buying = ask('POST', `/marketplace/listings/${id}/purchase`, buyer, {});
      let waiting: { id: string }[] = [];
      while (waiting.length === 0) waiting = (await ask('GET', '/sell/deliveries', polling)).body.deliveries;
      const path = `/sell/deliveries/${waiting[0]?.id}`;
      const answered = await ask('POST', path, polling, { data });
      if (answered.status !== 200) {
        await ask('POST', path, polling, { available: false });
        await buying;
        return answered;
      }
      const bought = await buying;
      expect([bought.status, bought.body.content]).toEqual([200, data]);
      return bought;
    },
    reads: async () => [['/sell/me', seller]],
  },
  'verifyReceipt.receipt': {
    deepest: MAX_WRITTEN_DEPTH,
    write: ({ deeper = {} }) => verify({ receipt: { ...RECEIPT, deeper } }),
    reads: NOTHING,
  },
  'verifyReceipt.payload': {
    deepest: MAX_WRITTEN_DEPTH,
    write: (payload) => verify({ receipt: RECEIPT, payload }),
    reads: NOTHING,
  },
  'challengePayer.parameters': {
    deepest: MAX_OPEN_DEPTH,
    write: (parameters) =>
      ask('POST', '/marketplace/purchases/payer-challenge', null, {
        listingId: '00000000-0000-4000-8000-00000000abcd',
        parameters,
        payer: `0x${'1'.repeat(40)}`,
        paymentNonce: `0x${'2'.repeat(64)}`,
      }),
    reads: NOTHING,
  },
  'queryListing.parameters': {
    deepest: MAX_OPEN_DEPTH,
    async write({ deeper = {} }) {
      const inputSchema = { type: 'object', properties: { filter: { type: 'object' } } };
      const { id } = await sales.listing({ priceCents: 100, inputSchema }, seller);
      const parameters = `?filter=${encodeURIComponent(JSON.stringify(deeper))}`;
      const headers = await x402.pay(x402.newPayer(), id, 2, { parameters });
      const response = await market.request('GET', `/x402/listings/${id}/query${parameters}`, { headers });
      const signed = await readSigned(response);
      await expectVerified(signed);
      return { status: response.status, text: signed.text, body: signed.body };
    },
    reads: async () => [['/sell/me', seller]],
  },
  'queryListingWithBody.query': {
    deepest: MAX_OPEN_DEPTH,
    async write(query) {
      // A free one: of a query that cannot be read, no terms are told that could be paid.
      const { id } = await sales.listing({ priceCents: 0 }, seller);
      const response = await market.request('POST', `/x402/listings/${id}/query`, { body: { query } });
      const signed = await readSigned(response);
      await expectVerified(signed);
      return { status: response.status, text: signed.text, body: signed.body };
    },
    reads: async () => [['/sell/me', seller]],
  },
  'queryTab.query': {
    deepest: MAX_OPEN_DEPTH,
    async write(query) {
      const { id } = await sales.listing({ priceCents: 1, priceMicros: 500 }, seller);
      const payer = x402.newPayer();
      const opened = await tabs.open(id, 10, await tabs.payFor(payer, id, 10));
      const { tabId } = opened.body;
      const body = await tabs
        .voucherOf(payer, tabId, { sequence: 1, ceilingMicros: 500 }, query as JsonObject)
        // What has no canonical form has no digest that could be signed.
        .catch(() => ({ sequence: 1, ceilingMicros: 500, query, signature: '0x00' }));
      const response = await market.request('POST', `/x402/tabs/${tabId}/queries`, { body });
      const signed = await readSigned(response);
      await expectVerified(signed);
      return { status: response.status, text: signed.text, body: signed.body };
    },
    reads: async () => [['/sell/me', seller]],
  },
};

function made(write: Open['write'], wrapped = 0): Open {
  return { deepest: MAX_OPEN_DEPTH - wrapped, write, reads: madeReads };
}

async function pollingSeller(): Promise<RegisteredAgent> {
  const agent = await sales.seller();
  const sql = "UPDATE delivery_endpoints SET callback_type = 'polling' WHERE seller_id = ?";
  await market.newPorts().market.commit([{ sql, params: [agent.id] }]);
  return agent;
}

/** Whose members may be of any shape; a map of texts is not nested. */
const isOpen = ({ path, schema }: ReturnType<typeof inputParts>[number]) =>
  path.length === 1 &&
  (schema.additionalProperties === true ||
    ((schema.type === undefined || schema.type === 'object') &&
      schema.additionalProperties === undefined &&
      schema.enum === undefined &&
      schema.const === undefined) ||
    (typeof schema.additionalProperties === 'object' &&
      Object.keys(schema.additionalProperties).length === 0));

describe('an object of any shape', () => {
  const namesOf = (operation: AnyOperation) =>
    inputParts(operation)
      .filter(isOpen)
      .map(({ path }) => `${operation.name}.${path[0]}`);

  it('is tried below, wherever one is taken', () => {
    // The query string is a map of texts, in which JSON may be.
    const named = Object.keys(OPEN).filter((name) => name !== 'queryListing.parameters');
    expect([...new Set(documentedOperations.flatMap(namesOf))].sort()).toEqual(named.sort());
  });

  it.each(Object.entries(OPEN))('%s: as deep as it may be, is told wherever it is shown', async (_, open) => {
    const written = await open.write(nested(open.deepest));
    expect(written.status, written.text).toBeLessThan(300);
    for (const [path, as] of await open.reads(written)) {
      const { status, text } = await ask('GET', path, as ?? null);
      expect([200, 402, 409], `${path}: ${text}`).toContain(status);
    }
  });

  it.each(Object.entries(OPEN))('%s: deeper is refused', async (name, { deepest, write }) => {
    for (const depth of [deepest + 1, MAX_JSON_DEPTH, MAX_WRITTEN_DEPTH + 2]) {
      if (depth <= deepest) continue;
      const { status, body, text } = await write(nested(depth));
      expect(status, text).toBe(400);
      if (deepest >= MAX_OPEN_DEPTH - 1 && deepest <= MAX_OPEN_DEPTH && depth < MAX_JSON_DEPTH) {
        const [, field = ''] = name.split('.');
        const path = name === 'queryListing.parameters' ? 'filter' : field;
        expect(body.errors, text).toContainEqual({ message: expect.stringContaining('32 levels'), path });
      }
    }
  });
});

describe('what is stored already, deeper than what is taken now', () => {
  const DEEP = JSON.stringify(nested(MAX_JSON_DEPTH - 1));
  const store = (sql: string, ...params: string[]) => market.newPorts().market.commit([{ sql, params }]);

  it('of a listing: is told, listed, discovered, sold and changed', async () => {
    const { id } = await sales.listing({ priceCents: 100 }, seller);
    await store(
      'UPDATE listings SET preview = ?, input_schema = ?, output_schema = ?, example_query = ?, demographics = ? WHERE id = ?',
      ...[DEEP, DEEP, DEEP, DEEP, DEEP, id],
    );
    for (const [path, as] of await listingReads(id)) {
      const { status, text } = await ask('GET', path, as ?? null);
      expect([200, 402], `${path}: ${text}`).toContain(status);
    }
    const { status, text } = await x402.query(id, await x402.pay(x402.newPayer(), id, 2));
    expect(status, text).toBe(200);
    const changed = await ask('PATCH', `/marketplace/listings/${id}`, seller, { preview: { shallow: true } });
    expect(changed.status, changed.text).toBe(200);
    for (const [path, as] of await listingReads(id)) await ask('GET', path, as ?? null);
  });

  it('of an offer: is told to both, accepted and delivered', async () => {
    const { id } = await sales.listing({ priceCents: 5000, listingType: 'exclusive' }, seller);
    const body = { amountCents: 100, query: { q: 1 } };
    const made = await ask('POST', `/marketplace/listings/${id}/offers`, buyer, body);
    await store('UPDATE offers SET query = ? WHERE id = ?', DEEP, made.body.id);
    expect((await ask('GET', '/sell/me', seller)).status).toBe(200);
    expect((await ask('GET', `/marketplace/offers/${made.body.id}`, buyer)).status).toBe(200);
    const { body: accepted } = await ask('POST', `/sell/offers/${made.body.id}/accept`, seller, {});
    const { status } = await ask('GET', `/marketplace/purchases/${accepted.purchaseId}`, buyer);
    expect(status).toBe(200);
  });

  it('of a purchase over x402, which had no end: is left out of it', async () => {
    const { id } = await sales.listing({ priceCents: 0 }, seller);
    const { body } = await ask('POST', `/marketplace/listings/${id}/purchase`, buyer, {});
    await store('UPDATE purchases SET query = ? WHERE id = ?', JSON.stringify(nested(900)), body.id);
    const read = await ask('GET', `/marketplace/purchases/${body.id}`, buyer);
    expect([read.status, read.body.query]).toEqual([200, null]);
  });
});
