import type { Listing, ListingSeller, ListingStatus } from '../listing.ts';

/** What a seller lacks to sell at this price: to be asked live, and to be paid. Empty: it may sell. */
export function missingToSell(
  seller: Pick<ListingSeller, 'endpoint' | 'payouts' | 'kind' | 'isSuspended'>,
  priceCents: number,
): string[] {
  if (seller.kind === 'platform') return [];
  const needsPayouts = priceCents > 0 && seller.payouts !== 'connected';
  return [
    ...(seller.endpoint === null ? ['your delivery endpoint is verified'] : []),
    ...(needsPayouts ? ['your payouts are connected'] : []),
    ...(seller.isSuspended ? ['an operator lifts your suspension'] : []),
  ];
}

/** Whether a seller may sell at this price now. */
export function isReadyToSell(...sale: Parameters<typeof missingToSell>): boolean {
  return missingToSell(...sale).length === 0;
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
