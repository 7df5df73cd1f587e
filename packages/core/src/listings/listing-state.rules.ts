import type { Listing, ListingSeller, ListingStatus } from './listing.ts';

/** Whether a seller may sell at this price now: asked live by endpoint, paid through payouts. */
export function isReadyToSell(
  seller: Pick<ListingSeller, 'endpoint' | 'payouts' | 'kind'>,
  priceCents: number,
): boolean {
  if (seller.kind === 'platform') return true;
  return seller.endpoint !== null && (priceCents === 0 || seller.payouts === 'connected');
}

/**
 * The status after a change (clause: States and transitions, Listing). `active` is what the owner asked
 * for; undefined leaves it. A live listing that is no longer ready to sell waits until it is.
 */
export function nextStatus(
  current: ListingStatus,
  active: boolean | undefined,
  isReady: boolean,
): ListingStatus {
  const wantsActive = active ?? current !== 'inactive';
  if (!wantsActive) return 'inactive';
  return isReady ? 'active' : 'pending';
}

/** Whether every copy of a scarce listing is sold or reserved. */
export function isSoldOut({
  listingType,
  maxCopies,
  soldCount,
}: Pick<Listing, 'listingType' | 'maxCopies' | 'soldCount'>): boolean {
  const copies = listingType === 'exclusive' ? 1 : maxCopies;
  return copies !== null && soldCount >= copies;
}

/** Whether only some copies are sold, so that one that is held is missing to others. */
export const isScarce = ({ listingType }: Pick<Listing, 'listingType'>): boolean =>
  listingType !== 'standard';
