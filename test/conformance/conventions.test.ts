import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { openApiDocument } from '@agent-marketplace/core/transport/openapi/document.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, LISTING, type Party, SHA256, UUID } from './service.ts';

// Parts "Resources", "Authentication", "Errors" and "Versioning" of the specification.

/**
 * Not ours to choose, or not of a record: keys, chains, requests and sessions of the door, the card processor's own, and the
 * rows of the affiliated rail, which the specification prefixes with vps_.
 */
const OTHERS_IDS =
  / (?:keyId|chainId|requestId|sessionId|disputeId|paymentId)$|^\/(?:agents\/me\/passkeys|admin\/(?:affiliated-receipts|audit|chargebacks|operators|reconciliation|card-events|messages)|mktpay)/;

interface NamedSchema {
  readonly name: string;
  readonly schema: unknown;
}

/** Every member of a schema that is an id by its name. */
function idsIn(node: unknown): NamedSchema[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as { properties?: Record<string, unknown> };
  const own = Object.entries(properties ?? {})
    .filter(([name]) => /^id$|Id$/.test(name))
    .map(([name, schema]) => ({ name, schema }));
  const within = Object.entries(node).filter(([name]) => name !== 'affiliatedRail');
  return [...own, ...within.flatMap(([, part]) => idsIn(part))];
}

const service = createService();
let agent: Party;
beforeAll(async () => {
  agent = await service.register();
});

describe('Provenance receipt (in every response as provenance.receipt)', () => {
  const routes: ['GET' | 'POST' | 'PATCH', string, unknown][] = [
    ['GET', '/agents', undefined],
    ['GET', '/signing-key', undefined],
    ['GET', '/nothing-here', undefined],
    ['POST', '/agents/register', {}],
    ['POST', '/marketplace/listings', LISTING],
    ['PATCH', '/agents', {}],
  ];
  clause(
    'receipt.everywhere',
    'receipt.alg',
    'receipt.key-id',
    'receipt.signed-at',
    'receipt.digest',
    'receipt.signature',
    'receipt.verify',
    'receipt.message',
  );
  it.each(routes)('%s %s: alg, keyId, signedAt, digest, signature, verify', async (method, path, body) => {
    // What was answered before is no longer fresh.
    service.market.clock.advance(3_600_000);
    const send = { GET: service.get, POST: service.post, PATCH: service.patch }[method];
    const reply = await send(path, body as object);
    const { receipt } = reply.provenance as { receipt: Record<string, string> };
    expect(receipt).toMatchObject({ alg: 'ed25519', verify: 'POST /verify-receipt' });
    expect(receipt.signedAt).toBe(new Date(service.market.clock.now()).toISOString());
    expect(receipt.digest).toMatch(SHA256);
    expect(receipt.signature).toMatch(/^[\w-]{86}$/);
  });

  clause('service.provenance');
  it('descriptive attribution fields', async () => {
    const { provenance } = await service.get('/agents');
    const { brand, operator } = (await service.get('/meta')).body as {
      brand: { name: string };
      operator: string;
    };
    expect(provenance).toMatchObject({
      platform: brand.name,
      operator,
      docs: expect.stringMatching(/^http/),
    });
    expect([brand.name, operator].filter((name) => !/\w/.test(name))).toEqual([]);
  });

  clause('receipt.digest');
  it('can be checked with POST /verify-receipt and GET /signing-key', async () => {
    const { body, provenance } = await service.get('/agents');
    const { receipt } = provenance as { receipt: Record<string, string> };
    const checked = await service.post('/verify-receipt', { receipt, payload: body });
    expect(checked.body).toMatchObject({ valid: true, signatureValid: true, digestValid: true });
    expect((await service.get('/signing-key')).body.keyId).toBe(receipt.keyId);
  });
});

describe('Conventions', () => {
  clause('agent.created-at', 'conventions.json', 'conventions.ids');
  it('bodies are JSON; ids are uuid strings', async () => {
    service.market.clock.advance(1000);
    const { headers, body } = await service.post('/agents/register', { name: 'x' });
    const createdAt = new Date(service.market.clock.now()).toISOString();
    service.market.clock.advance(1000);
    const { body: own } = await service.get('/agents/me', { key: String(body.apiKey) });
    expect(headers.get('content-type')).toBe('application/json');
    expect(body.id).toMatch(UUID);
    expect([own.id, own.createdAt, body.createdAt]).toEqual([body.id, createdAt, createdAt]);
  });

  clause('conventions.ids');
  it('ids are uuid strings in every answer of every operation', () => {
    const { paths } = openApiDocument(documentedOperations, { baseUrl: 'https://market.example/api' });
    const ids = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) =>
        idsIn((operation as { responses: unknown }).responses).map(({ name, schema }) => ({
          where: `${path} ${name}`,
          isUuid: JSON.stringify(schema).includes('"format":"uuid"'),
        })),
      ),
    );
    expect(ids.length).toBeGreaterThan(100);
    expect(ids.filter(({ where, isUuid }) => !isUuid && !OTHERS_IDS.test(where))).toEqual([]);
  });

  clause('listing.price-cents', 'conventions.cents');
  it('money is integer cents', async () => {
    const key = agent.apiKey;
    for (const priceCents of [1.5, -1, '100', null]) {
      const { status } = await service.post('/marketplace/listings', { ...LISTING, priceCents }, { key });
      expect(status).toBe(400);
    }
  });

  clause('conventions.paths', 'versioning.paths');
  it('paths carry no version segment, and are below /api', async () => {
    expect((await service.get('/agents')).status).toBe(200);
    expect((await service.get('/v1/agents')).status).toBe(404);
  });
});

