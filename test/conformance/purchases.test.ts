import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  checkSignature,
  digestOfSorted,
  type Receipt,
} from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import {
  type Body,
  createService,
  DATE_TIME,
  NOWHERE,
  type Party,
  pathsOf,
  SHA256,
  UUID,
} from './service.ts';

const service = createService();
const { sellerEndpoint } = service.market;
let seller: Party;
let buyer: Party;
let listing: Body & { id: string };
beforeAll(async () => {
  seller = await service.seller();
  buyer = await service.register('Buyer');
  listing = await service.list(seller);
});
beforeEach(() => {
  sellerEndpoint.script = sellerOf({ answer: 42 });
});

const buy = (body: Body = {}, party: Party | null = buyer, id = listing.id) =>
  service.post(`/marketplace/listings/${id}/purchase`, body, party ? { key: party.apiKey } : {});

describe('POST /marketplace/listings/{id}/purchase', () => {
  clause('purchase.id', 'escrow.free', 'purchasing.response');
  it('response 200: free listings deliver immediately and show status released', async () => {
    const { status, body } = await buy();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID),
      listingId: listing.id,
      status: 'released',
      amountCents: 0,
      platformFeeCents: 0,
      checkoutUrl: null,
      content: { answer: 42 },
      contentDigest: expect.stringMatching(SHA256),
      deliveredAt: expect.stringMatching(DATE_TIME),
    });
  });

  clause('service.digest', 'purchase.receipt', 'purchase.digest');
  it('the deliverable is bound to the receipt by a SHA-256 digest', async () => {
    sellerEndpoint.script = sellerOf({ b: [1, { z: null, a: '名' }], a: 1.5 });
    const { body } = await buy();
    expect(await digestOfSorted(body.content)).toBe(body.contentDigest);
    const { statement, ...receipt } = body.receipt as Receipt & { statement: Body };
    expect(statement).toMatchObject({
      type: 'purchase_receipt',
      contentDigest: body.contentDigest,
      purchaseId: body.id,
      listingId: listing.id,
      fingerprint: listing.fingerprint,
      sellerId: seller.id,
      buyer: expect.stringMatching(/^buyer-[0-9a-f]{6}$/),
    });
    expect(await digestOfSorted(statement)).toBe(receipt.digest);
    await checkSignature(receipt);
    const checked = await service.post('/verify-receipt', { receipt, payload: statement });
    expect(checked.body.valid).toBe(true);
  });

  clause('purchasing.key-recommended');
  it('without a key the purchase is not tied to an agent and not retrievable later', async () => {
    const { status, body } = await buy({}, null);
    expect([status, body.content]).toEqual([200, { answer: 42 }]);
    const path = `/marketplace/purchases/${body.id}`;
    expect((await service.get(path, { key: buyer.apiKey })).status).toBe(403);
    expect((await service.get(path, { key: seller.apiKey })).status).toBe(403);
    const keyless = await service.get(path);
    expect([keyless.status, keyless.body.content]).toEqual([401, undefined]);
  });

  clause('service.own-listing', 'errors.own-listing');
  it('a buyer cannot buy their own listing', async () => {
    const asked = sellerEndpoint.requests.length;
    const { status, body } = await buy({}, seller);
    expect([status, body.code, body.content]).toEqual([403, 'own_listing', undefined]);
    expect(sellerEndpoint.requests).toHaveLength(asked);
  });

  clause('listing-states.inactive-hidden');
  it('inactive, pending and unknown listings cannot be bought', async () => {
    const { id } = await service.list(seller);
    await service.patch(`/marketplace/listings/${id}`, { active: false }, { key: seller.apiKey });
    expect((await buy({}, buyer, id)).status).toBe(409);
    const fresh = await service.register('Fresh');
    const pending = await service.list(fresh);
    expect((await buy({}, buyer, pending.id)).status).toBe(409);
    expect((await buy({}, buyer, NOWHERE)).status).toBe(404);
  });

  clause('purchasing.email');
  it('email: format', async () => {
    expect(pathsOf(await buy({ email: 'nobody' }))).toEqual(['email']);
    expect((await buy({ email: 'b@example.com' })).status).toBe(200);
  });

  clause('errors.charged');
  it('money routes say whether anything was charged', async () => {
    expect((await buy({ email: 'nobody' })).body.charged).toBe(false);
    expect((await buy({}, seller)).body.charged).toBe(false);
  });

  it('costs two round trips beside the delivery', async () => {
    service.market.market.reset();
    await buy();
    await service.market.background.settled();
    const waited = service.market.market.roundTrips.filter((sql) => !/^update "?sellers/i.test(sql.join()));
    expect(waited).toHaveLength(2);
  });
});

