import { newListingOf } from './new-listing.ts';
import { addPurchase } from './new-sale.ts';
import { newAgentOf } from './new-seller.ts';
import type { TestMarketplace } from './workers-harness.ts';

const STATUSES = [
  'held',
  'releasing',
  'released',
  'refunded',
  'expired',
  'failed',
  'pending_payment',
] as const;
const RAILS = ['checkout', 'card', 'wallet', 'x402'] as const;

/** Purchases of all kinds, put into the database as if they had come about. */
export async function addSalesOfAllKinds(market: TestMarketplace, sales: number): Promise<void> {
  const listing = await newListingOf(market);
  const buyers = [await newAgentOf(market), await newAgentOf(market), null];
  for (let n = 0; n < sales; n += 1) {
    const rail = RAILS[n % 4] ?? 'card';
    const amountCents = n % 3 === 0 ? 0 : 1000 + n;
    await addPurchase(market, listing, rail === 'x402' ? null : (buyers[n % 3]?.id ?? null), {
      rail,
      status: STATUSES[n % 7] ?? 'held',
      amountCents,
      platformFeeCents: Math.floor(amountCents / 20),
      // Several at the same moment, so that pages must not cut by time alone.
      createdAt: new Date(Date.parse('2026-05-01T00:00:00.000Z') + Math.floor(n / 4) * 1000).toISOString(),
    });
  }
}
