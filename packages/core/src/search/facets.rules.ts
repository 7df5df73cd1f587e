/** What a group of matching documents has in common. */
export interface FacetRow {
  readonly category: string;
  readonly vertical: string;
  /** The number of its band in `PRICE_BANDS`. */
  readonly priceBand: number;
  /** Whole stars of the mean rating; 0: unrated. */
  readonly stars: number;
  /** Whether the price lies within the limits of each rail. */
  readonly byCard: number;
  readonly byX402: number;
  readonly documents: number;
}

/** The least price of each band, in cents. The first is what is free. */
export const PRICE_BANDS = [0, 1, 100, 1000, 10_000] as const;
const STARS = [4, 3, 2, 1] as const;

/** Which prices a rail takes, in cents; null: the rail is not configured. */
export interface RailLimits {
  readonly card: { readonly minCents: number; readonly maxCents: number } | null;
  readonly x402: { readonly minCents: number } | null;
}

export type Facets = ReturnType<typeof facetsOf>;

/** Counts of all that match. What nothing matches is left out. */
export function facetsOf(rows: readonly FacetRow[]) {
  const sum = (isCounted: (row: FacetRow) => boolean) =>
    rows.reduce((total, row) => total + (isCounted(row) ? row.documents : 0), 0);
  const byValue = (values: Iterable<string>, hasValue: (row: FacetRow, value: string) => boolean) =>
    [...new Set(values)]
      .map((value) => ({ count: sum((row) => hasValue(row, value)), value }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const isPaidBy: Readonly<Record<string, (row: FacetRow) => boolean>> = {
    card: ({ byCard }) => byCard === 1,
    free: ({ priceBand }) => priceBand === 0,
    wallet: ({ priceBand }) => priceBand > 0,
    x402: ({ byX402 }) => byX402 === 1,
  };
  return {
    category: byValue(
      rows.map(({ category }) => category),
      (row, value) => row.category === value,
    ),
    price: PRICE_BANDS.map((minCents, band) => ({
      count: sum((row) => row.priceBand === band),
      maxCents: band === 0 ? 0 : (PRICE_BANDS[band + 1] ?? Number.NaN) - 1,
      minCents,
    }))
      .map(({ count, maxCents, minCents }) => ({
        count,
        maxCents: Number.isNaN(maxCents) ? null : maxCents,
        minCents,
      }))
      .filter(({ count }) => count > 0),
    quality: STARS.map((minRating) => ({ count: sum(({ stars }) => stars >= minRating), minRating })).filter(
      ({ count }) => count > 0,
    ),
    rail: byValue(Object.keys(isPaidBy), (row, rail) => isPaidBy[rail]?.(row) ?? false),
    vertical: byValue(
      rows.map(({ vertical }) => vertical),
      (row, value) => row.vertical === value,
    ),
  };
}
