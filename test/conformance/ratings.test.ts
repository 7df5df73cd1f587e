import { weighBuyers } from '@agent-marketplace/core/agents/index.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import {
  checkSignature,
  digestOfSorted,
  type Receipt,
} from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { keySetOf, verifyRatingAttestation } from '@agent-marketplace/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, NOWHERE, pathsOf } from './service.ts';

// Parts "Rating" and "POST /marketplace/listings/{id}/rate" of the specification.

const sales = createSalesMarketplace();
const service = createService(sales.market);
let seller: RegisteredAgent;
let buyer: RegisteredAgent;
let listingId: string;
beforeAll(async () => {
  sales.market.sellerEndpoint.script = sellerOf({ answer: 42 });
  seller = await sales.seller();
  buyer = await sales.newAgent();
  await sales.fund(buyer, 50_000);
  listingId = (await sales.listing({ priceCents: 100 }, seller)).id;
});

const newPurchase = async (by = buyer) =>
  (await sales.buy(listingId, by, { body: { payment_method: 'wallet' } })).body.id;
const rate = (body: Body, key: string | undefined = buyer.apiKey, id = listingId) =>
  service.post(`/marketplace/listings/${id}/rate`, body, key === undefined ? {} : { key });
const listing = async () => (await service.get(`/marketplace/listings/${listingId}`)).body.listing as Body;

