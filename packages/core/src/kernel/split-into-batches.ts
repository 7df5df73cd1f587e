/** The items in order, in batches of at most `size`: one transaction of the database takes only so many statements. */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, batch) => items.slice(batch * size, (batch + 1) * size));
}
