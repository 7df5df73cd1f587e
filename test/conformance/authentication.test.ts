import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, LISTING, NOWHERE, type Party, pathsOf } from './service.ts';

// Part "Authentication" of the specification. Each operation with each way of sending a key, and without one:
// test/contract/refusals.test.ts. Pay-per-query and the ingress door: x402.test.ts and ingress.test.ts here.

const service = createService();
let seller: Party;
let buyer: Party;
let listingId: string;
beforeAll(async () => {
  await service.publishPlatformListings();
  seller = await service.seller();
  buyer = await service.register('Buyer');
  listingId = (await service.list(seller)).id;
});

describe('Authentication', () => {
  clause('authentication.1-one-key');
  it('1. one key works for buying, selling and the wallet', async () => {
    const { apiKey: key } = await service.register();
    const bought = await service.post(`/marketplace/listings/${listingId}/purchase`, {}, { key });
    expect(bought.status).toBe(200);
    expect((await service.get(`/marketplace/purchases/${bought.body.id}`, { key })).status).toBe(200);
    expect((await service.get('/wallet/balance', { key })).status).toBe(200);
    expect((await service.post('/marketplace/listings', LISTING, { key })).status).toBe(201);
    expect((await service.get('/sell/me', { key })).status).toBe(200);
  });

  clause(
    'listings.patch-api-key',
    'purchasing.api-key',
    'purchasing.read-key',
    'selling.callback-key',
    'authentication.2-api-key',
  );
  it('2. api_key in the body of POST and PATCH', async () => {
    const { apiKey: api_key } = seller;
    const path = `/marketplace/listings/${listingId}`;
    expect((await service.post('/marketplace/listings', { ...LISTING, api_key })).status).toBe(201);
    expect((await service.patch(path, { api_key: buyer.apiKey, title: 'Not mine' })).status).toBe(403);
    expect((await service.patch(path, { api_key: `${api_key}x`, title: 'Nobody' })).status).toBe(401);
    expect((await service.patch(path, { api_key, title: 'Renamed by key' })).status).toBe(200);
    expect((await service.get(path)).body.listing).toMatchObject({ title: 'Renamed by key', version: 2 });
    const callbackUrl = 'http://localhost:9/deliver';
    expect((await service.post('/sell/callback', { api_key, callbackUrl })).status).toBe(200);
    const bought = await service.post(`${path}/purchase`, { api_key: buyer.apiKey });
    expect(bought.status).toBe(200);
    const { body } = await service.get(`/marketplace/purchases/${bought.body.id}?api_key=${buyer.apiKey}`);
    expect(body.id).toBe(bought.body.id);
  });

  clause('authentication.2-api-key');
  it.each(['/agents/me', '/wallet/balance', '/wallet/transactions', '/agents/me/inbox'])(
    '2. api_key in the query of GET %s',
    async (path) => {
      expect((await service.get(`${path}?api_key=${buyer.apiKey}`)).status).toBe(200);
      expect((await service.get(path)).status).toBe(401);
    },
  );

  clause('authentication.4-public');
  it.each([
    '/agents',
    '/marketplace/listings',
    '/marketplace/listings/{id}',
    '/marketplace/listings/{id}/history',
    '/marketplace/listings/{id}/ratings',
    '/marketplace/categories',
    '/verticals',
    '/verticals/market-data',
    '/health-data/listings',
    '/stats',
    '/marketplace/stats',
    '/broadcast',
    '/meta',
    '/fees',
    '/proof/demand',
    '/signing-key',
  ])('4. GET %s needs no key', async (path) => {
    expect((await service.get(path.replace('{id}', listingId))).status).toBe(200);
  });

  clause('authentication.4-public');
  it('4. receipts are verified and inquiries opened without a key', async () => {
    const { provenance } = await service.get('/stats');
    expect((await service.post('/verify-receipt', { receipt: provenance.receipt })).status).toBe(200);
    const opened = await service.post('/inquiries', { subject: 'Keys', message: 'None?' });
    expect(opened.status).toBe(201);
    expect((await service.get(`/inquiries/${opened.body.id}/thread`)).status).toBe(200);
  });

  clause('authentication.8-admin');
  it('8. smokeTest needs the platform admin header, with the right secret', async () => {
    const probe = { name: 'Probe', smokeTest: true };
    for (const headers of [{}, { 'x-mkt-admin': '' }, { 'x-mkt-admin': 'guess' }]) {
      expect((await service.post('/agents/register', probe, { headers })).status).toBe(403);
    }
    const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };
    expect((await service.post('/agents/register', probe, { headers })).status).toBe(201);
    expect((await service.post('/agents/register', { ...probe, smokeTest: false })).status).toBe(201);
    expect(pathsOf(await service.post('/agents/register', { ...probe, smokeTest: 'yes' }))).toEqual([
      'smokeTest',
    ]);
  });

  clause('authentication.9-owner');
  it('9. only an owner may modify a listing', async () => {
    const path = `/marketplace/listings/${listingId}`;
    for (const [party, status] of [
      [buyer, 403],
      [seller, 200],
    ] as const) {
      const { apiKey: key } = party;
      expect((await service.patch(path, { title: `By ${status}` }, { key })).status).toBe(status);
      const { listing } = (await service.get(path)).body;
      expect((listing as { title: string }).title === `By ${status}`).toBe(status === 200);
    }
    const taken = await service.post(`${path}/deactivate`, {}, { key: buyer.apiKey });
    expect(taken.status).toBe(403);
    expect((await service.patch(path, { title: 'By nobody' })).status).toBe(401);
    expect((await service.get(path)).body.listing).toMatchObject({ title: 'By 200', active: true });
  });

  clause('authentication.9-buyer');
  it('9. a buyer key is required to read what a purchase delivered', async () => {
    const { body } = await service.post(
      `/marketplace/listings/${listingId}/purchase`,
      {},
      { key: buyer.apiKey },
    );
    const path = `/marketplace/purchases/${body.id}`;
    expect((await service.get(path)).status).toBe(401);
    expect((await service.get(path, { key: seller.apiKey })).status).toBe(403);
    expect((await service.get(path, { key: buyer.apiKey })).body.content).toEqual({ answer: 42 });
    expect((await service.get(`/marketplace/purchases/${NOWHERE}`, { key: buyer.apiKey })).status).toBe(404);
  });
});
