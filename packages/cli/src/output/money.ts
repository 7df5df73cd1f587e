import { meteredPriceText, microsText } from '@agent-marketplace/protocol/metered-units.ts';

/** `$0.90`, or `free`. */
export const money = (cents: number): string => (cents === 0 ? 'free' : amount(cents));

/** Of a listing: `$0.0005` where it is no whole number of cents, and by units where it is priced so. */
export function listingPrice({
  priceCents,
  priceMicros = null,
  meter = null,
}: {
  readonly priceCents: number;
  readonly priceMicros?: number | null;
  readonly meter?: Parameters<typeof meteredPriceText>[0] | null;
}): string {
  if (meter !== null) return meteredPriceText(meter);
  return priceMicros === null
    ? money(priceCents)
    : `${microsText(priceMicros)} (${money(priceCents)} by itself)`;
}

/** The same of what may be zero without being free, such as a balance. */
export const amount = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
