import type { SaleStatus } from './sale.ts';

/** Where a purchase may go from each status; the database refuses everything else, too. */
const WAYS: Readonly<Record<SaleStatus, readonly SaleStatus[]>> = {
  pending_payment: ['authorized', 'failed', 'refunded', 'expired'],
  // Free purchases that were set aside in bulk end without escrow.
  authorized: ['held', 'released', 'failed', 'refunded', 'expired'],
  held: ['releasing', 'refunded'],
  releasing: ['released', 'held'],
  released: [],
  refunded: [],
  expired: [],
  failed: [],
};

export function mayMove(from: SaleStatus, to: SaleStatus): boolean {
  return WAYS[from].includes(to);
}

/** The status of a purchase whose money was just captured. A free one has nothing to hold. */
export function statusOnceDelivered(amountCents: number): 'held' | 'released' {
  return amountCents === 0 ? 'released' : 'held';
}

/** What was delivered belongs to its buyer. */
export function isSettled(status: SaleStatus): boolean {
  return status === 'held' || status === 'releasing' || status === 'released';
}
