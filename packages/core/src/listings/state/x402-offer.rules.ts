import type { ClosedRail } from '../../subsidies/index.ts';
import { isPersonalHealth } from '../personal-health.rules.ts';

/** How payments in USDC are taken now. */
export interface X402Offer {
  readonly minCents: number;
  /** Why none can be settled, whoever pays; null: they can. */
  readonly closedBy: string | null;
}

interface Sold {
  readonly verticalSlug: string;
  readonly priceCents: number;
  readonly meter: object | null;
}

/** Why a listing is not sold over x402, whatever its state; null: it is. `offer` is null where no chain is configured. */
export function x402Obstacle(
  listing: Sold,
  offer: X402Offer | null,
): 'personal_health' | 'metered' | 'price_too_small' | 'no_chain' | 'closed' | null {
  if (isPersonalHealth(listing)) return 'personal_health';
  if (listing.priceCents === 0) return null;
  // All that a payment allows is taken: none can be charged by units.
  if (listing.meter !== null) return 'metered';
  if (offer === null) return 'no_chain';
  if (listing.priceCents < offer.minCents) return 'price_too_small';
  return offer.closedBy === null ? null : 'closed';
}

/** With the rail of USDC where nothing can be settled there now; its own cost may have closed it before. */
export function withClosedX402(
  listing: Sold,
  offer: X402Offer | null,
  closed: readonly ClosedRail[],
): readonly ClosedRail[] {
  if (x402Obstacle(listing, offer) !== 'closed') return closed;
  return [...closed, { opensAt: null, rail: 'x402', reason: 'unavailable' }];
}
