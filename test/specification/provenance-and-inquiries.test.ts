import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, type Json, sha256 } from './client.ts';
import { type Marketplace, startMarketplace } from './marketplace.ts';

let market: Marketplace;
let client: Client;

beforeAll(() => {
  market = startMarketplace();
  ({ client } = market);
});

describe('Provenance', () => {
  it('is in refusals and unknown paths too', async () => {
    expect((await client.get('/nowhere')).status).toBe(404);
    expect((await client.get('/marketplace/listings/x')).status).toBeGreaterThanOrEqual(400);
  });

  it('is in every answer of JSON-RPC: results, lists, errors and what is no message', async () => {
    const clientInfo = { name: 'c', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    for (const [method, params] of [
      ['initialize', hello],
      ['tools/list'],
      ['ping'],
      ['tools/call', { name: 'list_verticals', arguments: {} }],
      ['tools/call', { name: 'preview_listing', arguments: { listing_id: 'x' } }],
      ['tools/call', { name: 'no_such_tool', arguments: {} }],
      ['no/such/method'],
    ] as const) {
      await client.rpc(method, params);
    }
    const batch = await client.raw('POST', '/mcp', [{ jsonrpc: '2.0', id: 1, method: 'ping' }, 7]);
    expect([batch.status, batch.body.length]).toEqual([200, 2]);
    for (const answer of batch.body) await client.checkRpcProvenance(answer);
    for (const invalid of [[], {}, 7]) {
      const { status, body } = await client.raw('POST', '/mcp', invalid);
      expect([status, body.error.code]).toEqual([400, -32600]);
      await client.checkRpcProvenance(body);
    }
  });

  it('POST /verify-receipt confirms what was answered', async () => {
    const { body } = await client.get('/meta');
    const { provenance, ...payload } = body;
    const { status, body: verdict } = await client.post('/verify-receipt', {
      receipt: provenance.receipt,
      payload,
    });
    expect([status, verdict.valid, verdict.signatureValid, verdict.digestValid]).toEqual([
      200,
      true,
      true,
      true,
    ]);
    const bare = await client.post('/verify-receipt', { receipt: provenance.receipt, payload: undefined });
    expect([bare.body.valid, bare.body.digestValid]).toEqual([true, null]);
  });

  it('signedAt is never earlier than what it signs', async () => {
    const seller = (await client.post('/sell/register', { name: 'Slow' })).body;
    const slow = { api_key: seller.apiKey, callbackUrl: 'https://slow.example.com/hook' };
    expect((await client.post('/sell/callback', slow)).status).toBe(200);
    const { body } = await client.post('/marketplace/listings', {
      api_key: seller.apiKey,
      title: 'Slow data',
      description: 'Takes seconds.',
      preview: {},
      price_cents: 0,
      consent: true,
    });
    const { script } = market.market.sellerEndpoint;
    market.market.sellerEndpoint.script = (request) => {
      market.market.clock.advance(7000);
      return script(request);
    };
    const bought = await client.post(`/marketplace/listings/${body.listing.id}/purchase`, {});
    const { deliveredAt, receipt, provenance } = bought.body;
    for (const time of [deliveredAt, receipt.signedAt])
      expect(provenance.receipt.signedAt >= time).toBe(true);
  });
});

describe('POST /inquiries', () => {
  const file = (contentType: string, bytes: Buffer, contentBase64 = bytes.toString('base64')) => ({
    filename: 'a.bin',
    contentType,
    contentBase64,
  });
  const [bytes, raw] = [Buffer.from('{"a":'), Buffer.from([0, 255, 254])];
  const cases: [string, Json, Buffer][] = [
    ['JSON that is none', file('application/json', bytes), bytes],
    ['a picture that is none', file('image/png', raw), raw],
    ['text that is none', file('text/plain', raw), raw],
    ['a type that nobody knows', file('application/x-anything', raw), raw],
    ['nothing', file('text/plain', Buffer.alloc(0)), Buffer.alloc(0)],
    ['base64 without padding', file('text/plain', bytes, 'eyJhIjo'), bytes],
    ['base64 in lines', file('text/plain', raw, 'AP/\r\n+'), raw],
    ['base64url', file('text/plain', raw, 'AP_-'), raw],
  ];

  it.each(cases)('takes %s as an attachment, and serves it by its digest', async (_, attachment, content) => {
    const { status, body, text } = await client.post('/inquiries', {
      subject: 'A question',
      message: 'See the attachment.',
      name: null,
      email: null,
      category: null,
      attachments: [attachment],
    });
    expect(status, text).toBe(201);
    const [recorded] = body.attachments;
    expect([`sha256:${recorded.sha256}`, recorded.sizeBytes]).toEqual([sha256(content), content.length]);
    const served = await client.bytes(recorded.url);
    expect([served.status, sha256(served.bytes)]).toEqual([200, sha256(content)]);
    expect(served.headers.get('x-content-sha256')).toBe(recorded.sha256);
    expect(served.headers.get('etag')).toBeTruthy();
    const known = ['application/json', 'image/png', 'text/plain'];
    const type = known.includes(attachment.contentType) ? attachment.contentType : 'application/octet-stream';
    expect(served.headers.get('content-type')?.split(';', 1)).toEqual([type]);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(served.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it('each of two attachments has its own bytes at its own address', async () => {
    const contents = ['one', 'another'].map((text) => Buffer.from(text));
    const { body } = await client.post('/inquiries', {
      subject: 'A question',
      message: 'See both.',
      attachments: contents.map((content) => file('text/plain', content)),
    });
    const served: string[] = [];
    for (const { url } of body.attachments) served.push((await client.bytes(url)).bytes.toString());
    expect(served).toEqual(['one', 'another']);
    expect(body.attachments.map((one: Json) => `sha256:${one.sha256}`)).toEqual(contents.map(sha256));
  });

  it('opens a thread that its id reads', async () => {
    const { body } = await client.post('/inquiries', { subject: 'Hello', message: 'A question.' });
    const id = body.inquiry?.id ?? body.id;
    const thread = await client.get(`/inquiries/${id}/thread`);
    expect([thread.status, thread.body.thread.status]).toEqual([200, 'open']);
  });
});
