/** A vertical as the marketplace lists it. */
export interface VerticalName {
  readonly slug: string;
  readonly name: string;
  readonly isExternal: boolean;
}

const TITLE_WEIGHT = 3;

/**
 * The vertical whose name a text has most of; null if it has no whole word of any: then the marketplace files the listing
 * by its own keywords.
 */
export function proposeVertical(
  { title, description }: { readonly title: string; readonly description: string },
  verticals: readonly VerticalName[],
): string | null {
  const inTitle = wordsOf(title);
  const inDescription = wordsOf(description.slice(0, 2000));
  let best: { readonly slug: string; readonly points: number } | null = null;
  for (const { slug, name, isExternal } of verticals) {
    if (isExternal || slug.startsWith('personal-')) continue;
    const words = [...wordsOf(`${name} ${slug}`)].filter((word) => word.length > 2 && !COMMON.has(word));
    const found = (text: ReadonlySet<string>) => words.filter((word) => text.has(word)).length;
    // Of longer names, a part says less.
    const points = (TITLE_WEIGHT * found(inTitle) + found(inDescription)) / Math.max(1, words.length);
    if (points > 0 && (best === null || points > best.points)) best = { slug, points };
  }
  return best?.slug ?? null;
}

const COMMON = new Set(['and', 'the', 'for', 'data', 'api', 'other', 'general', 'services', 'information']);

/** With plurals as singulars. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().split(/[^\p{L}\d]+/u);
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)));
}
