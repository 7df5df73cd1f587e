import { afterEach, describe, expect, it } from 'vitest';
import { deliverAgentEvents } from '../agents/index.ts';
import { addPendingListing, newSellerOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { getSellerDashboard } from './get-seller-dashboard.ts';

const market = createTestMarketplace();
const HOOK = 'https://agent.example.com/events';

afterEach(async () => {
  market.market.fault = () => undefined;
  await market.background.settled();
});

async function verify({ id, apiKey }: RegisteredAgent) {
  const body = { callbackUrl: `https://seller.example.com/hook?seller=${id}` };
  const response = await market.request('POST', '/sell/callback', { body, apiKey });
  return { status: response.status, body: (await readSigned(response)).body };
}

/** All sellers share a host here, and its first one is told of the others. */
const isActivation = ({ type }: { readonly type: string }) => type === 'listing.activated';

async function notesOf({ apiKey }: RegisteredAgent) {
  const { json } = await market.call(getSellerDashboard, {}, { apiKey });
  const notes = json.notifications as { type: string; data: { count: number; listingIds: string[] } }[];
  return notes
    .filter(isActivation)
    .map(({ type, data }) => ({ type, ...data, listingIds: data.listingIds.toSorted() }));
}

/** Sellers register without a callbackUrl of their own; agents may have one. */
async function listen({ id }: RegisteredAgent): Promise<void> {
  const params = [HOOK, id];
  await market.newPorts().market.commit([{ sql: 'UPDATE agents SET callback_url = ? WHERE id = ?', params }]);
}

async function heard(): Promise<{ type: string; data: { listingIds: string[] } }[]> {
  market.sellerEndpoint.requests.length = 0;
  await deliverAgentEvents(market.newPorts());
  const told = market.sellerEndpoint.requests.filter(({ url }) => url === HOOK);
  return told.map(({ body }) => JSON.parse(body)).filter(isActivation);
}

describe('when listings go live', () => {
  it('their seller is told which: exactly those that did', async () => {
    const seller = await newSellerOf(market);
    await listen(seller);
    const other = await newSellerOf(market);
    const ids = [await addPendingListing(market, seller.id), await addPendingListing(market, seller.id)];
    await addPendingListing(market, seller.id, { priceCents: 100 });
    await addPendingListing(market, seller.id, { status: 'inactive' });
    await addPendingListing(market, other.id);

    const { body } = await verify(seller);
    expect(body.activatedListings).toEqual(ids.toSorted());
    const note = { type: 'listing.activated', count: 2, listingIds: ids.toSorted() };
    expect(await notesOf(seller)).toEqual([note]);
    expect(await notesOf(other)).toEqual([]);
    const [event, ...more] = await heard();
    expect(more).toEqual([]);
    expect(event?.type).toBe('listing.activated');
    expect(event?.data.listingIds.toSorted()).toEqual(ids.toSorted());
  });

  it('the priced ones count once payouts are connected', async () => {
    const seller = await newSellerOf(market);
    const id = await addPendingListing(market, seller.id, { priceCents: 100 });
    const sql = "UPDATE sellers SET payouts = 'connected' WHERE agent_id = ?";
    await market.newPorts().market.commit([{ sql, params: [seller.id] }]);
    expect((await verify(seller)).body.activatedListings).toEqual([id]);
    expect(await notesOf(seller)).toEqual([{ type: 'listing.activated', count: 1, listingIds: [id] }]);
  });

  it('nobody is told anything where none did, nor of the same ones twice', async () => {
    const seller = await newSellerOf(market);
    await listen(seller);
    await verify(seller);
    expect([await notesOf(seller), await heard()]).toEqual([[], []]);
    await addPendingListing(market, seller.id);
    await verify(seller);
    await verify(seller);
    expect(await notesOf(seller)).toHaveLength(1);
    expect(await heard()).toHaveLength(1);
  });

  it('more than a hundred are counted, and the oldest hundred named', async () => {
    const seller = await newSellerOf(market);
    for (let n = 0; n < 103; n += 1) await addPendingListing(market, seller.id);
    await verify(seller);
    const [note] = await notesOf(seller);
    expect([note?.count, note?.listingIds.length]).toEqual([103, 100]);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    '%s: told once, if and because they did',
    async (fault) => {
      const seller = await newSellerOf(market);
      const id = await addPendingListing(market, seller.id);
      market.market.fault = (sql) =>
        sql.some((one) => one.includes(`set "status" = 'active'`)) ? fault : undefined;
      expect((await verify(seller)).status).toBe(503);
      market.market.fault = () => undefined;
      const told = { type: 'listing.activated', count: 1, listingIds: [id] };
      expect(await notesOf(seller)).toEqual(fault === 'lose_reply' ? [told] : []);
      await verify(seller);
      expect(await notesOf(seller)).toEqual([told]);
    },
  );
});
