import type { SaleStatus } from '../sale-status.rules.ts';

/** What an operator did about a listing or an agent. */
export type ModerationCause = 'listing_blocked' | 'seller_suspended' | 'buyer_suspended';

/**
 * What becomes of a sale: `cancel` gives back what was reserved, and the seller is not asked; `hold` keeps its money in
 * escrow until an operator refunds it, releases it, or lifts the suspension; `continue` changes nothing.
 */
export type SaleEffect = 'cancel' | 'hold' | 'continue';

/** The rule, for every rail. A delivery that is under way in that moment ends as if it had come before, or not at all. */
export function saleEffect(cause: ModerationCause, status: SaleStatus): SaleEffect {
  switch (status) {
    case 'pending_payment':
      return 'cancel';
    case 'authorized':
      // A suspended buyer collects what it paid for.
      return cause === 'buyer_suspended' ? 'continue' : 'cancel';
    case 'held':
      return cause === 'seller_suspended' ? 'hold' : 'continue';
    case 'releasing':
    case 'released':
    case 'refunded':
    case 'expired':
    case 'failed':
      return 'continue';
  }
}

const CODES = { listing_blocked: 'listing_blocked', seller_suspended: 'listing_not_active' } as const;

/** Why a sale that is paid for is not delivered, as the code that its buyer reads; null: it is. */
export function cancellationOf(
  listing: { readonly blockedAt: string | null; readonly seller: { readonly isSuspended: boolean } },
  status: SaleStatus,
): string | null {
  const causes = [
    ...(listing.blockedAt === null ? [] : (['listing_blocked'] as const)),
    ...(listing.seller.isSuspended ? (['seller_suspended'] as const) : []),
  ];
  const cause = causes.find((one) => saleEffect(one, status) === 'cancel');
  return cause === undefined ? null : CODES[cause];
}
