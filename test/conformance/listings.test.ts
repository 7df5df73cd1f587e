import {
  checkSignature,
  digestOfSorted,
  type Receipt,
} from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { keySetOf, verifyListingHistory } from '@agent-marketplace/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, LISTING, NOWHERE, type Party, pathsOf } from './service.ts';

const service = createService();
let seller: Party;
let other: Party;
beforeAll(async () => {
  seller = await service.seller();
  other = await service.seller();
});

const create = (fields: Body, party = seller) =>
  service.post('/marketplace/listings', { ...LISTING, ...fields }, { key: party.apiKey });
const change = (id: string, fields: Body, party = seller) =>
  service.patch(`/marketplace/listings/${id}`, fields, { key: party.apiKey });

describe('POST /marketplace/listings', () => {
  clause('listings.key');
  it('needs a key that somebody has', async () => {
    const listed = async () => (await service.browse('?q=keyless')).total;
    const body = { ...LISTING, title: 'Keyless tides' };
    expect((await service.post('/marketplace/listings', body)).status).toBe(401);
    const unknown = await service.post('/marketplace/listings', body, {
      key: `mkt_live_${'x'.repeat(43)}`,
    });
    expect([unknown.status, await listed()]).toEqual([401, 0]);
    expect([(await create(body)).status, await listed()]).toEqual([201, 1]);
  });

  clause('listing-states.active-at-once', 'listings.response');
  it('response 201: listing, receipt, both verifiable', async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    const shown = await service.get(`/marketplace/listings/${(body.listing as Body).id}`);
    expect(shown.body).toMatchObject({ listing: body.listing, preview: LISTING.preview });
    const { preview: _, consent: __, ...stored } = LISTING;
    expect(body.listing).toMatchObject({ ...stored, sellerId: seller.id });
    const { statement, digest, ...rest } = body.receipt as Receipt & { statement: Body };
    expect(await digestOfSorted(statement)).toBe(digest);
    await checkSignature({ ...rest, digest });
    const { id: listingId, fingerprint } = body.listing as Body;
    expect(statement).toMatchObject({ type: 'listing_receipt', listingId, fingerprint });
    const checked = await service.post('/verify-receipt', {
      receipt: { ...rest, digest },
      payload: statement,
    });
    expect(checked.body.valid).toBe(true);
  });

  clause('catalogue-records.preview-required', 'listings.required');
  it('title, description, preview (object), price and consent are required', async () => {
    const reply = await service.post('/marketplace/listings', {}, { key: seller.apiKey });
    expect(pathsOf(reply).sort()).toEqual(['consent', 'description', 'preview', 'priceCents', 'title']);
    for (const preview of ['text', [], null, 1]) {
      expect(pathsOf(await create({ preview }))).toEqual(['preview']);
    }
  });

  clause('listings.consent');
  it('consent must be true', async () => {
    for (const consent of [false, 'true', 1]) expect(pathsOf(await create({ consent }))).toEqual(['consent']);
  });

  clause('listing.images', 'catalogue-records.preview-small', 'listings.optional', 'listings.limits');
  it.each([
    ['title', ['ab', 't'.repeat(201), '   '], ['abc', 't'.repeat(200)]],
    ['description', ['', 'd'.repeat(10_001)], ['d', 'd'.repeat(10_000)]],
    ['priceCents', [-1, 1_000_000_001, 0.5], [0, 1_000_000_000]],
    ['preview', [{ a: 'x'.repeat(16 * 1024 - 7) }], [{}, { a: 'x'.repeat(16 * 1024 - 8) }]],
    [
      'images',
      [['http://example.com/i.png'], Array(9).fill('https://example.com/i.png')],
      [['https://example.com/i.png']],
    ],
    ['category', ['nothing'], ['services', 'jobs']],
    ['vertical', ['no-such-vertical'], ['market-data', 'research-briefs']],
    ['listingType', ['rare'], ['standard', 'exclusive']],
    ['maxCopies', [0, 1.5, 1_000_001], [1, 1_000_000]],
    ['subcategory', ['', 's'.repeat(101)], ['s'.repeat(100)]],
    ['contextTags', [Array(21).fill('t'), ['t'.repeat(51)]], [Array(20).fill('t'.repeat(50))]],
  ])('%s: limits; what is within them is kept', async (field, wrong, right) => {
    const kind = field === 'maxCopies' ? { listingType: 'limited' } : {};
    for (const value of wrong) {
      const paths = pathsOf(await create({ ...kind, [field]: value }));
      expect(paths.map((path) => path.split('.')[0])).toEqual([field]);
    }
    const shownAs = { category: 'verticalCategory', vertical: 'verticalSlug' }[field as string] ?? field;
    for (const value of right) {
      const { status, body } = await create({ ...kind, [field]: value });
      expect(status).toBe(201);
      const shown = (await service.get(`/marketplace/listings/${(body.listing as Body).id}`)).body;
      const kept = { ...(shown.listing as Body), preview: shown.preview };
      expect(kept).toMatchObject({ [shownAs]: value });
      if (field === 'preview') expect(kept.preview).toEqual(value);
    }
  });

  clause('catalogue-records.preview-small');
  it('a preview of 16 KiB is counted in bytes', async () => {
    expect((await create({ preview: { a: '名'.repeat(8 * 1024) } })).status).toBe(400);
  });

  clause('listings.filing');
  it('with vertical omitted the listing is auto-filed', async () => {
    const forecasts = { title: 'Hourly wind forecasts', description: 'Weather for every grid cell.' };
    const prices = { title: 'Stock market quotes', description: 'Order book of every exchange.' };
    const unknown = { title: 'Qwxz', description: 'Zzyx.' };
    for (const [fields, method, verticalSlug, verticalCategory] of [
      [forecasts, 'matched', 'weather-environment', 'data'],
      [prices, 'matched', 'market-data', 'data'],
      [{ ...unknown, category: 'jobs' }, 'general', 'jobs-general', 'jobs'],
      [{ ...unknown, category: 'capital' }, 'general', 'capital-general', 'capital'],
      [unknown, 'general', 'other-general', 'other'],
      [{ ...forecasts, vertical: 'market-data' }, 'chosen', 'market-data', 'data'],
    ] as const) {
      const { body } = await create(fields);
      expect(body.filing).toMatchObject({ method });
      const shown = (await service.get(`/marketplace/listings/${(body.listing as Body).id}`)).body;
      expect(shown.listing).toMatchObject({ verticalSlug, verticalCategory });
    }
  });

  it('personal health data is sold only through its own flow', async () => {
    const reply = await create({ vertical: 'personal-health' });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });

  clause('service.secrets');
  it.each([
    ['private keys', '-----BEGIN RSA PRIVATE KEY-----'],
    ['API credentials', `ghp_${'a'.repeat(36)}`],
    ['cloud credentials', 'AKIAIOSFODNN7EXAMPLE'],
    ['payment cards', '4111 1111 1111 1111'],
    ['social security numbers', '123-45-6789'],
    ['keys of this marketplace', `mkt_live_${'a'.repeat(43)}`],
  ])('%s are refused and not repeated', async (_, secret) => {
    for (const fields of [{ title: `x ${secret}` }, { description: secret }, { preview: { a: [secret] } }]) {
      const { status, body, text } = await create(fields);
      expect([status, body.code]).toEqual([400, 'sensitive_content']);
      expect(text).not.toContain(secret);
    }
    const { id } = await service.list(seller);
    for (const fields of [{ title: `x ${secret}` }, { description: secret }, { preview: { a: [secret] } }]) {
      const { status, body, text } = await change(id, fields);
      expect([status, body.code]).toEqual([400, 'sensitive_content']);
      expect(text).not.toContain(secret);
    }
    expect((await service.get(`/marketplace/listings/${id}`)).body).toMatchObject({
      listing: { version: 1, title: LISTING.title, description: LISTING.description },
      preview: LISTING.preview,
    });
  });

  clause('listing.seller-name');
  it('a third-party seller is pseudonymous', async () => {
    const nameOf = async (party: Party) => {
      const { id } = await service.list(party);
      const { listing } = (await service.get(`/marketplace/listings/${id}`)).body as { listing: Body };
      return String(listing.sellerName);
    };
    const label = await nameOf(seller);
    expect(label).toMatch(/^seller-[0-9a-f]{6}$/);
    expect([await nameOf(seller), await nameOf(other)]).toEqual([label, expect.not.stringMatching(label)]);
  });
});

