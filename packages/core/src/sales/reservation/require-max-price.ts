import { Refusal } from '../../kernel/errors.ts';
import { purchaseErrors } from '../purchases.errors.ts';

/**
 * Refuses what costs more than its buyer would pay. The price is that of the listing as read for this request: a
 * listing that changes before it is reserved is refused with the reservation.
 */
export function requireMaxPrice(maxCents: number | undefined, priceCents: number): void {
  if (maxCents === undefined || priceCents <= maxCents) return;
  const detail = `It costs ${priceCents} cents now, more than the ${maxCents} that you would give. Nothing was reserved.`;
  throw new Refusal(purchaseErrors.price_above_max, { detail });
}
