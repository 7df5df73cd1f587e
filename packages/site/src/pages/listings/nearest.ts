interface Named {
  readonly slug: string;
  readonly name: string;
}

/** Of two texts that share most of their pairs of letters, at least this share is common. */
const NEAR = 0.3;

/** Those whose name or slug is written most like the text, the nearest first. */
export function nearest<T extends Named>(
  text: string,
  named: readonly T[],
  { atLeast = NEAR, most = 3 } = {},
): readonly T[] {
  const words = wordsOf(text);
  return named
    .map((one) => ({ one, likeness: likenessOf(words, wordsOf(`${one.name} ${one.slug}`)) }))
    .filter(({ likeness }) => likeness >= atLeast)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map(({ one }) => one);
}

/** Words of three letters and less are in every name. */
const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 3),
  ),
];

/** How much the most alike words of both are: 1 for the same word. */
function likenessOf(words: readonly string[], others: readonly string[]): number {
  return Math.max(0, ...words.flatMap((one) => others.map((other) => dice(pairsOf(one), pairsOf(other)))));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
}

const pairsOf = (word: string): ReadonlySet<string> =>
  new Set(Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2)));