describe('PATCH /marketplace/listings/{id}', () => {
  clause('listing-states.owner', 'listings.patch-owner');
  it('the caller must own the listing', async () => {
    const { id } = await service.list(seller);
    expect((await change(id, { title: 'Mine now' }, other)).status).toBe(403);
    expect((await service.patch(`/marketplace/listings/${id}`, { title: 'x y z' })).status).toBe(401);
    expect((await change(NOWHERE, { title: 'Nothing' })).status).toBe(404);
    for (const options of [{ key: other.apiKey }, {}]) {
      const { status } = await service.post(`/marketplace/listings/${id}/deactivate`, {}, options);
      expect(status).toBe(options.key === undefined ? 401 : 403);
    }
    const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
    expect(listing).toMatchObject({ title: LISTING.title, active: true, version: 1 });
  });

  clause('listings.patch-fields');
  it('all fields are optional, but one is needed; each changes what it says and nothing else', async () => {
    const { id } = await service.list(seller);
    expect((await change(id, {})).status).toBe(400);
    const shown = async () => {
      const detail = await service.get(`/marketplace/listings/${id}`, { key: seller.apiKey });
      const { listing, preview } = detail.body;
      const { title, description, priceCents, active } = listing as Body;
      return { title, description, priceCents, active, preview };
    };
    let expected: Body = { ...(await shown()) };
    for (const fields of [
      { title: 'New title' },
      { description: 'New' },
      { preview: { a: 1 } },
      { active: false },
      { active: true },
      { priceCents: 700 },
    ] as Body[]) {
      expect((await change(id, fields)).status).toBe(200);
      // A price without payouts takes a listing off the market until they are connected.
      expected = { ...expected, ...fields, ...(fields.priceCents ? { active: false } : {}) };
      expect(await shown()).toEqual(expected);
    }
  });

  clause('listing-states.counted', 'listings.patch-signed');
  it('every modification increments version and modificationCount', async () => {
    const { id } = await service.list(seller);
    let version = 1;
    for (const fields of [
      { title: 'A title' },
      { title: 'Another title' },
      { description: 'Other words.' },
      { preview: { a: 1 } },
      { redelivery: 'fresh_once' },
      { active: false },
      { active: true },
      { priceCents: 5 },
      { title: 'One title', priceCents: 0 },
    ]) {
      version += 1;
      const counted = { version, modificationCount: version - 1, lastModified: expect.any(String) };
      expect((await change(id, fields)).body).toMatchObject(counted);
      const { listing, preview } = (await service.get(`/marketplace/listings/${id}`)).body;
      expect({ ...(listing as Body), preview }).toMatchObject({ ...counted, ...fields });
    }
  });

  it('a change that changes nothing is no modification', async () => {
    const { id } = await service.list(seller, { title: 'The same' });
    expect((await change(id, { title: 'The same' })).body).toMatchObject({ version: 1, change: null });
  });

  it('of two changes at once, none is lost', async () => {
    const { id } = await service.list(seller);
    const replies = await Promise.all([
      change(id, { title: 'First title' }),
      change(id, { description: 'Second' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await service.get(`/marketplace/listings/${id}/history`);
    expect(body).toMatchObject({ chainValid: true });
    expect(body.entries).toHaveLength(3);
    const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
    expect(listing).toMatchObject({ title: 'First title', description: 'Second', version: 3 });
  });

  it('of many changes at once, each is made or refused as outrun, and the history has those made', async () => {
    const { id } = await service.list(seller);
    const few = await Promise.all(Array.from({ length: 8 }, (_, n) => change(id, { priceCents: n + 1 })));
    expect(few.map(({ status }) => status)).toEqual(few.map(() => 200));
    const many = await Promise.all(Array.from({ length: 24 }, (_, n) => change(id, { title: `Title ${n}` })));
    for (const { status, body } of many) {
      if (status !== 200) expect([status, body.code, body.retryable]).toEqual([409, 'listing_changed', true]);
    }
    const made = [...few, ...many].filter(({ status }) => status === 200);
    const { body } = await service.get(`/marketplace/listings/${id}/history`);
    expect(body).toMatchObject({ chainValid: true });
    const versions = made.map((reply) => (reply.body.change as Body).version);
    expect(new Set(versions).size).toBe(made.length);
    expect(body.entries).toHaveLength(1 + made.length);
  });
});

describe('GET /marketplace/listings/{id}/history', () => {
  interface Entry extends Body {
    version: number;
    digest: string;
    keyId: string;
    signature: string;
    changedAt: string;
    previousDigest: string | null;
  }

  clause(
    'listing-states.signed',
    'browse.history',
    'browse.history-chain',
    'listings.patch-signed',
    'versioning.listing',
  );
  it('public, signed, entries with version, change type and signature', async () => {
    const { id } = await service.list(seller);
    service.market.clock.advance(1000);
    await change(id, { title: 'Another title', reason: 'It was wrong.' });
    service.market.clock.advance(1000);
    await change(id, { active: false });
    const { status, body } = await service.get(`/marketplace/listings/${id}/history`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ listingId: id, chainValid: true });
    const entries = body.entries as Entry[];
    expect(entries.map(({ version, changeType, reason }) => [version, changeType, reason])).toEqual([
      [1, 'created', null],
      [2, 'updated', 'It was wrong.'],
      [3, 'deactivated', null],
    ]);
    let previous: string | null = null;
    for (const { digest, keyId, signature, reason: _reason, texts: _texts, ...unsigned } of entries) {
      expect(unsigned.previousDigest).toBe(previous);
      const statement = { ...unsigned, listingId: id, type: 'listing_history_entry' };
      expect(await digestOfSorted(statement)).toBe(digest);
      await checkSignature({ digest, keyId, signature, signedAt: unsigned.changedAt });
      previous = digest;
    }
    const keys = keySetOf((await service.get('/signing-key')).body as never);
    expect(await verifyListingHistory(id, entries, keys)).toMatchObject({ valid: true, version: 3 });
  });

  clause('browse.history-fingerprints');
  it('data changes appear as fingerprints only, never raw content', async () => {
    const [before, after] = [{ secretive: 'before' }, { secretive: 'after' }];
    const { id } = await service.list(seller, { preview: before });
    await change(id, { preview: after });
    const { text, body } = await service.get(`/marketplace/listings/${id}/history`);
    expect(text).not.toMatch(/secretive|before|after/);
    const [from, to] = [await digestOfSorted(before), await digestOfSorted(after)];
    const changed = (body.entries as Entry[]).map(({ changes }) => (changes as Body).preview);
    expect(changed).toEqual([undefined, { from, to }]);
  });

  it('an unknown listing is 404', async () => {
    expect((await service.get(`/marketplace/listings/${NOWHERE}/history`)).status).toBe(404);
  });
});
