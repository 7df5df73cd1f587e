import * as z from 'zod';
import type { ToolList } from '../kernel/tools/mcp-binding.ts';
import { CATEGORIES, type Vertical } from './catalogue.data.ts';

export const categorySlug = z
  .enum(CATEGORIES.map(({ slug }) => slug) as [string, ...string[]])
  .meta({ id: 'CategorySlug' });

export const verticalView = z
  .object({
    category: categorySlug,
    description: z.string(),
    icon: z.string(),
    isExternal: z.boolean().describe('Its listings are served by another site.'),
    listingCount: z.int().describe('Active listings, reference listings left out.'),
    name: z.string(),
    slug: z.string(),
  })
  .meta({ id: 'Vertical' });

/** All of them, because no page comes after: the slugs say what they are. */
export const verticalRows: ToolList = {
  member: 'verticals',
  rows: 'all',
  row: ({ category, listingCount, slug }: z.output<typeof verticalView>) => ({
    category,
    listingCount,
    slug,
  }),
  text: ['slug', 'listingCount'],
};

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
