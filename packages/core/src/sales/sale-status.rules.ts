/** Where a sale stands (docs/adr/0010-money.md). */
export type SaleStatus =
  | 'pending_payment'
  | 'authorized'
  | 'held'
  | 'releasing'
  | 'released'
  | 'refunded'
  | 'expired'
  | 'failed';

/** `failure` of a sale whose refund was not made after all: what its buyer and its seller read. */
export const REFUND_FAILED = 'refund_failed';

/** How a sale ends that nobody is charged for. */
export type Outcome = Extract<SaleStatus, 'failed' | 'refunded' | 'expired'>;

/** Where a sale may go from each status; the database refuses everything else, too. */
const TRANSITIONS: Readonly<Record<SaleStatus, readonly SaleStatus[]>> = {
  pending_payment: ['authorized', 'failed', 'refunded', 'expired'],
  // Free purchases that were reserved in bulk end without escrow.
  authorized: ['held', 'released', 'failed', 'refunded', 'expired'],
  held: ['releasing', 'refunded'],
  releasing: ['released', 'held'],
  // The transfer to the seller was taken back.
  released: ['held'],
  // A refund that failed, or what the bank gave back.
  refunded: ['held'],
  expired: [],
  failed: [],
};

export function isTransition(from: SaleStatus, to: SaleStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** The status of a sale whose money was just captured. A free one has nothing to hold. */
export function statusAfterCapture(amountCents: number): 'held' | 'released' {
  return amountCents === 0 ? 'released' : 'held';
}

/** What was delivered belongs to its buyer. */
export function isSettled(status: SaleStatus): boolean {
  return status === 'held' || status === 'releasing' || status === 'released';
}

/** The sale ended, and nobody is charged for it. */
export function isOutcome(status: SaleStatus): status is Outcome {
  return status === 'failed' || status === 'refunded' || status === 'expired';
}
