import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { CATEGORIES, VERTICALS } from './catalogue.data.ts';
import { countListings } from './counts.store.ts';

const category = z
  .object({
    description: z.string(),
    icon: z.string(),
    listingCount: z.int().describe('Active listings, reference listings left out.'),
    name: z.string(),
    slug: z.string(),
    verticals: z.array(z.string()).describe('Slugs.'),
  })
  .meta({ id: 'Category' });

/** Clause: GET /marketplace/categories. */
export const listCategories = defineOperation({
  name: 'listCategories',
  summary: 'The macro-categories, with how many listings each has.',
  area: 'Catalogue',
  auth: 'none',
  input: z.object({}),
  output: z.object({ categories: z.array(category) }),
  errors: [],
  http: { method: 'get', path: '/marketplace/categories', status: 200 },
  rate: 'read',
  lag: 'The numbers of listings.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 86_400 },
  prefetch: ({ search }) => countListings(search),
  async handle(_ctx, _input, counts) {
    const categories = CATEGORIES.map(({ slug, name, icon, description }) => {
      const verticals = VERTICALS.filter(({ categorySlug }) => categorySlug === slug).map(
        (vertical) => vertical.slug,
      );
      const listingCount = verticals.reduce((sum, vertical) => sum + (counts.get(vertical) ?? 0), 0);
      return { description, icon, listingCount, name, slug, verticals };
    });
    return { categories };
  },
});
