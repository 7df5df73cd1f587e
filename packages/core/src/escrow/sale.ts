import type { payments } from '../db/tables/sales.ts';

/** Where a purchase stands (docs/adr/0010-money.md). */
export type SaleStatus =
  | 'pending_payment'
  | 'authorized'
  | 'held'
  | 'releasing'
  | 'released'
  | 'refunded'
  | 'expired'
  | 'failed';

export type Rail = 'checkout' | 'card' | 'wallet' | 'x402';

/** How far a priced purchase got with its money, and what has to be done next. */
export type Payment = Readonly<typeof payments.$inferSelect>;

/** A priced purchase as those see it who move its money. */
export interface Sale {
  readonly id: string;
  readonly listingId: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly status: SaleStatus;
  readonly rail: Rail;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly payment: Payment;
}

/** A sale as it was read. */
export interface StoredSale extends Sale {
  /** The chain of what was paid in USDC. */
  readonly paidOnChainId: number | null;
}
