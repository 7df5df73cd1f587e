import type { Operations } from '@agent-marketplace/sdk';
import { count, countNoun } from '../../format/figures.ts';
import type { Catalogue } from './filter-form.tsx';
import { addressOf, type Filters } from './filters.ts';

type Counts = NonNullable<Operations['browseListings']['output']['facets']>;

/** A part of what was found, and the address that shows only it. */
interface Part {
  readonly name: string;
  readonly count: number;
  readonly href: string;
}

const MOST = 6;

/** What was found, counted: each part is a link to it. */
export function Facets({
  facets,
  filters,
  catalogue,
}: {
  facets: Counts;
  filters: Filters;
  catalogue: Catalogue;
}) {
  const narrow = (changes: Readonly<Record<string, string>>) =>
    addressOf(filters, { ...changes, offset: null });
  const nameOf = (list: readonly { slug: string; name: string }[], slug: string) =>
    list.find((one) => one.slug === slug)?.name ?? slug;
  const free = facets.price.find(({ maxCents }) => maxCents === 0)?.count ?? 0;
  const priced = facets.price.reduce((sum, one) => sum + one.count, -free);
  const groups: readonly (readonly [title: string, parts: readonly Part[]])[] = [
    [
      'Category',
      facets.category.map((one) => ({
        name: nameOf(catalogue.categories, one.value),
        count: one.count,
        href: narrow({ category: one.value }),
      })),
    ],
    [
      'Vertical',
      facets.vertical.map((one) => ({
        name: nameOf(catalogue.verticals, one.value),
        count: one.count,
        href: narrow({ vertical: one.value }),
      })),
    ],
    [
      'Price',
      [
        { name: 'Free', count: free, href: narrow({ price: 'free' }) },
        { name: 'Priced', count: priced, href: narrow({ price: 'paid' }) },
      ],
    ],
    [
      'Buyers’ rating',
      facets.quality.map((one) => ({
        name: `${countNoun(one.minRating, 'star')} or more`,
        count: one.count,
        href: narrow({ min_rating: String(one.minRating) }),
      })),
    ],
  ];
  // What all of them have in common narrows nothing.
  const useful = groups
    .map(([title, parts]) => [title, parts.filter((part) => part.count > 0).slice(0, MOST)] as const)
    .filter(([title, parts]) => parts.length > (title === 'Buyers’ rating' ? 0 : 1));
  if (useful.length === 0) return null;
  return (
    <nav class="stack" aria-label="Narrow the search">
      {useful.map(([title, parts]) => (
        <p class="fine">
          {title}:{' '}
          {parts.map((part, index) => (
            <>
              {index > 0 && ' · '}
              <a class="plain-link" href={part.href}>
                {part.name}
              </a>{' '}
              ({count(part.count)})
            </>
          ))}
        </p>
      ))}
    </nav>
  );
}
