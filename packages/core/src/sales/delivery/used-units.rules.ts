import { centsAbove, usedMicrosOf } from '../../listings/price/price.rules.ts';
import type { Sale } from '../sale.ts';

/** A sale at the price of the units that its seller used, in whole cents, rounded up. With one price it is as it was. */
export function atUsedPrice(sale: Sale, units: number | null | undefined): Sale {
  const { meter } = sale.payment;
  if (meter === null) return sale;
  const micros = usedMicrosOf(meter, units);
  if (micros === null) throw new Error(`Purchase ${sale.id} used units that it does not allow.`);
  return { ...sale, amountCents: centsAbove(micros) };
}
