import { describe, expect, it } from 'vitest';
import { putDocument } from '../search/search.store.ts';
import { LISTING_BODY, newListingOf, verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import type { HistoryEntry } from './history.rules.ts';
import { refreshSearchDocuments, sweepSearchOutbox } from './refresh-search-documents.ts';

const market = createTestMarketplace();

async function send(method: string, path: string, body?: unknown, apiKey?: string) {
  const response = await market.request(method, path, { body, ...(apiKey ? { apiKey } : {}) });
  const read = await readSigned(response);
  return { status: response.status, body: read.body as Record<string, unknown> };
}

const browse = async (query: string) => {
  const { body } = await send('GET', `/marketplace/listings?${query}`);
  return body as { listings: { id: string; title: string }[]; total: number };
};

describe('a change', () => {
  it('is versioned, signed and chained, and shows a preview as its fingerprint only', async () => {
    const { id, seller } = await newListingOf(market);
    const path = `/marketplace/listings/${id}`;
    market.clock.advance(1000);
    const first = await send(
      'PATCH',
      path,
      { preview: { secretRow: 'never in history' }, reason: 'new columns' },
      seller.apiKey,
    );
    expect(first.body).toMatchObject({
      version: 2,
      modificationCount: 1,
      change: { changeType: 'updated', reason: 'new columns' },
    });
    market.clock.advance(1000);
    await send('PATCH', path, { title: 'Hourly weather, better' }, seller.apiKey);
    await send('POST', `${path}/deactivate`, {}, seller.apiKey);
    await send('PATCH', path, { active: true }, seller.apiKey);

    const { body } = await send('GET', `${path}/history`);
    const entries = body.entries as HistoryEntry[];
    expect(entries.map(({ version, changeType }) => [version, changeType])).toEqual([
      [1, 'created'],
      [2, 'updated'],
      [3, 'updated'],
      [4, 'deactivated'],
      [5, 'reactivated'],
    ]);
    expect(body.chainValid).toBe(true);
    expect(entries.slice(1).map(({ previousDigest }) => previousDigest)).toEqual(
      entries.slice(0, -1).map(({ digest }) => digest),
    );
    expect(JSON.stringify(entries)).not.toContain('never in history');
  });

  it('has no reason that must not be published', async () => {
    const { id, seller } = await newListingOf(market);
    const path = `/marketplace/listings/${id}`;
    const reason = 'Paid with 4242 4242 4242 4242';
    for (const refused of [
      await send('PATCH', path, { title: 'Better', reason }, seller.apiKey),
      await send('POST', `${path}/deactivate`, { reason }, seller.apiKey),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([400, 'sensitive_content']);
      expect(refused.body.errors).toMatchObject([{ path: 'reason' }]);
    }
    expect((await send('GET', `${path}/history`)).body.entries).toHaveLength(1);
  });

  it('that changes nothing makes no version', async () => {
    const { id, seller } = await newListingOf(market);
    const { status, body } = await send(
      'PATCH',
      `/marketplace/listings/${id}`,
      { title: LISTING_BODY.title },
      seller.apiKey,
    );
    expect([status, body.version, body.change, body.lastModified]).toEqual([200, 1, null, null]);
  });

  it('made at the same time as another loses cleanly', async () => {
    const { id, seller } = await newListingOf(market);
    const path = `/marketplace/listings/${id}`;
    const titles = ['First title', 'Second title', 'Third title', 'Fourth title'];
    const answers = await Promise.all(titles.map((title) => send('PATCH', path, { title }, seller.apiKey)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    const { body } = await send('GET', `${path}/history`);
    expect(body.entries).toHaveLength(1 + statuses.filter((status) => status === 200).length);
    expect(body.chainValid).toBe(true);
  });

  it('of a price that needs payouts takes a live listing back to pending', async () => {
    const { id, seller } = await newListingOf(market);
    const { body } = await send('PATCH', `/marketplace/listings/${id}`, { priceCents: 500 }, seller.apiKey);
    expect(body).toMatchObject({ status: 'pending', active: false, priceCents: 500 });
    expect((await browse('q=hourly&price=paid')).listings.map((listing) => listing.id)).not.toContain(id);
  });

  it('is not for others, nor for a listing that is not there', async () => {
    const { id } = await newListingOf(market);
    const other = await newAgentOf(market);
    const foreign = await send('PATCH', `/marketplace/listings/${id}`, { title: 'Mine now' }, other.apiKey);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'not_listing_owner']);
    const unknown = await send(
      'PATCH',
      `/marketplace/listings/${crypto.randomUUID()}`,
      { title: 'Mine now' },
      other.apiKey,
    );
    expect([unknown.status, unknown.body.code]).toEqual([404, 'listing_not_found']);
  });
});

describe('creation', () => {
  it('waits for an endpoint, with a link for a person', async () => {
    const agent = await newAgentOf(market);
    const { status, body } = await send('POST', '/marketplace/listings', LISTING_BODY, agent.apiKey);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      listing: { status: 'pending', active: false },
      filing: { method: 'matched', verticalSlug: 'weather-environment' },
    });
    expect(body.claimUrl).toMatch(/^http:\/\/localhost\/claim\//);
    const { id } = body.listing as { id: string };
    const stored = await send('GET', `/marketplace/listings/${id}`);
    expect(stored.body).toMatchObject({ listing: { status: 'pending', active: false } });
  });

  it.each([
    ['a key', { preview: { note: `-----BEGIN ${'PRIVATE KEY'}-----` } }, 'preview'],
    ['a card', { description: 'Pay to 4242 4242 4242 4242' }, 'description'],
    ['a social security number', { title: 'Of 123-45-6789' }, 'title'],
  ])('refuses %s in the text and stores nothing', async (_, fields, path) => {
    const agent = await newAgentOf(market);
    const { status, body } = await send(
      'POST',
      '/marketplace/listings',
      { ...LISTING_BODY, ...fields },
      agent.apiKey,
    );
    expect([status, body.code, (body.errors as { path: string }[])[0]?.path]).toEqual([
      400,
      'sensitive_content',
      path,
    ]);
    expect(JSON.stringify(body)).not.toMatch(/4242|123-45|BEGIN/);
    expect((await send('GET', '/agents/me', undefined, agent.apiKey)).body.isSeller).toBe(false);
  });

  it.each([
    ['consent', { consent: false }],
    ['vertical', { vertical: 'no-such-vertical' }],
    ['category', { vertical: 'market-data', category: 'jobs' }],
    ['maxCopies', { listingType: 'limited' }],
    ['maxCopies', { maxCopies: 5 }],
    ['inputSchema.$ref', { inputSchema: { $ref: 'https://elsewhere.example.com/schema' } }],
    ['inputSchema.type', { inputSchema: { type: 'bogus' } }],
    ['inputSchema.type', { inputSchema: { type: 'array' } }],
    ['inputSchema.properties.day.minimum', { inputSchema: { properties: { day: { minimum: 'x' } } } }],
    ['outputSchema.enum', { outputSchema: { enum: [] } }],
    ['outputSchema.exclusiveMinimum', { outputSchema: { exclusiveMinimum: true } }],
    ['exampleQuery', { inputSchema: { type: 'object', required: ['city'] }, exampleQuery: {} }],
    ['images.0', { images: ['http://insecure.example.com/a.png'] }],
    ['preview', { preview: { text: 'x'.repeat(16 * 1024) } }],
  ])('names %s when %j does not fit', async (path, fields) => {
    const seller = await verifiedSellerOf(market);
    const { status, body } = await send(
      'POST',
      '/marketplace/listings',
      { ...LISTING_BODY, ...fields },
      seller.apiKey,
    );
    expect([status, (body.errors as { path: string }[])[0]?.path]).toEqual([400, path]);
  });

  it('keeps personal health data to its own flow', async () => {
    const seller = await verifiedSellerOf(market);
    const { body } = await send(
      'POST',
      '/marketplace/listings',
      { ...LISTING_BODY, vertical: 'personal-health' },
      seller.apiKey,
    );
    expect(body.code).toBe('health_flow_required');
  });
});

describe('the search documents', () => {
  it('are made up for by a sweep when the search database was down', async () => {
    const seller = await verifiedSellerOf(market);
    market.search.fault = () => 'lose_request';
    const { id } = await newListingOf(market, { title: 'Zebra crossings of Oslo' }, seller);
    market.search.fault = () => undefined;
    expect((await browse('q=zebra')).total).toBe(0);
    await sweepSearchOutbox(market.newPorts());
    expect((await browse('q=zebra')).listings.map((listing) => listing.id)).toEqual([id]);
    expect(await sweepSearchOutbox(market.newPorts())).toBe(0);
  });

  it('are never set back by a slow writer', async () => {
    const { id, seller } = await newListingOf(market, { title: 'Yak prices in Lhasa' });
    await send('POST', `/marketplace/listings/${id}/deactivate`, {}, seller.apiKey);
    const ports = market.newPorts();
    const stale = {
      listingId: id,
      title: 'Yak prices in Lhasa',
      description: 'x',
      verticalSlug: 'market-data',
      categorySlug: 'data',
      subcategory: null,
      listingType: 'standard',
      isSample: false,
      isFree: true,
      priceCents: 0,
      priceMicros: 0,
      createdAt: '2026-01-01T00:00:00.000Z',
      popularity: 0,
      ratingAvg: null,
      tags: '',
      verticalWords: '',
      spellings: [],
      quality: 0,
      trust: 0,
      successRate: null,
      p95Ms: null,
      isReachable: true,
      summary: '{}',
    };
    await ports.search.commit(putDocument(stale, 1));
    expect((await browse('q=yak')).total).toBe(0);
  });

  it('can be written again and again', async () => {
    const { id } = await newListingOf(market, { title: 'Walrus census' });
    for (let n = 0; n < 3; n += 1) await refreshSearchDocuments(market.newPorts(), [id]);
    expect((await browse('q=walrus')).total).toBe(1);
  });
});

describe('browsing while the database is down', () => {
  it('answers with the last good page', async () => {
    const path = '/marketplace/listings?limit=7';
    const good = await send('GET', path);
    market.search.fault = () => 'lose_request';
    const stale = await send('GET', path);
    const unseen = await send('GET', '/marketplace/listings?limit=8');
    market.search.fault = () => undefined;
    expect(stale).toEqual(good);
    expect([unseen.status, unseen.body.code]).toEqual([503, 'service_unavailable']);
  });
});
