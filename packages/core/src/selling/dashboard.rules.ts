import { averageRating } from '../agents/reputation.rules.ts';
import type { IsoTime } from '../kernel/time.ts';

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
