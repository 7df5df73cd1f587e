import { WALLET_CAP_CENTS } from '../ledger/ledger.rules.ts';

export type PaymentMethod = 'auto' | 'wallet' | 'card' | 'checkout';
/** How a priced listing may be paid for; `x402` has a door of its own and is never tried for others. */
export type PaidRail = 'wallet' | 'card' | 'checkout' | 'x402';

/** The rails to try, in order; the next is tried only where a wallet does not cover the price. */
export function railsFor(
  method: PaymentMethod,
  priceCents: number,
  isKnownBuyer: boolean,
): readonly Exclude<PaidRail, 'x402'>[] {
  if (method !== 'auto') return [method];
  // No wallet holds more than its cap: there is no use in asking.
  return isKnownBuyer && priceCents <= WALLET_CAP_CENTS ? ['wallet', 'checkout'] : ['checkout'];
}

/** The most that a bulk purchase may come to (clause: Limits). */
export const BULK_MAX_CENTS = 50_000;

/** What may be bought in bulk: standard listings, and no personal health data (clause: Limits). */
export function isForBulk(
  listing: { readonly listingType: string; readonly verticalSlug: string },
  personalHealthSlug: string,
): boolean {
  return listing.listingType === 'standard' && listing.verticalSlug !== personalHealthSlug;
}
