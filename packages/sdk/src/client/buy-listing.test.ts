import { expect, test } from 'vitest';
import { buyListing } from './buy-listing.ts';
import type { MarketplaceClient } from './client.ts';

const LISTING = { id: 'a-listing', priceCents: 90, title: 'Gold prices' };

/** What a purchase was asked for with. */
async function sent(
  ...[listing, input, options]: Parameters<typeof buyListing> extends [unknown, ...infer Rest] ? Rest : never
) {
  const calls: unknown[] = [];
  const purchaseListing = async (...call: unknown[]) => {
    calls.push(call);
  };
  await buyListing({ purchaseListing } as unknown as MarketplaceClient, listing, input, options);
  expect(calls).toHaveLength(1);
  return calls[0];
}

test('the price that was seen is the most that is paid, also where it was nothing', async () => {
  expect(await sent(LISTING)).toEqual([{ listingId: 'a-listing', maxPriceCents: 90 }, {}]);
  expect(await sent({ ...LISTING, priceCents: 0 })).toEqual([
    { listingId: 'a-listing', maxPriceCents: 0 },
    {},
  ]);
  const unsaid = await sent(LISTING, { maxPriceCents: undefined } as never);
  expect(unsaid).toEqual([{ listingId: 'a-listing', maxPriceCents: 90 }, {}]);
});

test('what the caller says goes on: its own limit, its query, its key for repetitions', async () => {
  const options = { idempotencyKey: 'order-1' };
  const input = { maxPriceCents: 100, query: { of: 'gold' }, paymentMethod: 'wallet' } as const;
  expect(await sent(LISTING, input, options)).toEqual([{ listingId: 'a-listing', ...input }, options]);
});
