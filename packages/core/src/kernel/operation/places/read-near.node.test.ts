import { beforeEach, describe, expect, it } from 'vitest';
import { copyStorage } from '#test-bindings';
import { apiOperations } from '../../../operations/api.ts';
import { LaggingD1 } from '../../../testing/doubles/lagging-d1.ts';
import { newListingOf } from '../../../testing/fixtures/new-listing.ts';
import { newAgentOf } from '../../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../../testing/marketplace/read-signed.ts';
import { testBindings } from '../../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../../testing/marketplace/workers-harness.ts';
import { isPublicRead } from '../operation.ts';

if (copyStorage === null) throw new Error('This needs databases that can be copied.');
const copies = copyStorage;
const copyAt = (index: number) => () => copies()()[index] as D1Database;
const databases = {
  market: new LaggingD1(testBindings.DB, copyAt(0)),
  search: new LaggingD1(testBindings.SEARCH, copyAt(1)),
};
const market = createTestMarketplace({
  databases: { market: databases.market.d1, search: databases.search.d1 },
});
const catchUp = () => Promise.all([databases.market.catchUp(), databases.search.catchUp()]);

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await market.request('GET', path, { headers });
  return { status: response.status, ...(await readSigned(response)) };
}

const titleOf = (body: Record<string, unknown>) => (body.listing as { title: string }).title;
const BEFORE = 'Before the change';
const AFTER = 'After the change';

async function changedListing() {
  const listing = await newListingOf(market, { title: BEFORE });
  await catchUp();
  const response = await market.request('PATCH', `/marketplace/listings/${listing.id}`, {
    body: { title: AFTER },
    apiKey: listing.seller.apiKey,
  });
  expect(response.status).toBe(200);
  const bookmark = response.headers.get('x-d1-bookmark');
  if (bookmark === null) throw new Error('The answer to a change has no bookmark.');
  return { ...listing, path: `/marketplace/listings/${listing.id}`, bookmark };
}

describe('a read while the replica lags', () => {
  beforeEach(async () => {
    await catchUp();
    market.market.reset();
  });

  it('shows the older state without a key, in one round trip, and the newer one once the replica has it', async () => {
    const { path } = await changedListing();
    market.market.reset();
    expect(titleOf((await read(path)).body)).toBe(BEFORE);
    expect(market.market.count).toBe(1);
    await databases.market.catchUp();
    expect(titleOf((await read(path)).body)).toBe(AFTER);
  });

  it('is not older than the bookmark that is sent, in one round trip', async () => {
    const { path, bookmark } = await changedListing();
    market.market.reset();
    expect(titleOf((await read(path, { 'X-D1-Bookmark': bookmark })).body)).toBe(AFTER);
    expect(market.market.count).toBe(1);
  });

  it('is as if none had been sent where the bookmark is none', async () => {
    const { path } = await changedListing();
    for (const bookmark of ['first-primary', "'; DROP TABLE listings", 'ffffffff', ''])
      expect(titleOf((await read(path, { 'X-D1-Bookmark': bookmark })).body)).toBe(BEFORE);
  });

  it('shows a caller with a key the newest state, in one round trip with its key', async () => {
    const { path, seller } = await changedListing();
    market.market.reset();
    const { body } = await read(path, { 'X-API-Key': seller.apiKey });
    expect(titleOf(body)).toBe(AFTER);
    expect(market.market.count).toBe(1);
  });

  it('shows a key its own change where the operation takes none, without a header', async () => {
    const { path, seller } = await changedListing();
    const newest = (body: Record<string, unknown>) => (body.entries as unknown[]).length;
    expect(newest((await read(`${path}/history`)).body)).toBe(1);
    market.market.reset();
    expect(newest((await read(`${path}/history`, { 'X-API-Key': seller.apiKey })).body)).toBe(2);
    expect(market.market.count).toBe(1);
  });

  it('looks a listing up on the primary that the replica does not know', async () => {
    await catchUp();
    const { id } = await newListingOf(market);
    market.market.reset();
    expect((await read(`/marketplace/listings/${id}`)).status).toBe(200);
    expect(market.market.count).toBe(2);
  });

  it('finds an agent that just registered, by its handle', async () => {
    await catchUp();
    const { connect } = await newAgentOf(market);
    expect((await read(`/agents/${connect.handle}`)).status).toBe(200);
  });

  it('says 404 when neither knows it, after asking both', async () => {
    market.market.reset();
    const { status } = await read('/marketplace/listings/00000000-0000-4000-8000-00000000dead');
    expect(status).toBe(404);
    expect(market.market.count).toBe(2);
  });

  it('lists what the replica has, and what is newer with a bookmark', async () => {
    const { id, seller } = await newListingOf(market, { title: 'Zymurgy almanac' });
    await catchUp();
    const response = await market.request('POST', `/marketplace/listings/${id}/deactivate`, {
      apiKey: seller.apiKey,
    });
    expect(response.status).toBe(200);
    const found = async (headers?: Record<string, string>) =>
      (await read('/marketplace/listings?q=zymurgy', headers)).body.total;
    expect(await found()).toBe(1);
    const bookmark = response.headers.get('x-d1-bookmark') ?? '';
    expect(await found({ 'X-D1-Bookmark': bookmark })).toBe(0);
  });

  it('keys, their ends and what they may do are read on the primary', async () => {
    const { seller } = await newListingOf(market);
    const { apiKey } = seller;
    const made = await market.request('POST', '/agents/me/keys', {
      body: { label: 'second', scopes: ['all'] },
      apiKey,
    });
    const { key, apiKey: second } = (await readSigned(made)).body as { key: { id: string }; apiKey: string };
    await catchUp();
    expect((await read('/agents/me', { 'X-API-Key': second })).status).toBe(200);
    const ended = await market.request('POST', `/agents/me/keys/${key.id}/revoke`, { apiKey });
    expect(ended.status).toBe(200);
    expect((await read('/agents/me', { 'X-API-Key': second })).status).toBe(401);
  });
});

/** Public reads that the primary answers for everybody, and why. */
const ON_THE_PRIMARY: Readonly<Record<string, string>> = {
  aboutMarketplace: 'reads no database',
  getApproval: 'what is approved moves money',
  getAttachment: 'access may have ended',
  getClaim: 'a link that may have been used or renewed',
  getFees: 'reads no database',
  getHealth: 'says whether the primary answers',
  getHealthConsent: 'a consent may have been withdrawn',
  getHealthTerms: 'reads no database',
  getListingImage: 'a picture may have been taken off the market',
  getInquiryThread: 'for who wrote it: its own message must be there',
  getMeta: 'reads no database',
  getPayoutChange: 'a change that may have been cancelled',
  getReportStatus: 'for who wrote it',
  getSigningKey: 'a receipt signed with a new key must verify at once',
  verifyAffiliatedReceipt: 'a receipt that was just signed must verify',
};

it('each public read says what of it may be late, or why nothing is', () => {
  const reads = apiOperations.filter(isPublicRead);
  expect(Object.keys(ON_THE_PRIMARY).sort()).toEqual(
    reads
      .filter(({ lag }) => lag === undefined)
      .map(({ name }) => name)
      .sort(),
  );
  const others = apiOperations.filter((one) => one.lag !== undefined && !isPublicRead(one));
  expect(others.map(({ name }) => name)).toEqual([]);
});
