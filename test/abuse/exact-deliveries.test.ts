import { createFakePollingMailbox } from '@agent-marketplace/core/testing/doubles/fake-polling-mailbox.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// What is sold is what was sent: a deliverable is never altered in silence, and keeps the form that its listing promises.

const x402 = createQueryMarketplace({ pollingMailbox: createFakePollingMailbox() });
const { sales, market } = x402;
const JSON_BODY = { 'content-type': 'application/json' };
const INEXACT = '9007199254740993';

beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});
afterEach(async () => {
  await x402.heal();
  await sales.audit();
});

type Transport = 'webhook' | 'mcp';

/** Answers with this JSON text as `data`, over either transport. */
function sendData(data: string): void {
  market.sellerEndpoint.script = ({ body }) => {
    const message = JSON.parse(body) as { type?: string; method?: string; nonce?: string; id?: number };
    if (message.type === 'verification_challenge') return replied({ nonce: message.nonce });
    if (message.method === undefined) return replied(`{"data":${data}}`);
    const result =
      message.method === 'tools/call'
        ? `{"content":[],"structuredContent":{"data":${data}}}`
        : '{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}';
    return replied(`{"jsonrpc":"2.0","id":${message.id ?? 0},"result":${result}}`, 200, JSON_BODY);
  };
}

async function listingOver(transport: Transport | 'polling', fields: object) {
  const listing = await sales.listing({ ...fields });
  await sales.rows(
    'UPDATE delivery_endpoints SET callback_type = ? WHERE seller_id = ?',
    transport,
    listing.seller.id,
  );
  return listing;
}

const RAILS = ['free', 'wallet', 'card', 'x402'] as const;

/** Buys once on a rail, and says what came of it and what it cost. */
async function buyOn(rail: (typeof RAILS)[number], transport: Transport, fields: object = {}) {
  const { id } = await listingOver(transport, { priceCents: rail === 'free' ? 0 : 1000, ...fields });
  if (rail === 'x402') {
    const headers = await x402.pay(x402.newPayer(), id, 2);
    const { status, body } = await x402.query(id, headers);
    return { id, status, body, taken: (await x402.money(id)).captured };
  }
  const buyer = await sales.newAgent();
  if (rail === 'wallet') await sales.fund(buyer, 1000);
  if (rail === 'card') await sales.saveCard(buyer, 'available_at_once');
  const body = rail === 'free' ? {} : { payment_method: rail };
  const answer = await sales.buy(id, buyer, { body });
  return { id, status: answer.status, body: answer.body, taken: (await x402.money(id)).captured };
}

const OUTPUT = { type: 'object', required: ['celsius'], properties: { celsius: { type: 'number' } } };
const WAYS = RAILS.flatMap((rail) => (['webhook', 'mcp'] as const).map((transport) => ({ rail, transport })));

describe.each(WAYS)('a delivery by $transport, paid by $rail', ({ rail, transport }) => {
  it.each([
    ['an integer that no double holds', `{"celsius":${INEXACT}}`, {}, 'delivery_invalid'],
    ['a number that overflows', '{"celsius":1e400}', {}, 'delivery_invalid'],
    ['data that breaks its outputSchema', '{"celsius":"warm"}', { outputSchema: OUTPUT }, 'delivery_invalid'],
    ['more values than are taken', `{"a":[${'0,'.repeat(200_000)}0]}`, {}, 'delivery_too_large'],
  ])('%s: is not sold', async (_, data, fields, code) => {
    sendData(data);
    const { id, status, body, taken } = await buyOn(rail, transport, fields);
    expect([status, body.code, body.charged]).toEqual([502, code, false]);
    expect(taken).toBe(0);
    expect(await sales.sold(id)).toBe(0);
  });

  it('what fits is sold, and the receipt names the schema', async () => {
    sendData('{"celsius":1.0000000000000000001,"text":"9007199254740993"}');
    const { status, body } = await buyOn(rail, transport, { outputSchema: OUTPUT });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.content).toEqual({ celsius: 1, text: INEXACT });
    expect(body.receipt?.statement.outputSchemaDigest).toBe(await canonicalDigest(OUTPUT));
  });
});

it('where a listing has no outputSchema, the receipt says so', async () => {
  sendData('{"celsius":1}');
  const { body } = await buyOn('wallet', 'webhook');
  expect(body.receipt?.statement.outputSchemaDigest).toBeNull();
});

