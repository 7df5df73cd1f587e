import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from './client.ts';
import { type Marketplace, startMarketplace } from './marketplace.ts';

let market: Marketplace;
let client: Client;
let seller: Json;
let api_key: string;
let exampleIds: string[];

beforeAll(async () => {
  market = startMarketplace();
  ({ client } = market);
  await market.publishPlatformListings();
  seller = (await client.post('/sell/register', { name: 'A seller' })).body;
  await client.post('/sell/callback', {
    api_key: seller.apiKey,
    callbackUrl: 'https://seller.example.com/hook',
  });
  await market.connectPayouts(seller.id);
  api_key = (await client.post('/agents/register', { name: 'A buyer' })).body.apiKey;
  exampleIds = await market.startExampleSeller(seller.apiKey);
});

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

async function list(fields: Json): Promise<string> {
  const { status, text, body } = await client.post('/marketplace/listings', {
    title: 'Weather of a city',
    description: 'Tide and wind.',
    preview: { columns: 2 },
    consent: true,
    api_key: seller.apiKey,
    ...fields,
  });
  expect(status, text).toBe(201);
  return body.listing.id;
}

describe('POST /marketplace/listings/{id}/purchase', () => {
  it('{api_key} buys every free listing of the platform', async () => {
    for (const id of market.platformListingIds) {
      const { status, body, text } = await client.post(`/marketplace/listings/${id}/purchase`, { api_key });
      // Personal health data is the one that the specification has more required for.
      if (status === 422) expect(body.code).toBe('attestation_required');
      else {
        expect([id, status, body.status], text).toEqual([id, 200, 'released']);
        expect(Object.keys(body.content).length).toBeGreaterThan(0);
      }
    }
  });

  it('{api_key} buys every listing of the example seller, and its rows say whether a query is needed', async () => {
    for (const id of exampleIds) {
      const { status, text } = await client.post(`/marketplace/listings/${id}/purchase`, { api_key });
      expect([id, status], text).toEqual([id, 200]);
    }
    const { body } = await client.get('/marketplace/listings?limit=100&samples=include');
    for (const listing of body.listings)
      expect([listing.title, listing.queryRequired]).toEqual([listing.title, false]);
  });

  it('a query that is sent is not replaced by the example', async () => {
    const id = await list({ priceCents: 0, inputSchema: SCHEMA, exampleQuery: { city: 'Brest' } });
    const wrong = await client.post(`/marketplace/listings/${id}/purchase`, { api_key, query: {} });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'query_not_accepted']);
  });

  it('a priced listing that needs a query says so before anything is charged', async () => {
    const id = await list({ priceCents: 100, inputSchema: SCHEMA, exampleQuery: { city: 'Brest' } });
    const { body: row } = await client.get(`/marketplace/listings/${id}`);
    expect(row.listing.queryRequired).toBe(true);
    const { status, body } = await client.post(`/marketplace/listings/${id}/purchase`, { api_key });
    expect([status, body.code, body.charged]).toEqual([400, 'query_required', false]);
    const tool = await client.tool('buy_data', { listing_id: id, api_key });
    expect([tool.isError, tool.code, tool.charged]).toEqual([true, 'query_required', false]);
    expect(tool.detail).not.toMatch(/GET |POST /);
  });

  it('a free listing that needs a query and shows none is asked for one', async () => {
    const id = await list({ priceCents: 0, inputSchema: SCHEMA });
    const { status, body } = await client.post(`/marketplace/listings/${id}/purchase`, { api_key });
    expect([status, body.code, body.charged]).toEqual([400, 'query_required', false]);
  });

  it('takes null for e-mail, and the id of the tool in no other listing', async () => {
    const id = await list({ priceCents: 100 });
    const { status, body } = await client.post(`/marketplace/listings/${id}/purchase`, {
      api_key,
      email: null,
    });
    expect([status, body.status, typeof body.checkoutUrl]).toEqual([200, 'pending_payment', 'string']);
    const other = await client.post(`/marketplace/listings/${id}/purchase`, {
      api_key,
      listing_id: exampleIds[0],
    });
    expect(other.status).toBe(400);
  });

  it('delivers after a person paid at the checkout, bound to the receipt by the digest', async () => {
    const id = await list({ priceCents: 100 });
    const opened = await client.post(`/marketplace/listings/${id}/purchase`, { api_key });
    await market.payCheckout(opened.body.checkoutUrl);
    const { script } = market.market.sellerEndpoint;
    market.deliver({ water: [1, 2] });
    const { status, body } = await client.get(`/marketplace/purchases/${opened.body.id}?api_key=${api_key}`);
    expect([status, body.content]).toEqual([200, { water: [1, 2] }]);
    await client.checkSignature(body.receipt);
    market.market.sellerEndpoint.script = script;
  });

  it('a personal-health listing is bought without a key, by checkout with an e-mail address and a full attestation', async () => {
    const consent = {
      ownsData: true,
      dataIsOwn: true,
      containsOnlyOwn: true,
      notCoveredEntity: true,
      saleTermsAccepted: true,
      allowsResearch: true,
      deidentificationLevel: 'name_removed',
      signerLegalName: 'Jo Example',
      sellerState: 'OR',
    };
    const listed = await client.tool('list_health_data', {
      api_key: seller.apiKey,
      title: 'A year of resting pulse',
      description: 'One value a day.',
      preview: { columns: 2 },
      price_cents: 500,
      subcategory: 'wearable-exports',
      data_format: 'CSV',
      consent,
      data_date: null,
    });
    expect(listed.isError, JSON.stringify(listed)).toBe(false);
    const path = `/marketplace/listings/${listed.listing.id}/purchase`;
    expect((await client.post(path, { email: 'a@example.com' })).status).toBe(422);
    const attested = {
      email: 'a@example.com',
      buyer_intended_use: 'academic_research',
      buyer_attestation: {
        notForInsurance: true,
        notForEmployment: true,
        notForDiscrimination: true,
        noReidentification: true,
        acceptUseTerms: true,
      },
    };
    const { status, body, text } = await client.post(path, attested);
    expect([status, typeof body.checkoutUrl], text).toEqual([200, 'string']);
    const { email: _, ...nameless } = attested;
    expect((await client.post(path, nameless)).status, 'nobody to hold to it').toBe(401);
    const unauthorized = await client.post(path, { ...attested, buyer_intended_use: 'ai_training' });
    expect([unauthorized.status, unauthorized.body.code]).toEqual([422, 'intended_use_not_authorized']);
  });
});

describe('GET /x402/listings/{id}/query', () => {
  it('answers every free listing without parameters', async () => {
    for (const id of exampleIds) {
      const { status, text } = await client.get(`/x402/listings/${id}/query`);
      expect([id, status], text).toEqual([id, 200]);
    }
    const [platform] = market.platformListingIds;
    expect((await client.get(`/x402/listings/${platform}/query`)).status).toBe(200);
  });

  it('a priced one that needs a query: 402 for a probe, query_required for a payment', async () => {
    const id = await list({ priceCents: 100, inputSchema: SCHEMA, exampleQuery: { city: 'Brest' } });
    const probe = await client.raw('GET', `/x402/listings/${id}/query`);
    expect(probe.status).toBe(402);
    const headers = await market.shop.pay(market.shop.newPayer(), id, 2);
    const { status, body } = await client.get(
      `/x402/listings/${id}/query`,
      headers as Record<string, string>,
    );
    expect([status, body.code, body.charged]).toEqual([400, 'query_required', false]);
  });
});
