import type { Ports } from '../../kernel/ports/ports.ts';
import { browseDocuments, listingsOfPage } from '../../search/index.ts';
import type { ListingView } from '../listings.schema.ts';
import type { Alert } from './alerts.store.ts';

/** How many of them an alert names. */
const MOST = 5;

type Search = Pick<Alert, 'agentId' | 'q' | 'category' | 'vertical' | 'price'>;

/** The newest listings of others that an alert's search finds with all of its words, as browsing would show them. */
export async function findMatches({ search }: Pick<Ports, 'search'>, alert: Search): Promise<string[]> {
  const { q, category, vertical, price } = alert;
  const filter = {
    words: q,
    category: category ?? undefined,
    vertical: vertical ?? undefined,
    price,
    samples: 'exclude',
    unreachable: 'exclude',
  } as const;
  const found = await browseDocuments(search, filter, 'recent', { limit: 2 * MOST, offset: 0 });
  // What some words find, or others in the place of misspelt ones, is not what was asked for.
  if (found.matched === 'any' || Object.keys(found.corrections ?? {}).length > 0) return [];
  return listingsOfPage<ListingView>(found, ['id', 'sellerId'])
    .filter(({ sellerId }) => sellerId !== alert.agentId)
    .slice(0, MOST)
    .map(({ id }) => id);
}
