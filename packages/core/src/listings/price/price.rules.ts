/** Of USDC's micro-units. */
export const MICROS_PER_CENT = 10_000;

export const MIN_PRICE_MICROS = 100;

/** What a query costs: in whole cents, and to the micro-unit where that is less. */
export interface Price {
  readonly priceCents: number;
  /** Null: a whole number of cents. */
  readonly priceMicros: number | null;
}

/** The price to the micro-unit, whole cents or not. */
export function priceMicrosOf({ priceCents, priceMicros }: Price): number {
  return priceMicros ?? priceCents * MICROS_PER_CENT;
}

/** Whole cents, rounded up. */
function centsAbove(micros: number): number {
  return Math.ceil(micros / MICROS_PER_CENT);
}

/** What a price is changed to. Each of the two alone sets the other, so that they never disagree. */
export function changedPrice(
  price: Price,
  { priceCents, priceMicros }: { readonly [Field in keyof Price]?: Price[Field] | undefined },
): Price {
  if (priceMicros === null) return { priceCents: priceCents ?? price.priceCents, priceMicros };
  if (priceMicros !== undefined) return { priceCents: priceCents ?? centsAbove(priceMicros), priceMicros };
  return priceCents === undefined ? price : { priceCents, priceMicros: null };
}

/** What a price to the micro-unit may not be; null: nothing is wrong with it. */
export function priceFault(
  { priceCents, priceMicros }: Price,
  { fulfilment, listingType }: { readonly fulfilment: string; readonly listingType: string },
): { readonly path: keyof Price; readonly message: string } | null {
  if (priceMicros === null) return null;
  const cents = centsAbove(priceMicros);
  if (fulfilment !== 'digital' || listingType !== 'standard')
    return { path: 'priceMicros', message: 'What is shipped or scarce is priced in whole cents.' };
  return priceCents === cents
    ? null
    : { path: 'priceCents', message: `It is priceMicros, rounded up to whole cents: ${cents}.` };
}
