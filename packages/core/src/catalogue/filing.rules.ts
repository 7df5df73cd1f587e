import { VERTICALS, type Vertical } from './catalogue.data.ts';

/** How a listing got its vertical; the answer to its creation says so. */
export interface Filing {
  readonly vertical: Vertical;
  readonly method: 'chosen' | 'matched' | 'general';
  /** The keywords that decided, when it was matched. */
  readonly matchedKeywords: readonly string[];
}

const VERTICALS_BY_SLUG = new Map(VERTICALS.map((vertical) => [vertical.slug, vertical]));
const TITLE_WEIGHT = 3;
const DEFAULT_CATEGORY = 'other';
/** Only the start of a description says what is sold; the rest is details. */
const DESCRIPTION_CHARACTERS = 2000;

export function verticalBySlug(slug: string): Vertical | undefined {
  return VERTICALS_BY_SLUG.get(slug);
}

/**
 * Files a listing under the vertical whose name and keywords its text has most of, within the hinted
 * category if there is one. Text that matches none goes to the category's general vertical.
 */
export function fileListing(
  listing: { title: string; description: string; category?: string | undefined },
  excludedSlugs: readonly string[] = [],
): Filing {
  const title = words(listing.title);
  const description = words(listing.description.slice(0, DESCRIPTION_CHARACTERS));
  const candidates = VERTICALS.filter(
    ({ slug, isGeneral, isExternal, categorySlug }) =>
      !isGeneral &&
      !isExternal &&
      !excludedSlugs.includes(slug) &&
      (!listing.category || categorySlug === listing.category),
  );
  const scored = candidates
    .map((vertical) => score(vertical, title, description))
    .sort((a, b) => b.points - a.points || (a.vertical.slug < b.vertical.slug ? -1 : 1));
  const [best] = scored;
  if (best && best.points > 0) {
    return { vertical: best.vertical, method: 'matched', matchedKeywords: best.matched };
  }
  const category = listing.category ?? DEFAULT_CATEGORY;
  const general = VERTICALS.find((vertical) => vertical.isGeneral && vertical.categorySlug === category);
  if (!general) throw new Error(`The category ${category} has no general vertical.`);
  return { vertical: general, method: 'general', matchedKeywords: [] };
}

function score(vertical: Vertical, title: string, description: string) {
  const terms = new Set([...vertical.keywords, vertical.name.toLowerCase()]);
  const matched: string[] = [];
  let points = 0;
  for (const term of terms) {
    const phrase = words(term);
    const inTitle = title.includes(phrase);
    if (!inTitle && !description.includes(phrase)) continue;
    matched.push(term);
    // A phrase says more than a word.
    points += (inTitle ? TITLE_WEIGHT : 1) * term.split(' ').length;
  }
  return { vertical, points, matched };
}

/** Lower-case words between single spaces, with one at each end, so that a phrase is found whole. */
function words(text: string): string {
  const tokens =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return ` ${tokens.join(' ')} `;
}
