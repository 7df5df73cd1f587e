import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, LISTING, type Party } from './service.ts';

const service = createService();
let seller: Party;
beforeAll(async () => {
  seller = await service.seller();
});

const create = (fields: Body, party = seller) =>
  service.post('/marketplace/listings', { ...LISTING, ...fields }, { key: party.apiKey });
const change = (id: string, fields: Body, party = seller) =>
  service.patch(`/marketplace/listings/${id}`, fields, { key: party.apiKey });

describe('States and transitions: Listing', () => {
  clause('listing-states.pending', 'listing.seller-badges');
  it('(none) → pending without a verified endpoint, with a claimUrl', async () => {
    const fresh = await service.register('Fresh');
    const { status, body } = await create({}, fresh);
    expect(status).toBe(201);
    expect(body.listing).toMatchObject({ status: 'pending', active: false, sellerBadges: [] });
    expect(body.claimUrl).toMatch(/\/claim\//);
    const { id } = body.listing as { id: string };
    const shown = (await service.get(`/marketplace/listings/${id}`, { key: fresh.apiKey })).body;
    expect(shown.listing).toMatchObject({ status: 'pending', active: false, sellerBadges: [] });
    service.market.clock.advance(60_000);
    const { listings } = await service.browse('?limit=100');
    expect(listings.map((one) => one.id)).not.toContain(id);
  });

  clause('listing-states.claim');
  it('whoever has the claimUrl verifies the endpoint, without the key', async () => {
    const fresh = await service.register('Fresh');
    const { listing, claimUrl } = (await create({}, fresh)).body as { listing: Body; claimUrl: string };
    const token = claimUrl.split('/').at(-1);
    const callback = { callbackUrl: 'http://localhost:9/deliver' };
    expect((await service.post(`/sell/claims/${token}0/callback`, callback)).status).toBe(404);
    const { status, body } = await service.post(`/sell/claims/${token}/callback`, callback);
    expect([status, body.activatedListings]).toEqual([200, [listing.id]]);
    const shown = (await service.get(`/marketplace/listings/${listing.id}`)).body;
    expect(shown.listing).toMatchObject({ status: 'active', sellerBadges: ['verified'] });
  });

  clause('listing-states.activation');
  it('pending → active when the delivery endpoint verifies', async () => {
    const fresh = await service.register('Fresh');
    const { id } = (await create({}, fresh)).body.listing as { id: string };
    const { body } = await service.post(
      '/sell/callback',
      { callbackUrl: 'http://localhost:9/deliver' },
      { key: fresh.apiKey },
    );
    expect(body.activatedListings).toEqual([id]);
    const { body: detail } = await service.get(`/marketplace/listings/${id}`);
    expect(detail.listing).toMatchObject({ status: 'active', active: true });
    expect(
      (await service.browse(`?vertical=${(detail.listing as Body).verticalSlug}&limit=100`)).listings,
    ).toContainEqual(expect.objectContaining({ id }));
  });

  clause('listing-states.active-at-once');
  it('(none) → active with a verified endpoint, without a claimUrl', async () => {
    const { body } = await create({});
    expect(body.listing).toMatchObject({ status: 'active', active: true });
    expect(body).not.toHaveProperty('claimUrl');
  });

  clause('listing-states.pending-payouts');
  it('a priced listing waits for payouts', async () => {
    const { body } = await create({ priceCents: 100 });
    expect(body.listing).toMatchObject({ status: 'pending', active: false });
  });

  clause('listing.active', 'listing-states.deactivation', 'listing-states.reactivation');
  it('active → inactive → active by update; by deactivation', async () => {
    const { id } = await service.list(seller);
    for (const [active, status] of [
      [false, 'inactive'],
      [true, 'active'],
    ] as const) {
      expect((await change(id, { active })).body).toMatchObject({ status, active });
      const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
      expect(listing).toMatchObject({ status, active });
    }
    const deactivated = await service.post(
      `/marketplace/listings/${id}/deactivate`,
      { reason: 'Gone.' },
      { key: seller.apiKey },
    );
    expect(deactivated.body).toMatchObject({ status: 'inactive', version: 4 });
    const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
    expect(listing).toMatchObject({ status: 'inactive', active: false, version: 4 });
  });

  it('what is not ready to be sold and put back by its owner waits: the history calls it no reactivation', async () => {
    const fresh = await service.register('Fresh');
    const { id } = (await create({}, fresh)).body.listing as { id: string };
    const off = (await change(id, { active: false }, fresh)).body;
    expect([off.status, (off.change as Body).changeType]).toEqual(['inactive', 'deactivated']);
    const back = (await change(id, { active: true }, fresh)).body;
    expect(back).toMatchObject({ status: 'pending', active: false, change: { changeType: 'updated' } });
    expect((back.change as Body).changes).toEqual({ status: { from: 'inactive', to: 'pending' } });
  });

  it('becoming live is no modification: it leaves version and history as they are', async () => {
    const fresh = await service.register('Fresh');
    const { id } = (await create({}, fresh)).body.listing as { id: string };
    const before = (await service.get(`/marketplace/listings/${id}/history`)).body;
    const callback = { callbackUrl: 'http://localhost:9/deliver' };
    await service.post('/sell/callback', callback, { key: fresh.apiKey });
    const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
    expect(listing).toMatchObject({ status: 'active', version: 1, modificationCount: 0, lastModified: null });
    const after = (await service.get(`/marketplace/listings/${id}/history`)).body;
    expect([after.entries, after.chainValid]).toEqual([before.entries, true]);
    const { change: entry } = (await change(id, { active: false }, fresh)).body;
    expect(entry).toMatchObject({ version: 2, changeType: 'deactivated' });
  });
});
