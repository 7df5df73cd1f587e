/**
 * Runs `visit` for every item, at most `limit` at a time. The first failure is thrown, and no further item
 * is begun after it.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  visit: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const work = async () => {
    for (const item of queue) {
      if (hasFailed) return;
      try {
        await visit(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
}
