import { afterEach, expect, it } from 'vitest';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { boundKey } from '../testing/fixtures/bound-key.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { NO_LIMITS } from './policy.rules.ts';

const sales = createSalesMarketplace();
const { market } = sales;
market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

async function newBuyer(): Promise<RegisteredAgent> {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 5000);
  await sales.saveCard(buyer, 'available_at_once');
  return buyer;
}

/** Round trips of a purchase, what it leaves to the background included as far as it is under way with the answer. */
async function roundTripsOf(buyer: RegisteredAgent, method: string, priceCents = 1000): Promise<number> {
  const { id } = await sales.listing({ priceCents });
  await market.background.settled();
  market.market.reset();
  const { status, body } = await sales.buy(id, buyer, { body: { payment_method: method } });
  await market.background.settled();
  const { count } = market.market;
  expect(status, JSON.stringify(body)).toBe(200);
  return count;
}

it.each([
  ['wallet', 4],
  ['card', 7],
  // One more tells which other ways to pay are closed.
  ['checkout', 4],
])('a budget costs no round trip of a purchase by %s: %i with it and without', async (method, roundTrips) => {
  const [free, bounded] = [await newBuyer(), await newBuyer()];
  const limits = { ...NO_LIMITS, perDayCents: 2000, sellers: null };
  await boundKey(market.newPorts(), bounded, limits, { ...NO_LIMITS, totalCents: 3000 });
  expect([await roundTripsOf(free, method), await roundTripsOf(bounded, method)]).toEqual([
    roundTrips,
    roundTrips,
  ]);
});

it('where no way to pay costs more than the fee, a checkout does not read which are closed', async () => {
  expect(await roundTripsOf(await newBuyer(), 'checkout', 5000)).toBe(3);
});
