import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from './client.ts';
import { type Marketplace, startMarketplace } from './marketplace.ts';

let market: Marketplace;
let client: Client;
let seller: Json;
let otherKey: string;

const FIELDS = {
  title: 'Tide tables',
  description: 'High and low water.',
  preview: { rows: 2 },
  consent: true,
};

beforeAll(async () => {
  market = startMarketplace();
  ({ client } = market);
  seller = (await client.post('/sell/register', { name: 'A seller' })).body;
  otherKey = (await client.post('/agents/register', { name: 'Another' })).body.apiKey;
  await client.post('/sell/callback', {
    api_key: seller.apiKey,
    callbackUrl: 'https://seller.example.com/hook',
  });
});

async function list(fields: Json = {}): Promise<Json> {
  const body = { ...FIELDS, price_cents: 0, api_key: seller.apiKey, ...fields };
  const { status, text, body: answer } = await client.post('/marketplace/listings', body);
  expect(status, text).toBe(201);
  return answer.listing;
}

describe('POST /marketplace/listings', () => {
  it('takes the field set of sell_data as the tool has it', async () => {
    const listing = await list({ price_cents: 0, category: 'data', vertical: 'market-data' });
    expect([listing.priceCents, listing.active, listing.version]).toEqual([0, true, 1]);
  });

  it('takes the price in the spelling of the Listing table, over REST and MCP', async () => {
    const { price_cents: _, ...rest } = { ...FIELDS, price_cents: 0 };
    const { status } = await client.post('/marketplace/listings', {
      ...rest,
      priceCents: 0,
      api_key: seller.apiKey,
    });
    expect(status).toBe(201);
    const tool = await client.tool('sell_data', { ...rest, priceCents: 0, api_key: seller.apiKey });
    expect(tool.isError).toBe(false);
  });

  it('takes null for a field that is optional, over REST and MCP', async () => {
    const nulls = { vertical: null, category: null };
    await list(nulls);
    const tool = await client.tool('sell_data', {
      ...FIELDS,
      ...nulls,
      price_cents: 0,
      api_key: seller.apiKey,
    });
    expect(tool.isError).toBe(false);
  });

  it('refuses two prices, and a member that it does not know', async () => {
    const body = { ...FIELDS, api_key: seller.apiKey };
    const two = await client.post('/marketplace/listings', { ...body, priceCents: 1, price_cents: 2 });
    expect(two.status).toBe(400);
    const misspelt = await client.post('/marketplace/listings', { ...body, priceCents: 0, catgory: 'data' });
    expect(misspelt.status).toBe(400);
  });

  it('files a listing without vertical by the words of the vertical itself', async () => {
    const { body } = await client.get('/verticals');
    const slugs = ['market-data', 'weather', 'compute-time', 'legal-documents'];
    for (const { slug, name } of body.verticals.filter((one: Json) => slugs.includes(one.slug))) {
      const listing = await list({ title: name, description: `${name}.` });
      expect([listing.verticalSlug, listing.verticalName]).toEqual([slug, name]);
    }
  });
});

describe('GET /marketplace/listings/{id}', () => {
  it('is {listing, preview, seller, ratings}, and its history is where it says', async () => {
    const { id } = await list();
    const { body } = await client.get(`/marketplace/listings/${id}`);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['listing', 'preview', 'seller', 'ratings']));
    expect(body.preview).toEqual({ rows: 2 });
    const history = await client.get(body.listing.modificationHistoryUrl);
    expect(history.status).toBe(200);
    const [entry, ...others] = history.body.entries;
    expect([entry.version, entry.listingId, others]).toEqual([1, id, []]);
  });
});

