import type { Meter } from '../../db/tables/listings.ts';

export type { Meter };

/** Of USDC's micro-units. */
export const MICROS_PER_CENT = 10_000;

export const MIN_PRICE_MICROS = 100;

/** What a query costs: in whole cents, and to the micro-unit where that is less. */
export interface Price {
  readonly priceCents: number;
  /** Null: a whole number of cents. */
  readonly priceMicros: number | null;
  /** By units: the price is then what the most of them cost. Null: one price. */
  readonly meter: Meter | null;
}

/** The price to the micro-unit, whole cents or not. */
export function priceMicrosOf({
  priceCents,
  priceMicros,
}: Pick<Price, 'priceCents' | 'priceMicros'>): number {
  return priceMicros ?? priceCents * MICROS_PER_CENT;
}

/** Whole cents, rounded up. */
export function centsAbove(micros: number): number {
  return Math.ceil(micros / MICROS_PER_CENT);
}

/** As the history of a listing has it, in micro-units of USDC. */
export function textOfMeter({ unit, unitPriceMicros, maxUnits }: Meter): string {
  return `${unitPriceMicros} per ${unit}, at most ${maxUnits}`;
}

/** What the most units of a query cost. */
export function mostMicrosOf({ unitPriceMicros, maxUnits }: Meter): number {
  return unitPriceMicros * maxUnits;
}

/**
 * What a query costs for which its seller used these units; null: it may not be charged, as it names none, or more than
 * its listing allows.
 */
export function usedMicrosOf(
  { unitPriceMicros, maxUnits }: Meter,
  units: number | null | undefined,
): number | null {
  if (typeof units !== 'number' || !Number.isInteger(units) || units < 1 || units > maxUnits) return null;
  return units * unitPriceMicros;
}

/**
 * What a price is changed to. Each of its parts alone sets the others, so that they never disagree: a price in cents or
 * micro-units ends one by units.
 */
export function changedPrice(
  price: Price,
  { priceCents, priceMicros, meter }: { readonly [Field in keyof Price]?: Price[Field] | undefined },
): Price {
  if (meter) {
    const most = priceMicros ?? mostMicrosOf(meter);
    return { priceCents: priceCents ?? centsAbove(most), priceMicros: most, meter };
  }
  if (priceMicros === null) return { priceCents: priceCents ?? price.priceCents, priceMicros, meter: null };
  if (priceMicros !== undefined)
    return { priceCents: priceCents ?? centsAbove(priceMicros), priceMicros, meter: null };
  if (priceCents !== undefined) return { priceCents, priceMicros: null, meter: null };
  const { priceCents: cents, priceMicros: micros } = price;
  return { priceCents: cents, priceMicros: micros, meter: meter === null ? null : price.meter };
}

/** What a price to the micro-unit may not be; null: nothing is wrong with it. */
export function priceFault(
  { priceCents, priceMicros, meter }: Price,
  { fulfilment, listingType }: { readonly fulfilment: string; readonly listingType: string },
): { readonly path: keyof Price; readonly message: string } | null {
  if (priceMicros === null) return null;
  const cents = centsAbove(priceMicros);
  if (fulfilment !== 'digital' || listingType !== 'standard')
    return { path: 'priceMicros', message: 'What is shipped or scarce is priced in whole cents.' };
  if (meter !== null && priceMicros !== mostMicrosOf(meter)) {
    const message = `It is what the most units cost: ${mostMicrosOf(meter)}.`;
    return { path: 'priceMicros', message };
  }
  return priceCents === cents
    ? null
    : { path: 'priceCents', message: `It is priceMicros, rounded up to whole cents: ${cents}.` };
}
