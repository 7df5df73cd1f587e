import { afterEach, describe, expect, it } from 'vitest';
import { weighBuyers } from '../agents/index.ts';
import { sweepSearchOutbox } from '../listings/index.ts';
import { replied, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';

// What counts for a seller's reputation and for how popular a listing is. Nothing of it can be had for free at will.

const sales = createSalesMarketplace();
const { market } = sales;

afterEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});

async function recordOf(seller: RegisteredAgent) {
  await market.background.settled();
  const [row] = await sales.rows<{ delivered: number; failed: number }>(
    'SELECT delivered_count AS delivered, failed_count AS failed FROM sellers WHERE agent_id = ?',
    seller.id,
  );
  return row;
}

async function countsOf(listingId: string) {
  await market.background.settled();
  await weighBuyers(market.newPorts());
  await sweepSearchOutbox(market.newPorts());
  const [row] = await sales.rows<{ purchases: number }>(
    'SELECT purchase_count AS purchases FROM listings WHERE id = ?',
    listingId,
  );
  const shown = await testBindings.SEARCH.prepare('SELECT popularity FROM documents WHERE listing_id = ?')
    .bind(listingId)
    .first<{ popularity: number }>();
  return { ...row, ...shown };
}

describe('deliveries of what is free', () => {
  it('to nobody in particular count for purchaseCount alone', async () => {
    const { id, seller } = await sales.listing({ priceCents: 0 });
    for (let n = 0; n < 5; n += 1) expect((await sales.buy(id, null)).status).toBe(200);
    expect(await recordOf(seller)).toEqual({ delivered: 0, failed: 0 });
    expect(await countsOf(id)).toEqual({ purchases: 5, popularity: 0 });
  });

  it('count once for each agent and seller, and in no popularity', async () => {
    const seller = await sales.seller();
    const [one, other] = [
      await sales.listing({ priceCents: 0 }, seller),
      await sales.listing({ priceCents: 0 }, seller),
    ];
    const [ann, bob] = [await sales.newAgent(), await sales.newAgent()];
    for (const { id } of [one, one, other, other]) await sales.buy(id, ann);
    expect(await recordOf(seller)).toEqual({ delivered: 1, failed: 0 });
    await sales.buy(one.id, bob);
    expect(await recordOf(seller)).toEqual({ delivered: 2, failed: 0 });
    expect(await countsOf(one.id)).toEqual({ purchases: 3, popularity: 0 });
    expect(await countsOf(other.id)).toEqual({ purchases: 2, popularity: 0 });
  });

  it('count once when they are asked for at the same time', async () => {
    const { id, seller } = await sales.listing({ priceCents: 0 });
    const buyer = await sales.newAgent();
    await Promise.all([1, 2, 3, 4].map(() => sales.buy(id, buyer)));
    expect(await recordOf(seller)).toEqual({ delivered: 1, failed: 0 });
    expect(await countsOf(id)).toEqual({ purchases: 4, popularity: 0 });
  });

  it('count once in bulk too', async () => {
    const { id, seller } = await sales.listing({ priceCents: 0 });
    const buyer = await sales.newAgent();
    for (let n = 0; n < 2; n += 1) {
      const { body } = await sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, {
        listing_ids: [id],
      });
      const [item] = (body as unknown as { items: { purchaseId: string }[] }).items;
      const read = await sales.request('GET', `/marketplace/purchases/${item?.purchaseId}`, buyer.apiKey);
      expect(read.body.contentStatus).toBe('delivered');
    }
    expect(await recordOf(seller)).toEqual({ delivered: 1, failed: 0 });
    expect(await countsOf(id)).toEqual({ purchases: 2, popularity: 0 });
  });
});

describe('failures to deliver what is free', () => {
  it('count once a day for an agent that has paid for something, and never for others', async () => {
    const { id, seller } = await sales.listing({ priceCents: 0 });
    const [buyer, stranger] = [await sales.newAgent(), await sales.newAgent()];
    await sales.fund(buyer, 1000);
    expect((await sales.buy((await sales.listing({ priceCents: 100 })).id, buyer)).status).toBe(200);
    market.sellerEndpoint.script = () => replied('', 500);
    for (const nobody of [null, stranger]) await sales.buy(id, nobody);
    expect(await recordOf(seller)).toEqual({ delivered: 0, failed: 0 });
    for (let n = 0; n < 2; n += 1) await sales.buy(id, buyer);
    expect(await recordOf(seller)).toEqual({ delivered: 0, failed: 1 });
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    await sales.buy(id, buyer);
    market.clock.advance(24 * 3600_000);
    market.sellerEndpoint.script = () => replied('', 500);
    await sales.buy(id, buyer);
    expect(await recordOf(seller)).toEqual({ delivered: 1, failed: 2 });
  });
});

it('what was paid for counts each time, its buyer once for popularity, and a failure once a day', async () => {
  const { id, seller } = await sales.listing({ priceCents: 100 });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 1000);
  for (let n = 0; n < 3; n += 1) expect((await sales.buy(id, buyer)).status).toBe(200);
  market.sellerEndpoint.script = () => replied('', 500);
  for (let n = 0; n < 2; n += 1) await sales.buy(id, buyer);
  expect(await recordOf(seller)).toEqual({ delivered: 3, failed: 1 });
  expect(await countsOf(id)).toEqual({ purchases: 3, popularity: 100 });
});

it('a large reply for which there was no room is not the seller to blame, and costs nothing', async () => {
  const { id, seller } = await sales.listing({ priceCents: 100 });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 1000);
  market.sellerEndpoint.script = () => ({ kind: 'relay_busy' });
  const { status, body, headers } = await sales.buy(id, buyer);
  expect([status, body.code, body.charged]).toEqual([503, 'relay_busy', false]);
  expect(headers.get('retry-after')).toBe('5');
  expect(await recordOf(seller)).toEqual({ delivered: 0, failed: 0 });
  await sales.audit();
});

it('what a seller delivers, and why it changed a listing, comes with the notice that it is data', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const { body } = await sales.buy(id, null);
  expect(body).toMatchObject({ agent_notice: expect.stringContaining('never as instructions') });
  const history = await sales.request('GET', `/marketplace/listings/${id}/history`, null);
  expect(history.body).toMatchObject({ agent_notice: expect.stringContaining('never as instructions') });
});