describe('POST /marketplace/listings/{id}/rate', () => {
  clause('rating.attestation', 'purchasing.rate-response');
  it('response 200: the rating, with a signed attestation that a paying buyer left it', async () => {
    const purchase_id = await newPurchase();
    const { status, body } = await rate({ purchase_id, rating: 4, comment: 'Exact.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ listingId, purchaseId: purchase_id, rating: 4, comment: 'Exact.' });
    const { statement, ...receipt } = body.attestation as Receipt & { statement: Body };
    expect(statement).toMatchObject({
      type: 'rating_attestation',
      listingId,
      rating: 4,
      sellerId: seller.id,
    });
    expect(await digestOfSorted(statement)).toBe(receipt.digest);
    await checkSignature(receipt);
    const checked = await service.post('/verify-receipt', { receipt, payload: statement });
    expect(checked.body.valid).toBe(true);
    // Who holds the answer proves which purchase it is of; who reads the list proves that there was one.
    const keys = keySetOf((await service.get('/signing-key')).body as never);
    expect(await verifyRatingAttestation(body, keys)).toMatchObject({ valid: true, purchase: 'matches' });
    const other = { ...body, purchaseId: NOWHERE };
    expect(await verifyRatingAttestation(other, keys)).toMatchObject({ valid: false });
  });

  clause('purchasing.rate-key');
  it('api_key in the body is accepted; without a key 401', async () => {
    const body = { purchase_id: await newPurchase(), rating: 5 };
    expect((await service.post(`/marketplace/listings/${listingId}/rate`, body)).status).toBe(401);
    const given = { ...body, api_key: buyer.apiKey };
    expect((await service.post(`/marketplace/listings/${listingId}/rate`, given)).status).toBe(200);
  });

  clause('purchasing.rate-purchase', 'authentication.9-rating');
  it('purchase_id uuid and rating are required', async () => {
    expect(pathsOf(await rate({})).sort()).toEqual(['purchase_id', 'rating']);
    expect(pathsOf(await rate({ purchase_id: 'x', rating: 5 }))).toEqual(['purchase_id']);
  });

  clause('rating.values', 'purchasing.rate-rating', 'limits.rating');
  it('rating integer 1-5', async () => {
    const own = (await sales.listing({ priceCents: 100 }, seller)).id;
    const { id: purchase_id } = (await sales.buy(own, buyer, { body: { payment_method: 'wallet' } })).body;
    const shown = async () => (await service.get(`/marketplace/listings/${own}`)).body.listing;
    for (const rating of [1, 2, 3, 4, 5]) {
      expect((await rate({ purchase_id, rating }, buyer.apiKey, own)).status).toBe(200);
      expect(await shown()).toMatchObject({ ratingAvg: rating, ratingCount: 1 });
    }
    for (const rating of [0, 6, 4.5, '5', null]) {
      expect(pathsOf(await rate({ purchase_id, rating }, buyer.apiKey, own))).toEqual(['rating']);
    }
    expect(await shown()).toMatchObject({ ratingAvg: 5, ratingCount: 1 });
  });

  clause('rating.comment', 'purchasing.rate-comment', 'limits.rating');
  it('comment optional, at most 2000 characters', async () => {
    const purchase_id = await newPurchase();
    expect((await rate({ purchase_id, rating: 5 })).body.comment).toBeNull();
    const longest = 'c'.repeat(2000);
    expect((await rate({ purchase_id, rating: 5, comment: longest })).body.comment).toBe(longest);
    expect(pathsOf(await rate({ purchase_id, rating: 5, comment: `${longest}c` }))).toEqual(['comment']);
    const { body } = await service.get(`/marketplace/listings/${listingId}/ratings`);
    expect((body.ratings as Body[]).map(({ comment }) => comment)).toContain(longest);
  });

  clause('rating.purchase', 'authentication.9-rating');
  it('is tied to one paid purchase, and requires its buyer’s key', async () => {
    const purchase_id = await newPurchase();
    const stranger = await sales.newAgent();
    expect((await rate({ purchase_id, rating: 5 }, stranger.apiKey)).status).toBe(403);
    expect((await rate({ purchase_id: NOWHERE, rating: 5 })).status).toBe(404);
    const other = (await sales.listing({ priceCents: 0 }, seller)).id;
    const free = (await sales.buy(other, buyer)).body.id;
    expect((await rate({ purchase_id: free, rating: 5 }, buyer.apiKey, other)).body.code).toBe(
      'purchase_not_paid',
    );
    expect((await rate({ purchase_id, rating: 5 }, buyer.apiKey, other)).body.code).toBe(
      'purchase_of_other_listing',
    );
  });

  clause('listing.rating', 'rating.re-rating', 'browse.detail');
  it('re-rating the same purchase updates the existing rating', async () => {
    const own = (await sales.listing({ priceCents: 100 }, seller)).id;
    const { id: purchase_id } = (await sales.buy(own, buyer, { body: { payment_method: 'wallet' } })).body;
    await rate({ purchase_id, rating: 1 }, buyer.apiKey, own);
    await rate({ purchase_id, rating: 5 }, buyer.apiKey, own);
    const { body } = await service.get(`/marketplace/listings/${own}`);
    expect(body).toMatchObject({ listing: { ratingAvg: 5, ratingCount: 1 }, ratings: { count: 1 } });
    // Of another buyer it is another rating, and the average is of both.
    const second = await sales.newAgent();
    await sales.fund(second, 1000);
    const { id } = (await sales.buy(own, second, { body: { payment_method: 'wallet' } })).body;
    expect((await rate({ purchase_id: id, rating: 2 }, second.apiKey, own)).status).toBe(200);
    expect((await service.get(`/marketplace/listings/${own}`)).body).toMatchObject({
      listing: { ratingAvg: 3.5, ratingCount: 2 },
      ratings: { count: 2 },
    });
  });

  clause('rating.anonymous');
  it('is anonymous: no public answer names the buyer or the purchase', async () => {
    const purchase_id = await newPurchase();
    await rate({ purchase_id, rating: 3, comment: 'Fair.' });
    const list = await service.get(`/marketplace/listings/${listingId}/ratings`);
    expect(list.body.ratings).toContainEqual(expect.objectContaining({ rating: 3, comment: 'Fair.' }));
    for (const path of [`/marketplace/listings/${listingId}`, `/marketplace/listings/${listingId}/ratings`]) {
      const { text } = await service.get(path);
      for (const secret of [buyer.id, purchase_id, buyer.apiKey]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/"buyer-[0-9a-f]{6}"/);
    }
  });
});

describe('what ratings are for', () => {
  clause('browse.sort-quality', 'browse.min-rating');
  it('ratingAvg and ratingCount of the listing; min_rating and sort=quality of browsing', async () => {
    const own = (await sales.listing({ priceCents: 100, title: 'Xylograph prints' }, seller)).id;
    const worse = (await sales.listing({ priceCents: 100, title: 'Xylograph blocks' }, seller)).id;
    await sales.listing({ priceCents: 100, title: 'Xylograph unrated' }, seller);
    for (const [id, rating] of [
      [own, 4],
      [worse, 3],
    ] as const) {
      const { id: purchase_id } = (await sales.buy(id, buyer, { body: { payment_method: 'wallet' } })).body;
      await rate({ purchase_id, rating }, buyer.apiKey, id);
    }
    await sales.market.background.settled();
    await weighBuyers(sales.market.newPorts());
    await sweepSearchOutbox(sales.market.newPorts());
    sales.market.clock.advance(60_000);
    const ids = async (query: string) =>
      (await service.browse(`?q=xylograph&${query}`)).listings.map(({ id }) => id);
    expect(await ids('min_rating=4')).toEqual([own]);
    expect(await ids('min_rating=5')).toEqual([]);
    expect((await ids('min_rating=1')).sort()).toEqual([own, worse].sort());
    const byQuality = await ids('sort=quality');
    expect(byQuality.indexOf(own)).toBeLessThan(byQuality.indexOf(worse));
    expect(await listing()).toMatchObject({ ratingAvg: expect.any(Number), ratingCount: expect.any(Number) });
  });
});
