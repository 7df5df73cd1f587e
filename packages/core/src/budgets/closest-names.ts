const MAX_NAMES = 3;

const pairsOf = (name: string): string[] =>
  Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2));

/** How many of the pairs of letters of two names are in both, 0 to 1 (Dice). */
function likeness(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  const shared = first.filter((pair) => second.includes(pair)).length;
  return (2 * shared) / Math.max(1, first.length + second.length);
}

/** Those of the known names that are most like a name, the most alike first: for an error that says what was meant. */
export function closestNames(name: string, known: readonly string[]): readonly string[] {
  return [...known].sort((a, b) => likeness(name, b) - likeness(name, a)).slice(0, MAX_NAMES);
}