describe('PATCH /marketplace/listings/{id}', () => {
  it('changes what it names and nothing else, each field in turn', async () => {
    const { id } = await list();
    const changes = {
      title: 'Tide tables of Brest',
      description: 'Other words.',
      preview: { rows: 3 },
      active: false,
    };
    let version = 1;
    for (const [field, value] of Object.entries(changes)) {
      const before = await client.get(`/marketplace/listings/${id}?api_key=${seller.apiKey}`);
      const { status } = await client.patch(`/marketplace/listings/${id}`, {
        api_key: seller.apiKey,
        [field]: value,
        priceCents: null,
      });
      version += 1;
      expect([field, status]).toEqual([field, 200]);
      const { body } = await client.get(`/marketplace/listings/${id}?api_key=${seller.apiKey}`);
      const after = { ...body.listing, preview: body.preview };
      expect([after.version, after.modificationCount]).toEqual([version, version - 1]);
      const earlier = { ...before.body.listing, preview: before.body.preview };
      const changed = Object.keys(after).filter(
        (name) => JSON.stringify(after[name]) !== JSON.stringify(earlier[name]),
      );
      const always = ['version', 'modificationCount', 'lastModified', 'fingerprint', 'status', 'viewCount'];
      expect(changed.filter((name) => !always.includes(name))).toEqual([field]);
      expect(after[field]).toEqual(value);
    }
  });
});

describe('States and transitions, Listing', () => {
  it('a priced listing is active once payouts connect, and no earlier', async () => {
    const fresh = (await client.post('/sell/register', { name: 'New' })).body;
    await client.post('/sell/callback', {
      api_key: fresh.apiKey,
      callbackUrl: 'https://new.example.com/hook',
    });
    const { body } = await client.post('/marketplace/listings', {
      ...FIELDS,
      price_cents: 100,
      api_key: fresh.apiKey,
    });
    expect([body.listing.active, typeof body.claimUrl]).toEqual([false, 'string']);
    await market.connectPayouts(fresh.id);
    const { body: after } = await client.get(`/marketplace/listings/${body.listing.id}`);
    expect(after.listing.active).toBe(true);
  });

  it('a price on an active listing without payouts makes it pending, and its answer says what is left to do', async () => {
    const fresh = (await client.post('/sell/register', { name: 'New' })).body;
    await client.post('/sell/callback', {
      api_key: fresh.apiKey,
      callbackUrl: 'https://newer.example.com/hook',
    });
    const { body } = await client.post('/marketplace/listings', {
      ...FIELDS,
      price_cents: 0,
      api_key: fresh.apiKey,
    });
    const { id } = body.listing;
    const change = (fields: Json) =>
      client.patch(`/marketplace/listings/${id}`, { api_key: fresh.apiKey, ...fields });
    const priced = await change({ priceCents: 100 });
    expect([priced.status, priced.body.active, typeof priced.body.claimUrl]).toEqual([200, false, 'string']);
    expect(priced.body.notice).toContain('payouts');
    const free = await change({ priceCents: 0 });
    expect([free.body.active, free.body.claimUrl, free.body.notice]).toEqual([true, undefined, undefined]);
    await change({ priceCents: 100 });
    await market.connectPayouts(fresh.id);
    expect((await client.get(`/marketplace/listings/${id}`)).body.listing.active).toBe(true);
  });

  it('a deactivated listing is neither browsed nor bought, and only its owner sees its preview', async () => {
    const { id } = await list();
    const path = `/marketplace/listings/${id}`;
    await client.patch(path, { api_key: seller.apiKey, active: false });
    const { body: all } = await client.get('/marketplace/listings?limit=100');
    expect(all.listings.map((one: Json) => one.id)).not.toContain(id);
    const bought = await client.post(`${path}/purchase`, { api_key: otherKey });
    expect(bought.status).toBe(409);
    for (const reader of ['', `?api_key=${otherKey}`]) {
      const { status, body, headers } = await client.get(path + reader);
      expect([status, body.preview, body.previewHidden]).toEqual([200, {}, true]);
      expect(body.listing.title).toBe(FIELDS.title);
      expect(headers.get('cache-control')).toBeTruthy();
    }
    const { body: own, headers } = await client.get(`${path}?api_key=${seller.apiKey}`);
    expect([own.preview, own.previewHidden]).toEqual([{ rows: 2 }, undefined]);
    expect(headers.get('cache-control')).not.toContain('public');
    expect((await client.get(`${path}/history`)).body.entries).toHaveLength(2);
    const tool = await client.tool('preview_listing', { listing_id: id });
    expect([tool.preview, tool.previewHidden]).toEqual([{}, true]);
    await client.patch(path, { api_key: seller.apiKey, active: true });
    expect((await client.get(path)).body.preview).toEqual({ rows: 2 });
  });
});
