import { afterEach, expect, it } from 'vitest';
import type { RegisteredAgent } from '../../packages/core/src/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../packages/core/src/testing/marketplace/sales-marketplace.ts';

// Whoever buys for a few cents again and again spends what the marketplace bears of a seller's sales: without a limit of
// its own, one buyer would close that seller's cards for everybody until midnight.

// Each sale of $19.99 by card costs 93 cents: a buyer may take three of the ten that a seller has.
const budgets = { partyDayCents: 1000, partyMonthCents: 3000, buyerShareBps: 3000 };
const sales = createSalesMarketplace({}, { variables: { SUBSIDIES: JSON.stringify(budgets) } });
const { market } = sales;
const DAY = 86_400_000;

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

const CHEAP = 1999;

const byCard = (listingId: string, buyer: RegisteredAgent) =>
  sales.buy(listingId, buyer, { body: { payment_method: 'card' } });

async function statusesOf(listingId: string, buyer: RegisteredAgent, times: number): Promise<number[]> {
  const statuses = [];
  for (let one = 0; one < times; one += 1) statuses.push((await byCard(listingId, buyer)).status);
  return statuses;
}

interface Closed {
  readonly closedRails: { rail: string; reason: string; opensAt: string | null }[];
}

async function closedFor(listingId: string, asker: RegisteredAgent | null): Promise<Closed['closedRails']> {
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}`, asker?.apiKey ?? null);
  return (body as unknown as Closed).closedRails;
}

const detailOf = ({ body }: { readonly body: unknown }) => (body as { detail: string }).detail;

it('one buyer spends its share of what is borne for a seller, and everybody else goes on buying there', async () => {
  const seller = await sales.seller();
  const { id } = await sales.listing({ priceCents: CHEAP }, seller);
  const buyer = await sales.buyerWithCard('fp_of_two_keys');
  expect(await statusesOf(id, buyer, 4)).toEqual([200, 200, 200, 429]);
  // The card is the same party under another key, and a page is the same way to pay.
  expect(await statusesOf(id, await sales.buyerWithCard('fp_of_two_keys'), 1)).toEqual([429]);
  expect((await sales.buy(id, buyer, { body: { payment_method: 'checkout' } })).status).toBe(429);
  const other = await sales.buyerWithCard();
  expect(await closedFor(id, null)).toEqual([]);
  expect(await statusesOf(id, other, 2)).toEqual([200, 200]);
  // Its own budget is not spent: another seller's sales are open to it.
  const elsewhere = await sales.listing({ priceCents: CHEAP });
  expect(await statusesOf(elsewhere.id, buyer, 1)).toEqual([200]);

  // What its key is shown is what its purchases get; another key sees its own.
  const opensAt = new Date(Math.ceil((market.clock.now() + 1) / DAY) * DAY).toISOString();
  const closed = ['checkout', 'card'].map((rail) => ({ opensAt, rail, reason: 'budget_spent' }));
  expect(await closedFor(id, buyer)).toEqual(closed);
  expect(await closedFor(id, other)).toEqual([]);
  // By the card that it has saved, but not by a page, whose card nobody knows.
  const again = await sales.buyerWithCard('fp_of_two_keys');
  expect(await closedFor(id, again)).toEqual(closed.filter(({ rail }) => rail === 'card'));
  market.clock.advance(DAY);
  expect(await closedFor(id, buyer)).toEqual([]);
  expect(await statusesOf(id, buyer, 1)).toEqual([200]);
});

it('a refusal names no way to pay that is shut for this sale', async () => {
  market.clock.advance(DAY);
  const { id } = await sales.listing({ priceCents: CHEAP });
  const poor = await sales.newAgent();
  const overdrawn = () => sales.buy(id, poor, { body: { payment_method: 'wallet' } });
  const withoutCard = () => sales.buy(id, poor, { body: { payment_method: 'card' } });
  expect((await overdrawn()).body.code).toBe('wallet_insufficient');
  expect(detailOf(await overdrawn())).toMatch(/now: `checkout`\.$/);
  expect((await withoutCard()).body.code).toBe('no_saved_card');
  expect(detailOf(await withoutCard())).toMatch(/now: `checkout`\.$/);
  const buyer = await sales.buyerWithCard();
  expect(detailOf(await sales.buy(id, buyer, { body: { payment_method: 'wallet' } }))).toMatch(
    /now: `card`, `checkout`\.$/,
  );
  await statusesOf(id, buyer, 3);
  const refused = await sales.buy(id, buyer);
  expect([refused.status, refused.body.code]).toEqual([429, 'subsidy_spent']);
  expect(detailOf(refused)).toMatch(/opens again at .* No other way to pay is open for this purchase now\.$/);
  await sales.fund(buyer, 5000);
  expect(detailOf(await byCard(id, buyer))).toMatch(/now: `wallet`\.$/);
  // All that is borne of the seller's sales by card is spent.
  for (let one = 0; one < 3; one += 1) await statusesOf(id, await sales.buyerWithCard(), 3);
  for (const refusal of [await overdrawn(), await withoutCard()])
    expect(detailOf(refusal)).toMatch(/No other way to pay is open for this purchase now\.$/);
});
