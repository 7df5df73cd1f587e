import { isPersonalHealth } from '../personal-health.rules.ts';

/** Why a listing is not sold over x402, whatever its state; null: it is. `minCents` is null where no chain is configured. */
export function x402Obstacle(
  listing: { readonly verticalSlug: string; readonly priceCents: number },
  minCents: number | null,
): 'personal_health' | 'price_too_small' | 'no_chain' | null {
  if (isPersonalHealth(listing)) return 'personal_health';
  if (listing.priceCents === 0) return null;
  if (minCents === null) return 'no_chain';
  return listing.priceCents < minCents ? 'price_too_small' : null;
}
