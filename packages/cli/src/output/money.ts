/** `$0.90`, or `free`. */
export const money = (cents: number): string => (cents === 0 ? 'free' : amount(cents));

/** The same of what may be zero without being free, such as a balance. */
export const amount = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
