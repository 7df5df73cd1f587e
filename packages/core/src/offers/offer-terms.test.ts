import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market } = sales;
const PRICE_CENTS = 90_000;
const OFFER_CENTS = 50_000;

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

interface OfferBody {
  readonly id: string;
  readonly status: string;
  readonly purchaseId: string | null;
  readonly fingerprint: string | null;
  readonly listingVersion: number | null;
  readonly code?: string;
}

async function ask(method: string, path: string, { apiKey }: RegisteredAgent, body: object = {}) {
  const answer = await sales.request(method, path, apiKey, method === 'GET' ? undefined : body);
  return { status: answer.status, body: answer.body as unknown as OfferBody };
}
const makeOffer = (listingId: string, buyer: RegisteredAgent) =>
  ask('POST', `/marketplace/listings/${listingId}/offers`, buyer, { amountCents: OFFER_CENTS });
const read = (offerId: string, reader: RegisteredAgent) =>
  ask('GET', `/marketplace/offers/${offerId}`, reader);
const accept = (offerId: string, seller: RegisteredAgent) =>
  ask('POST', `/sell/offers/${offerId}/accept`, seller);
const withdraw = (offerId: string, buyer: RegisteredAgent) =>
  ask('POST', `/marketplace/offers/${offerId}/withdraw`, buyer);

/** An offer that its buyer's wallet covers. */
async function offered(funds = OFFER_CENTS) {
  const { id, seller } = await sales.listing({
    listingType: 'exclusive',
    priceCents: PRICE_CENTS,
    title: 'Full patent portfolio',
  });
  const buyer = await sales.newAgent();
  if (funds > 0) await sales.fund(buyer, funds);
  const { status, body } = await makeOffer(id, buyer);
  expect(status, JSON.stringify(body)).toBe(201);
  const change = async (fields: object) => {
    market.clock.advance(1000);
    const changed = await sales.request('PATCH', `/marketplace/listings/${id}`, seller.apiKey, fields);
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  };
  return { id, seller, buyer, offerId: body.id, offer: body, change };
}

async function expectNothingSold(listingId: string, buyer: RegisteredAgent, funds = OFFER_CENTS) {
  expect(await sales.purchases(listingId)).toEqual([]);
  expect(await sales.sold(listingId)).toBe(0);
  expect(await sales.balanceOf(buyer)).toBe(funds);
}

describe('an offer is for the listing as it was when it was made', () => {
  it.each([
    [{ title: 'One expired patent' }],
    [{ description: 'A single one, expired.' }],
    [{ preview: { patents: 1 } }],
  ])('and is not accepted once it says %j', async (fields) => {
    const { id, seller, buyer, offerId, change } = await offered();
    await change(fields);
    const { status, body } = await accept(offerId, seller);
    expect([status, body.code]).toEqual([409, 'offer_outdated']);
    await expectNothingSold(id, buyer);
    expect((await read(offerId, buyer)).body.status).toBe('open');
  });

  it('by checkout neither', async () => {
    const { id, seller, buyer, offerId, change } = await offered(0);
    await change({ title: 'One expired patent' });
    expect((await accept(offerId, seller)).body.code).toBe('offer_outdated');
    await expectNothingSold(id, buyer, 0);
  });

  it('tells both which that was', async () => {
    const { id, seller, buyer, offerId, offer, change } = await offered();
    const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
    const { listing } = body as unknown as { listing: { fingerprint: string; version: number } };
    expect(offer).toMatchObject({ fingerprint: listing.fingerprint, listingVersion: listing.version });
    await change({ title: 'One expired patent' });
    for (const reader of [seller, buyer]) {
      expect((await read(offerId, reader)).body).toMatchObject({ fingerprint: listing.fingerprint });
    }
  });

  it('whatever its price is now, and whether it was off the market for a while', async () => {
    const { seller, buyer, offerId, change } = await offered();
    await change({ priceCents: 2 * PRICE_CENTS });
    await change({ active: false });
    expect((await accept(offerId, seller)).body.code).toBe('listing_not_active');
    await change({ active: true });
    expect((await accept(offerId, seller)).body.status).toBe('accepted');
    expect(await sales.balanceOf(buyer)).toBe(0);
  });

  it('and is accepted once it is so again', async () => {
    const { seller, offerId, change } = await offered();
    await change({ title: 'One expired patent' });
    expect((await accept(offerId, seller)).body.code).toBe('offer_outdated');
    await change({ title: 'Full patent portfolio' });
    expect((await accept(offerId, seller)).body.status).toBe('accepted');
  });

  it('makes room for another offer of its buyer once it is outdated, which is accepted', async () => {
    const { id, seller, buyer, offerId, change } = await offered();
    expect((await makeOffer(id, buyer)).body.code).toBe('offer_already_open');
    await change({ title: 'One expired patent' });
    const another = await makeOffer(id, buyer);
    expect([another.status, (await read(offerId, buyer)).body.status]).toEqual([201, 'withdrawn']);
    expect((await accept(offerId, seller)).body.code).toBe('offer_not_open');
    expect((await accept(another.body.id, seller)).body.status).toBe('accepted');
  });

  it("of others' offers none makes room", async () => {
    const { id, buyer, offerId, change } = await offered();
    await change({ title: 'One expired patent' });
    expect((await makeOffer(id, await sales.newAgent())).status).toBe(201);
    expect((await read(offerId, buyer)).body.status).toBe('open');
  });

  describe('where the offer, of before, does not say so itself,', () => {
    const forget = (offerId: string) =>
      sales.rows(
        'UPDATE offers SET listing_fingerprint = NULL, listing_version = NULL WHERE id = ?',
        offerId,
      );

    it("by the listing's history", async () => {
      const { id, seller, buyer, offerId, change } = await offered();
      await forget(offerId);
      await change({ priceCents: 2 * PRICE_CENTS });
      await change({ title: 'One expired patent' });
      expect((await accept(offerId, seller)).body.code).toBe('offer_outdated');
      await expectNothingSold(id, buyer);
      expect((await read(offerId, buyer)).body).toMatchObject({ fingerprint: null, listingVersion: null });
    });

    it('and is accepted as it was', async () => {
      const { id, seller, change, buyer, offerId } = await offered();
      await withdraw(offerId, buyer);
      await change({ title: 'Two patents' });
      const { body: second } = await makeOffer(id, buyer);
      await forget(second.id);
      await change({ priceCents: 2 * PRICE_CENTS });
      expect((await accept(second.id, seller)).body.status).toBe('accepted');
    });
  });
});

