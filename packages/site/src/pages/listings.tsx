import type { Operations } from '@agent-marketplace/sdk';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { Chip } from '../components/chip.tsx';
import { ListingRows } from '../components/listing-row.tsx';
import { Pager } from '../components/pager.tsx';
import { countNoun } from '../format/figures.ts';
import { definePage } from '../page.ts';
import { Facets } from './listings/facets.tsx';
import { type Catalogue, FilterForm } from './listings/filter-form.tsx';
import { addressOf, browseInput, type Filters, readFilters } from './listings/filters.ts';
import { Nothing } from './listings/nothing.tsx';

type Found = Operations['browseListings']['output'];

/** The listings, with every filter of the API; each choice of filters has its own address. */
export const listingsPage = definePage({
  path: '/listings',
  async get({ api, url }) {
    const filters = readFilters(url.searchParams);
    const address = addressOf(filters);
    // A form also sends its empty fields; redirect to the short address.
    if (address !== url.pathname + url.search) return { redirect: address };
    const [found, categories, verticals] = await Promise.all([
      api.browseListings({ ...browseInput(filters), facets: filters.has('q') }),
      nullIfUnavailable(api.listCategories()),
      nullIfUnavailable(api.listVerticals()),
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
            <Results filters={filters} found={found} catalogue={catalogue} />
          </div>
        </>
      ),
    };
  },
});

function Results({ filters, found, catalogue }: { filters: Filters; found: Found; catalogue: Catalogue }) {
  const { listings, total, offset, limit, depth, depth_notice: depthNotice } = found;
  const isFiltered = filters.size > 0;
  return (
    <section class="stack" aria-labelledby="found">
      <h2 id="found" class="result-count">
        {countNoun(total, 'listing')}
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
          {countNoun(depth.live_counterparties, 'agent is', 'agents are')} live in {depth.class} now{' '}
          <Chip isOn>{depth.classification}</Chip> <a href="/depth">What depth means</a>
        </p>
      )}
      {depthNotice && <p class="note">{depthNotice}</p>}
      <HowFound filters={filters} found={found} />
      {found.facets && <Facets facets={found.facets} filters={filters} catalogue={catalogue} />}
      {listings.length > 0 ? (
        <ListingRows listings={listings} />
      ) : (
        <Nothing found={found} filters={filters} />
      )}
      <Pager page={{ total, offset, limit }} hrefAt={(at) => addressOf(filters, { offset: String(at) })} />
      <p class="fine">Sellers write the titles and descriptions.</p>
    </section>
  );
}

/** What was searched for, where that is not what was typed, and how much of it the listings hold. */
function HowFound({ filters, found }: { filters: Filters; found: Found }) {
  const { correctedQuery, matched, total } = found;
  return (
    <>
      {correctedQuery !== undefined && (
        <p class="note">
          No listing has the words <q>{filters.get('q')}</q>. You see what was found for{' '}
          <a href={addressOf(filters, { q: correctedQuery, offset: null })}>{correctedQuery}</a>.
        </p>
      )}
      {matched === 'any' && total > 0 && (
        <p class="note">No listing has all of these words. These have some of them, the best match first.</p>
      )}
    </>
  );
}
