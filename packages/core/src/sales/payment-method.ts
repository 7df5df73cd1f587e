import { budgetErrors, isAllowed } from '../budgets/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { WALLET_CAP_CENTS } from '../ledger/index.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { ALL_RAILS } from './rails/all-rails.ts';
import type { Rail } from './rails/rail.ts';
import { railNamed } from './rails/rails.ts';
import type { Spender } from './reservation/new-sale.ts';

/** What buyers may ask for. `auto`: the wallet if it covers the price, else checkout. */
export const PAYMENT_METHODS: readonly string[] = [
  'auto',
  ...ALL_RAILS.filter(({ isPaymentMethod }) => isPaymentMethod)
    .map(({ name }) => name)
    .reverse(),
];

/** The rails to try, in order, that the key may use; the next is tried only where the one before it is overdrawn. */
export function railsFor(
  method: string,
  priceCents: number,
  isKnownBuyer: boolean,
  { policies }: Spender,
): readonly Rail[] {
  if (method !== 'auto') return [railNamed(method)];
  // No wallet holds more than its cap: there is no use in asking.
  const isForWallet = isKnownBuyer && priceCents <= WALLET_CAP_CENTS;
  const names = (isForWallet ? ['wallet', 'checkout'] : ['checkout']).filter((name) =>
    isAllowed(policies, 'rails', name),
  );
  if (names.length === 0) throw new Refusal(budgetErrors.rail_not_allowed, { charged: false });
  return names.map(railNamed);
}

/** Those of them that can charge for the units that were used, where the listing is priced so. */
export function railsByUnits(
  rails: readonly Rail[],
  { meter }: { readonly meter: object | null },
): readonly Rail[] {
  const open = meter === null ? rails : rails.filter(({ releaseRest }) => releaseRest !== null);
  if (open.length === 0) throw new Refusal(purchaseErrors.metered_listing, { charged: false });
  return open;
}

/** The most that a bulk purchase may come to (clause: Limits). */
export const BULK_MAX_CENTS = 50_000;

/** What may be bought in bulk: standard listings at one price, and no personal health data (clause: Limits). */
export function isForBulk(
  listing: { readonly listingType: string; readonly verticalSlug: string; readonly meter: object | null },
  personalHealthSlug: string,
): boolean {
  return (
    listing.listingType === 'standard' &&
    listing.meter === null &&
    listing.verticalSlug !== personalHealthSlug
  );
}
