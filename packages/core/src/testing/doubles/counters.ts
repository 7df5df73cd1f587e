const counts = new Map<string, number>();

/**
 * 1, 2, 3, … by name: what tests make ids and keys of. Test files share a runtime, so these start anew with
 * each file: it sees the same ids whatever ran before it.
 */
export function countUp(name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

export function restartCounters(): void {
  counts.clear();
}
