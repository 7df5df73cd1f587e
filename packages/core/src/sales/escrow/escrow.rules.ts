import { DAY_MS, epochOf, HOUR_MS, type IsoTime, isoTime } from '../../kernel/time.ts';

/** How long the money of a delivered sale waits, where the deployment does not say otherwise. */
export const DEFAULT_HOLD_HOURS = 72;

/** How long a seller has to ship a physical order, where the deployment does not say otherwise. */
export const DEFAULT_SHIPMENT_DAYS = 14;

/** When escrow ends by the clock; null while a physical order is not shipped. */
export function holdUntil(
  terms: { readonly fulfilment: 'digital' | 'physical'; readonly holdHours: number },
  deliveredAt: IsoTime,
  shippedAt: IsoTime | null,
): IsoTime | null {
  const start = terms.fulfilment === 'physical' ? shippedAt : deliveredAt;
  return start === null ? null : isoTime(epochOf(start) + terms.holdHours * HOUR_MS);
}

/** Until when a physical order has to be shipped. */
export function shipBy(terms: { readonly shipDays: number }, deliveredAt: IsoTime): IsoTime {
  return isoTime(epochOf(deliveredAt) + terms.shipDays * DAY_MS);
}

/** A physical order that still waits for its shipment: nobody shipped it, and no decision made that needless. */
export function isUnshipped(sale: {
  readonly shipment: { readonly shippedAt: IsoTime | null } | null;
  readonly payment: { readonly holdUntil: IsoTime | null };
}): boolean {
  return sale.shipment !== null && sale.shipment.shippedAt === null && sale.payment.holdUntil === null;
}

/**
 * A transfer whose answer was lost is asked for again under the same key. One that was refused is over: the
 * processor would repeat its refusal under that key for a day, so the next has another.
 */
export function transferKey(purchaseId: string, refusals: number): string {
  return refusals === 0
    ? `purchase:${purchaseId}:transfer`
    : `purchase:${purchaseId}:transfer:${refusals + 1}`;
}