describe('a buyer takes an offer back', () => {
  it('which nobody accepts any more, and makes another', async () => {
    const { id, seller, buyer, offerId } = await offered();
    const { status, body } = await withdraw(offerId, buyer);
    expect([status, body.status, body.purchaseId]).toEqual([200, 'withdrawn', null]);
    expect((await read(offerId, seller)).body.status).toBe('withdrawn');
    const { body: dashboard } = await sales.request('GET', '/sell/me', seller.apiKey);
    expect(dashboard).toMatchObject({ offers: [] });
    for (const verb of ['accept', 'decline']) {
      const refused = await ask('POST', `/sell/offers/${offerId}/${verb}`, seller);
      expect([refused.status, refused.body.code]).toEqual([409, 'offer_not_open']);
    }
    await expectNothingSold(id, buyer);
    expect((await makeOffer(id, buyer)).status).toBe(201);
  });

  it('once, and only while it is open', async () => {
    const open = await offered();
    expect((await withdraw(open.offerId, open.buyer)).status).toBe(200);
    expect((await withdraw(open.offerId, open.buyer)).body.code).toBe('offer_not_open');

    const declined = await offered();
    await ask('POST', `/sell/offers/${declined.offerId}/decline`, declined.seller);
    expect((await withdraw(declined.offerId, declined.buyer)).body.code).toBe('offer_not_open');
    expect((await read(declined.offerId, declined.buyer)).body.status).toBe('declined');

    const expired = await offered();
    market.clock.advance(8 * 24 * 3600_000);
    expect((await withdraw(expired.offerId, expired.buyer)).body.code).toBe('offer_not_open');
    expect((await read(expired.offerId, expired.buyer)).body.status).toBe('expired');
  });

  it('and nobody else does', async () => {
    const { seller, buyer, offerId } = await offered();
    for (const other of [seller, await sales.newAgent()]) {
      const { status, body } = await withdraw(offerId, other);
      expect([status, body.code]).toEqual([403, 'not_offer_party']);
    }
    expect((await withdraw(crypto.randomUUID(), buyer)).body.code).toBe('offer_not_found');
    expect((await read(offerId, buyer)).body.status).toBe('open');
  });

  it('not after it was accepted: the sale stands', async () => {
    const { id, seller, buyer, offerId } = await offered();
    expect((await accept(offerId, seller)).body.status).toBe('accepted');
    expect((await withdraw(offerId, buyer)).body.code).toBe('offer_not_open');
    expect([await sales.sold(id), await sales.balanceOf(buyer)]).toEqual([1, 0]);
  });

  it.each([
    ['wallet', OFFER_CENTS],
    ['checkout', 0],
  ])('just as it is accepted, by %s: one of the two', async (_, funds) => {
    const { id, seller, buyer, offerId } = await offered(funds);
    const [taken, sold] = await Promise.all([withdraw(offerId, buyer), accept(offerId, seller)]);
    expect([taken.status, sold.status].sort()).toEqual([200, 409]);
    const { body } = await read(offerId, buyer);
    expect(body.status).toBe(taken.status === 200 ? 'withdrawn' : 'accepted');
    expect(await sales.sold(id)).toBe(taken.status === 200 ? 0 : 1);
    if (taken.status === 200) expect(await sales.balanceOf(buyer)).toBe(funds);
  });
});
