import { DAY_MS, type EpochMs, epochOf, type IsoTime } from '../kernel/time.ts';
import { averageRating, type SellerRecord, sellerReputation } from '../listings/reputation.rules.ts';

type Standing = Omit<SellerRecord, 'ageDays'> & { readonly registeredAt: IsoTime };

/** A seller's reputation now, as its listings show it. */
export function reputationAt(seller: Standing, now: EpochMs): number {
  const ageDays = Math.floor((now - epochOf(seller.registeredAt)) / DAY_MS);
  return sellerReputation({ ...seller, ageDays });
}

/** The mean to one hundredth, as listings show it. */
export function meanOf(rated: { readonly ratingCount: number; readonly ratingSum: number }): number {
  return averageRating({ count: rated.ratingCount, sum: rated.ratingSum });
}

/** A physical order whose money waits in escrow until the seller ships it. */
export function awaitsShipment(sale: {
  readonly status: string;
  readonly fulfilment: 'digital' | 'physical' | null;
  readonly shippedAt: IsoTime | null;
}): boolean {
  return sale.status === 'held' && sale.fulfilment === 'physical' && sale.shippedAt === null;
}
