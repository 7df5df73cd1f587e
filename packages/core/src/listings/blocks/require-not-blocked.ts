import { Refusal } from '../../kernel/errors.ts';
import type { Listing } from '../listing.ts';
import { listingErrors } from '../listings.errors.ts';

/** Refuses what an operator blocked, to whoever it is not shown to. */
export function requireNotBlocked({ blockedAt }: Pick<Listing, 'blockedAt'>): void {
  if (blockedAt !== null) throw new Refusal(listingErrors.listing_blocked);
}
