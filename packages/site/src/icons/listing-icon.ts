import { CATEGORY_ICONS } from './category-icons.data.ts';
import type { IconData } from './icon-data.ts';
import { VERTICAL_ICONS } from './vertical-icons.data.ts';

/** The icon of a vertical: its own, its category's, or that of what fits nowhere. */
export function listingIcon(verticalSlug: string, categorySlug: string): IconData {
  const own = Object.hasOwn(VERTICAL_ICONS, verticalSlug) ? VERTICAL_ICONS[verticalSlug] : undefined;
  return own ?? categoryIcon(categorySlug);
}

export function categoryIcon(slug: string): IconData {
  const found = Object.hasOwn(CATEGORY_ICONS, slug) ? CATEGORY_ICONS[slug] : undefined;
  return found ?? (CATEGORY_ICONS.other as IconData);
}
