import { CATEGORIES } from './catalogue.data.ts';
import type { Vertical } from './vertical.ts';

/** What a listing of this vertical is also found by: the names and keywords of the vertical and its category. */
export function searchWordsOf({ name, keywords, categorySlug }: Vertical): string {
  const category = CATEGORIES.find(({ slug }) => slug === categorySlug);
  return [name, category?.name ?? '', ...keywords].join('; ');
}