describe('the query', () => {
  it('is checked against the listing’s inputSchema before the seller is asked', async () => {
    const { id } = await service.list(seller, {
      inputSchema: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] },
    });
    const asked = sellerEndpoint.requests.length;
    for (const query of [undefined, {}, { day: 'x' }]) {
      const { status, body } = await buy(query ? { query } : {}, buyer, id);
      expect([status, body.code]).toEqual([400, query ? 'query_not_accepted' : 'query_required']);
    }
    expect(sellerEndpoint.requests).toHaveLength(asked);
    expect((await buy({ query: { day: 1 } }, buyer, id)).status).toBe(200);
  });
});

describe('listingType limited and exclusive', () => {
  clause('listing.max-copies');
  it('maxCopies are never oversold, also by purchases at once (invariant 5)', async () => {
    const { id } = await service.list(seller, { listingType: 'limited', maxCopies: 2 });
    const replies = await Promise.all(Array.from({ length: 6 }, () => buy({}, buyer, id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, ['sold_out', 'listing_changed_while_buying'].includes(String(body.code))]).toEqual([
        409,
        true,
      ]);
      expect(body).not.toHaveProperty('content');
    }
  });

  clause('listing.exclusive-sold');
  it('an exclusive listing sells once', async () => {
    const { id } = await service.list(seller, { listingType: 'exclusive' });
    const { body: before } = await service.get(`/marketplace/listings/${id}`);
    expect(before.listing).toMatchObject({ exclusiveSold: false, soldCount: 0 });
    expect((await buy({}, buyer, id)).status).toBe(200);
    expect((await buy({}, buyer, id)).body.code).toBe('sold_out');
    const { body } = await service.get(`/marketplace/listings/${id}`);
    expect(body.listing).toMatchObject({ exclusiveSold: true, soldCount: 1 });
  });
});

describe('GET /marketplace/purchases/{id}', () => {
  clause('purchasing.read-key');
  it('needs the key that bought', async () => {
    const { body } = await buy();
    expect((await service.get(`/marketplace/purchases/${body.id}`)).status).toBe(401);
    expect((await service.get(`/marketplace/purchases/${body.id}`, { key: seller.apiKey })).status).toBe(403);
    expect((await service.get(`/marketplace/purchases/${NOWHERE}`, { key: buyer.apiKey })).status).toBe(404);
  });

  clause('purchase.content', 'purchasing.read');
  it('response 200: status, receipt, and the content, relayed again', async () => {
    const { body: bought } = await buy({ query: { day: 7 } });
    const asked = sellerEndpoint.requests.length;
    const { status, body } = await service.get(`/marketplace/purchases/${bought.id}`, { key: buyer.apiKey });
    expect(status).toBe(200);
    expect(body).toEqual(bought);
    expect(sellerEndpoint.requests).toHaveLength(asked + 1);
    expect(sellerEndpoint.requests.at(-1)?.body).toContain('"query":{"day":7}');
  });

  clause('purchase.compared');
  it('says whether the content still is what was bought; the receipt stays', async () => {
    const { body: bought } = await buy();
    const again = () => service.get(`/marketplace/purchases/${bought.id}`, { key: buyer.apiKey });
    expect((await again()).body).toMatchObject({ content: { answer: 42 }, contentMatchesReceipt: true });
    sellerEndpoint.script = sellerOf({ answer: 43 });
    const changed = await again();
    expect(changed.body).toMatchObject({
      contentMatchesReceipt: false,
      receipt: bought.receipt,
      status: 'released',
    });
    sellerEndpoint.script = () => replied({}, 500);
    expect((await again()).body).toMatchObject({
      content: null,
      contentStatus: 'failed',
      receipt: bought.receipt,
    });
    sellerEndpoint.script = sellerOf({ answer: 42 });
    expect((await again()).body).toMatchObject({ content: { answer: 42 }, contentMatchesReceipt: true });
  });
});
