import {
  createMarketplaceClient,
  type MarketplaceClient,
  remoteKeys,
  verifyListingHistory,
  verifyPurchaseReceipt,
  verifyResponse,
} from '@agent-marketplace/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { type Check, faultsFound } from './independent.ts';
import { type LiveMarketplace, startMarketplace } from './marketplace.ts';
import { type LiveSeller, startSeller } from './seller.ts';

// One story, told in order: every step builds on the one before.

let market: LiveMarketplace;
let seller: LiveSeller;
let asSeller: MarketplaceClient;
let asBuyer: MarketplaceClient;
let buyerKey: string;
let anyone: MarketplaceClient;
/** Every answer's text, as it came over the wire. */
const texts: string[] = [];

const fetchAndKeep: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  texts.push(await response.clone().text());
  return response;
};

const DELIVERABLE = {
  tide: [1.5, 2.25, -0.125],
  café: '名前 😀',
  nested: { b: null, a: true },
  '10': 1,
  '9': 2,
};

beforeAll(async () => {
  market = await startMarketplace();
  seller = await startSeller(market.baseUrl(), ({ query }) => (query.day === 'never' ? null : DELIVERABLE));
  anyone = createMarketplaceClient({ baseUrl: market.baseUrl(), fetch: fetchAndKeep, retries: 0 });
});
afterAll(async () => {
  await seller?.close();
  await market?.close();
});

let listingId: string;
let purchase: Awaited<ReturnType<MarketplaceClient['purchaseListing']>>;

describe('a sale of a free listing', () => {
  it('two agents register', async () => {
    const [one, other] = [
      await anyone.registerAgent({ name: 'Seller' }),
      await anyone.registerAgent({ name: 'Buyer' }),
    ];
    asSeller = anyone.withApiKey(one.apiKey);
    buyerKey = other.apiKey;
    asBuyer = anyone.withApiKey(buyerKey);
    expect((await asBuyer.getOwnAgent()).id).toBe(other.id);
  });

  it('a listing without an endpoint is pending, and goes live when the endpoint is verified', async () => {
    const { listing, claimUrl } = await asSeller.createListing({
      title: 'Tide tables of Brest',
      description: 'High and low water, computed.',
      preview: { columns: ['tide'] },
      priceCents: 0,
      consent: true,
    });
    listingId = listing.id;
    expect([listing.status, typeof claimUrl]).toEqual(['pending', 'string']);
    const verified = await asSeller.setDeliveryEndpoint({ callbackUrl: seller.callbackUrl });
    expect(verified.activatedListings).toEqual([listingId]);
  });

  it('browsing finds it', async () => {
    const { listings } = await anyone.browseListings({ q: 'tide bre' });
    expect(listings.map(({ id }) => id)).toContain(listingId);
  });

  it('the buyer gets exactly what the seller delivered', async () => {
    purchase = await asBuyer.purchaseListing({ listingId, query: { day: '2026-01-01' } });
    expect(purchase.status).toBe('released');
    expect(purchase.content).toMatchObject(DELIVERABLE);
    const again = await asBuyer.getPurchase({ purchaseId: purchase.id });
    expect([again.content, again.contentMatchesReceipt]).toEqual([purchase.content, true]);
  });

  it('a seller that has nothing costs nothing', async () => {
    const refused = asBuyer.purchaseListing({ listingId, query: { day: 'never' } });
    await expect(refused).rejects.toMatchObject({ code: 'delivery_unavailable' });
  });

  it('a change is versioned', async () => {
    const { version } = await asSeller.updateListing({
      listingId,
      title: 'Tides of Brest',
      reason: 'Shorter.',
    });
    expect(version).toBe(2);
  });
});

