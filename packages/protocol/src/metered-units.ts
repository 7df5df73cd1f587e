/** What a seller may count, and how persons read one of it. A closed list, so that prices can be compared. */
export const METERED_UNITS = {
  character: 'character',
  hour: 'hour',
  image: 'image',
  kilobyte: 'KB',
  megabyte: 'MB',
  million_tokens: '1,000,000 tokens',
  minute: 'minute',
  page: 'page',
  record: 'record',
  second: 'second',
  thousand_tokens: '1,000 tokens',
  token: 'token',
  word: 'word',
} as const;

export type MeteredUnit = keyof typeof METERED_UNITS;

/** `$0.0005`, `$0.20`: micro-units of USDC, with cents and what is below them. */
export const microsText = (micros: number): string =>
  `$${(micros / 1_000_000).toFixed(6).replace(/0{1,4}$/, '')}`;

/** `$0.0005 per 1,000 tokens, at most $0.05 a query`: prices in micro-units of USDC. */
export function meteredPriceText({
  unit,
  unitPriceMicros,
  maxUnits,
}: {
  readonly unit: MeteredUnit;
  readonly unitPriceMicros: number;
  readonly maxUnits: number;
}): string {
  const most = microsText(unitPriceMicros * maxUnits);
  return `${microsText(unitPriceMicros)} per ${METERED_UNITS[unit]}, at most ${most} a query`;
}
