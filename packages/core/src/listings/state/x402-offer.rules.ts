import { isPersonalHealth } from '../personal-health.rules.ts';

/** How payments in USDC are taken now. */
export interface X402Offer {
  readonly minCents: number;
  /** Why none can be settled, whoever pays; null: they can. */
  readonly closedBy: string | null;
}

/** Why a listing is not sold over x402, whatever its state; null: it is. `offer` is null where no chain is configured. */
export function x402Obstacle(
  listing: { readonly verticalSlug: string; readonly priceCents: number },
  offer: X402Offer | null,
): 'personal_health' | 'price_too_small' | 'no_chain' | 'closed' | null {
  if (isPersonalHealth(listing)) return 'personal_health';
  if (listing.priceCents === 0) return null;
  if (offer === null) return 'no_chain';
  if (listing.priceCents < offer.minCents) return 'price_too_small';
  return offer.closedBy === null ? null : 'closed';
}