describe('what was signed', () => {
  it('the SDK verifies the purchase, the history and every answer offline', async () => {
    const keys = await remoteKeys({ baseUrl: market.baseUrl() }).keysFor('');
    expect(await verifyPurchaseReceipt(purchase, keys)).toMatchObject({ valid: true, content: 'matches' });
    const { entries } = await anyone.getListingHistory({ listingId });
    expect(await verifyListingHistory(listingId, entries, keys)).toMatchObject({ valid: true, version: 2 });
    for (const text of texts) expect(await verifyResponse(text, keys), text).toMatchObject({ valid: true });
  });

  clause('receipt.message', 'provenance.signs-posts', 'events.message');
  it('OpenSSL and Python verify them too, and the POSTs that the seller received', async () => {
    const signingKey = await anyone.getSigningKey();
    const { entries } = await anyone.getListingHistory({ listingId });
    const { receipt } = purchase;
    const checks: Check[] = [
      ...texts.map((text) => ({ kind: 'response' as const, text })),
      { kind: 'statement', statement: receipt?.statement, receipt },
      ...entries.map(({ digest, keyId, signature, reason: _reason, texts: _texts, ...entry }) => ({
        kind: 'statement' as const,
        statement: { ...entry, listingId, type: 'listing_history_entry' },
        receipt: { digest, keyId, signature, signedAt: entry.changedAt },
      })),
      ...seller.received.map((post) => ({ kind: 'post' as const, url: seller.callbackUrl, ...post })),
    ];
    expect(seller.received.length).toBeGreaterThan(2);
    const keys = { [signingKey.keyId]: signingKey.publicKeyPem };
    expect(faultsFound(keys, checks)).toEqual([]);
  });

  it('which a change of one byte would not pass', async () => {
    const { keyId, publicKeyPem } = await anyone.getSigningKey();
    const [text = ''] = texts;
    const forged = text.replace('mkt_live_', 'mkt_live-');
    expect(faultsFound({ [keyId]: publicKeyPem }, [{ kind: 'response', text: forged }])).toHaveLength(1);
  });

  clause('provenance.rotation', 'versioning.keys');
  it('stays good when the key is rotated, and new answers are signed with the new key', async () => {
    const before = await anyone.getSigningKey();
    const { receipt } = purchase;
    await market.rotateKey();
    const after = createMarketplaceClient({ baseUrl: market.baseUrl(), retries: 0 });
    const { keyId, keys } = await after.getSigningKey();
    expect(keyId).not.toBe(before.keyId);
    expect(keys.map((key) => [key.keyId, key.status])).toEqual([
      [keyId, 'active'],
      [before.keyId, 'retired'],
    ]);
    const known = await remoteKeys({ baseUrl: market.baseUrl() }).keysFor('');
    expect(await verifyPurchaseReceipt(purchase, known)).toMatchObject({ valid: true });
    const { entries } = await after.getListingHistory({ listingId });
    expect(await verifyListingHistory(listingId, entries, known)).toMatchObject({ valid: true });
    const pems = Object.fromEntries(keys.map((key) => [key.keyId, key.publicKeyPem]));
    const checks = texts.map((text) => ({ kind: 'response' as const, text }));
    expect(
      faultsFound(pems, [...checks, { kind: 'statement', statement: receipt?.statement, receipt }]),
    ).toEqual([]);
    // What sellers are sent is signed with the new key, too.
    const bought = await after.withApiKey(buyerKey).purchaseListing({ listingId, query: { day: 'last' } });
    expect(bought.content).toMatchObject(DELIVERABLE);
    const [post] = seller.received.slice(-1);
    expect(post?.headers['x-mkt-key-id']).toBe(keyId);
    expect(faultsFound(pems, [{ kind: 'post', url: seller.callbackUrl, ...post } as Check])).toEqual([]);
  });

  it('nothing of it changes when the jobs run again', async () => {
    await market.runScheduled();
    const after = createMarketplaceClient({ baseUrl: market.baseUrl(), retries: 0 });
    expect((await after.getListing({ listingId })).listing.soldCount).toBe(2);
  });
});
