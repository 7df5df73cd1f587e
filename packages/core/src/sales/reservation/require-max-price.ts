import { Refusal } from '../../kernel/errors.ts';
import { purchaseErrors } from '../purchases.errors.ts';

/**
 * Refuses what costs more than its buyer would pay. The price is that of the listing as read for this request: a
 * listing that changes before it is reserved is refused with the reservation.
 */
export function requireMaxPrice(
  most: number | undefined,
  price: number,
  unit: 'cents' | 'micro-units' = 'cents',
): void {
  if (most === undefined || price <= most) return;
  const detail = `It costs ${price} ${unit} now, more than the ${most} that you would give. Nothing was reserved.`;
  throw new Refusal(purchaseErrors.price_above_max, { charged: false, detail });
}
