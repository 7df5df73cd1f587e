import { Refusal } from '../kernel/errors.ts';
import { purchaseErrors } from './purchases.errors.ts';

/**
 * Refuses what costs more than its buyer would give. What it costs is a listing as read for this request: should it
 * change before it is reserved, the reservation is refused.
 */
export function requireWithin(maxCents: number | undefined, costsCents: number): void {
  if (maxCents === undefined || costsCents <= maxCents) return;
  const detail = `It costs ${costsCents} cents now, more than the ${maxCents} that you would give. Nothing was reserved.`;
  throw new Refusal(purchaseErrors.price_above_max, { detail });
}
