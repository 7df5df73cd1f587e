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
  const NOT_NAMED = ['version', 'modificationCount', 'lastModified', 'fingerprint', 'status', 'viewCount'];
  const readOwn = async (id: string): Promise<Json> => {
    const { body } = await client.get(`/marketplace/listings/${id}?api_key=${seller.apiKey}`);
    return { ...body.listing, preview: body.preview };
  };

  it.each([
    ['REST', (id: string, fields: Json) => client.patch(`/marketplace/listings/${id}`, fields)],
    ['MCP', (id: string, fields: Json) => client.tool('update_listing', { listing_id: id, ...fields })],
  ])('over %s changes what it names and nothing else, each field in turn', async (_, change) => {
    await market.connectPayouts(seller.id);
    const { id } = await list();
    const changes: [field: string, sent: string, value: unknown][] = [
      ['title', 'title', 'Tide tables of Brest'],
      ['description', 'description', 'Other words.'],
      ['preview', 'preview', { rows: 3 }],
      ['priceCents', 'priceCents', 700],
      ['priceCents', 'price_cents', 900],
      ['active', 'active', false],
      ['active', 'active', true],
    ];
    let version = 1;
    for (const [field, sent, value] of changes) {
      const earlier = await readOwn(id);
      await change(id, { api_key: seller.apiKey, description: null, [sent]: value });
      version += 1;
      const after = await readOwn(id);
      expect([sent, after.version, after.modificationCount]).toEqual([sent, version, version - 1]);
      const changed = Object.keys(after).filter(
        (name) => JSON.stringify(after[name]) !== JSON.stringify(earlier[name]),
      );
      expect(changed.filter((name) => !NOT_NAMED.includes(name))).toEqual([field]);
      expect(after[field]).toEqual(value);
      expect(after.fingerprint !== earlier.fingerprint).toBe(
        ['title', 'description', 'preview'].includes(field),
      );
    }
    const { body } = await client.get('/marketplace/listings?limit=100');
    const row = body.listings.find((one: Json) => one.id === id);
    expect([row.title, row.description, row.priceCents]).toEqual([
      'Tide tables of Brest',
      'Other words.',
      900,
    ]);
    const bought = await client.post(`/marketplace/listings/${id}/purchase`, { api_key: otherKey });
    expect([bought.body.status, bought.body.amountCents]).toEqual(['pending_payment', 900]);
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