describe('Authentication', () => {
  clause('authentication.1-immediate');
  it('1. registration is immediate; one key works for buying and selling', async () => {
    const { apiKey: key } = await service.register();
    expect(key).toMatch(/^mkt_live_/);
    expect((await service.post('/marketplace/listings', LISTING, { key })).status).toBe(201);
  });

  clause('authentication.1-linking');
  it('1. becoming a seller links an existing key or mints a new one', async () => {
    const { apiKey: key, id } = await service.register();
    const linked = await service.post('/sell/register', { name: 'Seller' }, { key });
    expect(linked.body).toMatchObject({ sellerId: id, apiKey: null });
    const minted = await service.post('/sell/register', { name: 'Seller' });
    expect(minted.body.apiKey).toMatch(/^mkt_live_/);
    for (const one of [key, String(minted.body.apiKey)]) {
      expect((await service.get('/sell/me', { key: one })).status).toBe(200);
    }
  });

  clause('authentication.2-api-key');
  it('2. the key is accepted as an api_key field: body for POST, query for GET', async () => {
    const { apiKey } = agent;
    expect((await service.get(`/agents/me?api_key=${apiKey}`)).body.id).toBe(agent.id);
    const created = await service.post('/marketplace/listings', { ...LISTING, api_key: apiKey });
    expect(created.status).toBe(201);
    const { id } = created.body.listing as { id: string };
    const changed = await service.patch(`/marketplace/listings/${id}`, {
      api_key: apiKey,
      title: 'New title',
    });
    expect(changed.status).toBe(200);
  });

  clause('authentication.3-headers');
  it('3. as Authorization: Bearer and as x-api-key', async () => {
    for (const headers of [{ authorization: `Bearer ${agent.apiKey}` }, { 'x-api-key': agent.apiKey }]) {
      expect((await service.get('/agents/me', { headers })).body.id).toBe(agent.id);
    }
  });

  it('4. public operations need no key', async () => {
    const paths = [
      '/agents',
      '/marketplace/listings',
      '/marketplace/categories',
      '/verticals',
      '/signing-key',
    ];
    for (const path of paths) expect((await service.get(path)).status, path).toBe(200);
  });
});

describe('Errors', () => {
  clause('errors.shape', 'errors.validation');
  it.each([
    ['validation', '/agents?limit=0', 400, 'validation_failed'],
    ['a missing key', '/agents/me', 401, 'missing_api_key'],
    ['a bad key', '/agents/me?api_key=mkt_live_wrong', 401, 'invalid_api_key'],
    ['an unknown thing', '/agents/agent-00000000', 404, 'agent_not_found'],
    ['an unknown path', '/no/such/path', 404, 'path_not_found'],
  ])('%s: RFC 9457 with code, retryable and requestId', async (_, path, status, code) => {
    const reply = await service.get(path);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({
      status,
      code,
      retryable: false,
      title: expect.any(String),
      detail: expect.any(String),
      type: expect.stringMatching(`/problems/${code}$`),
      requestId: reply.headers.get('x-request-id'),
    });
  });

  clause('errors.shape');
  it('says of what may be tried again that it may be, and when', async () => {
    service.market.market.fault = () => 'lose_request';
    const reply = await service.get('/agents/me', { key: agent.apiKey });
    service.market.market.fault = () => undefined;
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect([reply.status, reply.body.status, reply.body.retryable]).toEqual([503, 503, true]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  clause('errors.shape');
  it('the type of a problem is a page that exists', async () => {
    const { body } = await service.get('/agents?limit=0');
    const page = await service.market.request('GET', new URL(String(body.type)).pathname.replace('/api', ''));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('validation_failed');
  });
});

describe('the log', () => {
  it('holds no key, no private name and no e-mail address (invariant 21)', async () => {
    const secret = { name: 'Private Name', email: 'private@example.com' };
    const { body } = await service.post('/agents/register', secret);
    await service.get(`/agents/me?api_key=${body.apiKey}`);
    await service.get('/agents/me?api_key=mkt_live_guess');
    service.market.market.fault = () => 'lose_request';
    await service.get(`/agents/me?api_key=${body.apiKey}`);
    service.market.market.fault = () => undefined;
    const lines = JSON.stringify(service.market.log.lines);
    expect(service.market.log.lines.length).toBeGreaterThan(0);
    expect(lines).not.toMatch(/mkt_live_|Private Name|private@/);
  });
});
