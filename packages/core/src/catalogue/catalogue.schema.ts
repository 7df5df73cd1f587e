import { z } from 'zod';
import { CATEGORIES, type Vertical } from './catalogue.data.ts';

export const categorySlug = z.enum(CATEGORIES.map(({ slug }) => slug) as [string, ...string[]]);

export const verticalView = z.object({
  category: categorySlug,
  description: z.string(),
  icon: z.string(),
  isExternal: z.boolean().describe('Its listings are served by another site.'),
  listingCount: z.int().describe('Active listings, reference listings left out.'),
  name: z.string(),
  slug: z.string(),
});

export function viewVertical(
  vertical: Vertical,
  counts: ReadonlyMap<string, number>,
): z.output<typeof verticalView> {
  const { categorySlug, description, icon, isExternal, name, slug } = vertical;
  return {
    category: categorySlug,
    description,
    icon,
    isExternal,
    listingCount: counts.get(slug) ?? 0,
    name,
    slug,
  };
}
