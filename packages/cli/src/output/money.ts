/** `$0.90`, or `free`. */
export const money = (cents: number): string => (cents === 0 ? 'free' : `$${(cents / 100).toFixed(2)}`);