it('a digest that the seller claims need not be in the schema', async () => {
  const data = { celsius: 1 };
  sendData(JSON.stringify({ ...data, __sha256: await canonicalDigest(data) }));
  const { status } = await buyOn('free', 'webhook', {
    outputSchema: { ...OUTPUT, additionalProperties: false },
  });
  expect(status).toBe(200);
});

describe('a seller that polls', () => {
  it('is told of a number that cannot be kept, and of too many values, and may answer again', async () => {
    const { id, seller } = await listingOver('polling', { priceCents: 0 });
    const bought = sales.buy(id, null);
    const waiting = async () => {
      const read = await readSigned(
        await market.request('GET', '/sell/deliveries', { apiKey: seller.apiKey }),
      );
      return (read.body as unknown as { deliveries: { id: string }[] }).deliveries[0]?.id;
    };
    await expect.poll(waiting).toBeDefined();
    const path = `/sell/deliveries/${await waiting()}`;
    const answer = async (data: string) => {
      const sent = { apiKey: seller.apiKey, body: `{"data":${data}}`, headers: JSON_BODY };
      const response = await market.request('POST', path, sent);
      return { status: response.status, body: (await readSigned(response)).body };
    };
    expect(await answer(`{"rows":[1,${INEXACT}]}`)).toMatchObject({
      status: 400,
      body: { code: 'number_not_exact', errors: [{ path: 'data.rows.1' }] },
    });
    expect(await answer(`[${'0,'.repeat(200_000)}0]`)).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    // A double that RFC 8785 writes as an integer is a double all the same.
    expect((await answer('{"n":1.2345678901234568e20}')).status).toBe(200);
    expect((await bought).body).toMatchObject({ content: { n: 1.2345678901234568e20 } });
  });
});

describe('a number that cannot be kept, sent by others', () => {
  it('in a query: is refused with its place before anything is charged', async () => {
    const { id } = await sales.listing({ priceCents: 1000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const response = await market.request('POST', `/marketplace/listings/${id}/purchase`, {
      apiKey: buyer.apiKey,
      headers: JSON_BODY,
      body: `{"payment_method":"wallet","query":{"id":${INEXACT}}}`,
    });
    expect([response.status, (await readSigned(response)).body]).toMatchObject([
      400,
      { code: 'number_not_exact', errors: [{ path: 'query.id' }] },
    ]);
    expect(await sales.balanceOf(buyer)).toBe(1000);
    expect(await sales.purchases(id)).toEqual([]);
  });

  it.each(['preview', 'exampleQuery', 'inputSchema'])('in the %s of a listing', async (field) => {
    const { seller } = await sales.listing();
    const response = await market.request('POST', '/marketplace/listings', {
      apiKey: seller.apiKey,
      headers: JSON_BODY,
      body: `{"title":"A","description":"B","preview":{},"priceCents":0,"consent":true,"${field}":{"n":${INEXACT}}}`.replace(
        '"preview":{},',
        field === 'preview' ? '' : '"preview":{},',
      ),
    });
    expect([response.status, (await readSigned(response)).body]).toMatchObject([
      400,
      { code: 'number_not_exact' },
    ]);
  });

  it('in an argument of an MCP tool', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    const response = await createMcpFace(market).post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy_data","arguments":{"listing_id":"${id}","query":{"id":${INEXACT}}}}}`,
    );
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('number_not_exact');
    expect(await sales.purchases(id)).toEqual([]);
  });

  it.each([
    ['integer', INEXACT],
    ['number', '1e400'],
    ['object', `{"n":${INEXACT}}`],
    ['array', INEXACT],
  ])('in a parameter of x402 of type %s', async (type, text) => {
    const inputSchema = { type: 'object', properties: { a: { type, items: { type: 'integer' } } } };
    const parameters = `?${new URLSearchParams({ a: text })}`;
    const free = await sales.listing({ priceCents: 0, inputSchema });
    const unpaid = await x402.query(free.id, {}, parameters);
    expect([unpaid.status, unpaid.body]).toMatchObject([
      400,
      { code: 'number_not_exact', errors: [{ path: 'a' }] },
    ]);
    const { id } = await sales.listing({ priceCents: 250, inputSchema });
    const paid = await x402.query(id, await x402.pay(x402.newPayer(), id, 2, { parameters }), parameters);
    expect([paid.status, paid.body.code, paid.body.charged]).toEqual([400, 'number_not_exact', false]);
    expect((await x402.money(id)).captured).toBe(0);
  });

  it('is taken where the listing takes text', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const { id } = await sales.listing({ priceCents: 0, inputSchema });
    expect((await x402.query(id, {}, `?a=${INEXACT}`)).body.query).toEqual({ a: INEXACT });
  });
});
