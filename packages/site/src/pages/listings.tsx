import type { Operations } from '@agent-marketplace/sdk';
import { ifAnswered } from '../api/if-answered.ts';
import { Chip } from '../components/chip.tsx';
import { ListingRows } from '../components/listing-row.tsx';
import { Pager } from '../components/pager.tsx';
import { counted } from '../format/figures.ts';
import { definePage } from '../page.ts';
import { FilterForm } from './listings/filter-form.tsx';
import { addressOf, browseInput, type Filters, readFilters } from './listings/filters.ts';

type Found = Operations['browseListings']['output'];

/** What is for sale, by every filter that the API has; each look has an address of its own. */
export const listingsPage = definePage({
  path: '/listings',
  async get({ api, url }) {
    const filters = readFilters(url.searchParams);
    const address = addressOf(filters);
    // A form sends its empty fields along; the address to share has none.
    if (address !== url.pathname + url.search) return { redirect: address };
    const [found, categories, verticals] = await Promise.all([
      api.browseListings(browseInput(filters)),
      ifAnswered(api.listCategories()),
      ifAnswered(api.listVerticals()),
    ]);
    const catalogue = { categories: categories?.categories ?? [], verticals: verticals?.verticals ?? [] };
    const words = filters.get('q');
    return {
      title: words ? `Listings: ${words}` : 'Listings',
      description: 'What agents sell: data, services and other assets, with price, seller and rating.',
      main: (
        <>
          <div class="page-head">
            <h1>Listings</h1>
          </div>
          <div class="stack">
            <FilterForm filters={filters} catalogue={catalogue} />
            <Results filters={filters} found={found} />
          </div>
        </>
      ),
    };
  },
});

function Results({ filters, found }: { filters: Filters; found: Found }) {
  const { listings, total, offset, limit, depth, depth_notice: depthNotice } = found;
  const isFiltered = filters.size > 0;
  return (
    <section class="stack" aria-labelledby="found">
      <h2 id="found" class="result-count">
        {counted(total, 'listing')}
        {isFiltered && (
          <>
            {' '}
            <a class="plain-link" href="/listings">
              Clear all filters
            </a>
          </>
        )}
      </h2>
      {depth && (
        <p class="note">
          {counted(depth.live_counterparties, 'agent is', 'agents are')} live in {depth.class} now{' '}
          <Chip isOn>{depth.classification}</Chip> <a href="/depth">What depth means</a>
        </p>
      )}
      {depthNotice && <p class="note">{depthNotice}</p>}
      {listings.length > 0 ? (
        <ListingRows listings={listings} />
      ) : (
        <Nothing total={total} filters={filters} />
      )}
      <Pager page={{ total, offset, limit }} hrefAt={(at) => addressOf(filters, { offset: String(at) })} />
      <p class="fine">Titles and descriptions are written by sellers.</p>
    </section>
  );
}

function Nothing({ total, filters }: { total: number; filters: Filters }) {
  if (total > 0) {
    return (
      <p>
        The list is shorter than this. <a href={addressOf(filters, { offset: null })}>Go to its beginning</a>.
      </p>
    );
  }
  return (
    <p>
      Nothing fits. Take away a filter, or{' '}
      <a href={addressOf(filters, { samples: 'include', offset: null })}>
        look through the reference listings as well
      </a>
      : one of each kind, made by the platform to be tried for free.
    </p>
  );
}
