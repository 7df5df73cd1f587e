import type { Operations } from '@agent-marketplace/sdk';
import { EmptyState } from '../../components/empty-state.tsx';
import { CategoryTiles } from '../../components/listings/category-tiles.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import type { Catalogue } from './catalogue.ts';
import { addressOf, type Filters } from './filters.ts';
import { nearest } from './nearest.ts';

type Found = Operations['browseListings']['output'];
type Suggestion = NonNullable<Found['suggestions']>[number];

interface NothingProps {
  readonly found: Found;
  readonly filters: Filters;
  readonly catalogue: Catalogue;
}

/** What to do about an empty page: go back to the first one, follow a suggestion of the API, or look around. */
export function Nothing({ found, filters, catalogue }: NothingProps) {
  if (found.total > 0) {
    return (
      <EmptyState icon={INTERFACE_ICONS.queue} title="This page of the list is empty.">
        <p>
          <a href={addressOf(filters, { offset: null })}>Go to the first page</a>
        </p>
      </EmptyState>
    );
  }
  const links = [...(found.suggestions ?? [])];
  // Where the API knows none by its words, one that is written alike.
  if (!links.some(({ set }) => set.vertical))
    for (const { name, slug } of nearest(filters.get('q') ?? '', catalogue.verticals, { most: 1 }))
      links.push({ leaveOut: ['q', 'category'], set: { vertical: slug }, text: `Browse ${name}` });
  return (
    <>
      <EmptyState icon={INTERFACE_ICONS.search} title="No listing matches.">
        <p>Try fewer or other words, or look around.</p>
        {links.length > 0 && (
          <ul class="actions suggested">
            {links.map((suggestion) => (
              <li>
                <a class="button quiet" href={hrefOf(filters, suggestion)}>
                  {suggestion.text.replace(/\.$/, '').replace(/^Browse the vertical /, 'Browse ')}
                </a>
              </li>
            ))}
          </ul>
        )}
        <TellMe filters={filters} />
      </EmptyState>
      <h2>All categories</h2>
      <CategoryTiles categories={catalogue.categories} />
    </>
  );
}

/** What an alert waits for, of what was searched for. */
const ALERT_FILTERS = ['q', 'category', 'vertical', 'price'];

function TellMe({ filters }: { filters: Filters }) {
  const kept = [...filters].filter(([name]) => ALERT_FILTERS.includes(name));
  if (!kept.some(([name]) => name !== 'price')) return null;
  return (
    <p>
      <a href={`/alerts?${new URLSearchParams(kept)}`}>Tell me when there is one</a>
    </p>
  );
}

function hrefOf(filters: Filters, { leaveOut, set }: Suggestion): string {
  const removed = Object.fromEntries(leaveOut.map((name) => [name, null]));
  return addressOf(filters, { ...removed, ...set, offset: null });
}
