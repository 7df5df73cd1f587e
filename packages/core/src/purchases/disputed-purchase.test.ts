import { afterEach, describe, expect, it } from 'vitest';
import { getSellerDashboard } from '../selling/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { getPurchase } from './index.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const REASON = 'The third of the harbours is missing.';

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

/** Sold for money in escrow, and objected to a minute later. */
async function disputed(method: 'wallet' | 'card' = 'wallet') {
  const seller = await sales.seller();
  const listing = await sales.listing({ priceCents: 4000 }, seller);
  const buyer = await sales.newAgent();
  if (method === 'wallet') await sales.fund(buyer, 4000);
  else await sales.saveCard(buyer, 'available_at_once');
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  market.clock.advance(60_000);
  const openedAt = new Date(market.clock.now()).toISOString();
  const path = `/marketplace/purchases/${body.id}/dispute`;
  expect((await sales.request('POST', path, buyer.apiKey, { reason: REASON })).status).toBe(200);
  return { id: body.id, buyer, seller, openedAt };
}

const decide = (id: string, decision: 'refund' | 'release') =>
  sales.request(
    'POST',
    `/admin/disputes/${id}/decision`,
    null,
    { decision },
    { 'x-mkt-admin': TEST_ADMIN_SECRET },
  );

async function seenByBuyer(id: string, buyer: RegisteredAgent, content = 'omit') {
  const { status, body } = await sales.request(
    'GET',
    `/marketplace/purchases/${id}?content=${content}`,
    buyer.apiKey,
  );
  expect(status).toBe(200);
  return body as typeof body & { readonly dispute: unknown };
}

async function seenBySeller(id: string, seller: RegisteredAgent) {
  const { json } = await market.call(getSellerDashboard, {}, { apiKey: seller.apiKey });
  const sold = json.sales as { purchaseId: string; status: string; dispute: unknown }[];
  return { sale: sold.find(({ purchaseId }) => purchaseId === id), text: JSON.stringify(json) };
}

describe('a dispute, on its purchase and at the sale', () => {
  it('is not there before it is opened', async () => {
    const seller = await sales.seller();
    const { id: listingId } = await sales.listing({ priceCents: 4000 }, seller);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 4000);
    const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'wallet' } });
    expect(body).toMatchObject({ status: 'held', dispute: null });
    expect((await seenByBuyer(body.id, buyer)).dispute).toBeNull();
    expect((await seenBySeller(body.id, seller)).sale).toMatchObject({ status: 'held', dispute: null });
  });

  it('open: since when, for both; the reason for the buyer alone', async () => {
    const { id, buyer, seller, openedAt } = await disputed();
    const decideBy = new Date(Date.parse(openedAt) + 14 * 24 * 3600_000).toISOString();
    const open = { decideBy, decidedAt: null, decidedBy: null, openedAt, status: 'open' };
    for (const content of ['omit', 'include'])
      expect(await seenByBuyer(id, buyer, content)).toMatchObject({
        status: 'held',
        dispute: { ...open, reason: REASON },
      });
    const { sale, text } = await seenBySeller(id, seller);
    expect(sale?.dispute).toEqual(open);
    expect(text).not.toContain(REASON);
  });

  it.each([
    ['refund', 'refunded', 'refunded'],
    ['release', 'released', 'released'],
  ] as const)('decided, %s: how and when', async (decision, decided, status) => {
    const { id, buyer, seller, openedAt } = await disputed();
    market.clock.advance(60_000);
    const decidedAt = new Date(market.clock.now()).toISOString();
    expect((await decide(id, decision)).status).toBe(200);
    const dispute = { decidedAt, decidedBy: 'operator', openedAt, status: decided };
    const seen = await seenByBuyer(id, buyer);
    expect(seen).toMatchObject({ status, dispute: { ...dispute, reason: REASON } });
    const { provenance: _, ...body } = seen as typeof seen & { provenance: unknown };
    expect(getPurchase.output.safeParse(body).error).toBeUndefined();
    expect((await seenBySeller(id, seller)).sale).toMatchObject({ status, dispute });
  });

  it('decided while the money is not back yet: the decision and the state tell it apart', async () => {
    const { id, buyer, seller } = await disputed('card');
    cards.fault = ({ method }) => (method === 'refund' ? 'lose_request' : undefined);
    expect((await decide(id, 'refund')).body.status).toBe('held');
    const said = { status: 'held', dispute: { status: 'refunded' } };
    expect(await seenByBuyer(id, buyer)).toMatchObject(said);
    expect((await seenBySeller(id, seller)).sale).toMatchObject(said);
    cards.fault = () => undefined;
    await sales.pass(3_600_000);
    expect((await seenByBuyer(id, buyer)).status).toBe('refunded');
  });

  it('costs no round trip', async () => {
    const { id, buyer, seller } = await disputed();
    const trips = async (look: () => Promise<unknown>) => {
      await market.background.settled();
      market.market.reset();
      await look();
      return market.market.count;
    };
    expect(await trips(() => seenByBuyer(id, buyer))).toBe(1);
    expect(await trips(() => seenBySeller(id, seller))).toBe(2);
  });
});
