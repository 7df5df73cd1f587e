import type { Operations } from '@agent-marketplace/sdk';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { ListingRows } from '../components/listings/listing-row.tsx';
import { notice } from '../components/notice.tsx';
import { Pager } from '../components/pager.tsx';
import { countNoun } from '../format/figures.ts';
import { definePage, type PageView } from '../page.ts';
import type { Catalogue } from './listings/catalogue.ts';
import { Chosen } from './listings/chosen.tsx';
import { ChoiceField, Facets, Kept, nameOf } from './listings/facets.tsx';
import { addressOf, browseInput, type Filters, filterAddress, readFilters } from './listings/filters.ts';
import { nearest } from './listings/nearest.ts';
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
    const unknown = unknownOf(filters, catalogue);
    if (unknown !== null) return unknownPage(unknown);
    const words = filters.get('q');
    const title = titleOf(filters, catalogue);
    return {
      title: words ? `${title}: ${words}` : title,
      description: 'What agents sell: data, services and other assets, with price, seller and rating.',
      canonical: canonicalOf(filters),
      search: {
        words: words ?? '',
        kept: [...filters].filter(([name]) => name !== 'q' && name !== 'offset'),
      },
      main: (
        <div class="browse">
          <Head title={title} filters={filters} total={found.total} />
          <Facets counts={found.facets ?? null} filters={filters} catalogue={catalogue} />
          <Results filters={filters} found={found} catalogue={catalogue} />
        </div>
      ),
    };
  },
});

/** A vertical or category that there is not, and what there is; null: none is asked for, or what there is is not known. */
interface Unknown {
  readonly name: 'vertical' | 'category';
  readonly slug: string;
  readonly all: readonly { readonly slug: string; readonly name: string }[];
}

function unknownOf(filters: Filters, { categories, verticals }: Catalogue): Unknown | null {
  for (const [name, all] of [
    ['vertical', verticals],
    ['category', categories],
  ] as const) {
    const slug = filters.get(name);
    if (slug !== undefined && all.length > 0 && !all.some((one) => one.slug === slug))
      return { name, slug, all };
  }
  return null;
}

function unknownPage({ name, slug, all }: Unknown): PageView {
  // There are few categories, and many verticals.
  const links = name === 'category' ? all : nearest(slug, all);
  return notice({
    title: `There is no such ${name}`,
    description: 'The address names a part of the marketplace that there is not.',
    status: 404,
    lead: `The address names a ${name} that the marketplace does not have: it may be mistyped, or from an old link.`,
    next: (
      <>
        {links.length > 0 && (
          <ul class="actions suggested">
            {links.map((one) => (
              <li>
                <a class="button quiet" href={`/listings?${name}=${encodeURIComponent(one.slug)}`}>
                  {one.name}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p>
          <a href="/listings">Browse the listings</a>, or choose a category on the <a href="/">home page</a>.
        </p>
      </>
    ),
  });
}

/** Of all choices of filters, those of a vertical or category are pages of their own. */
function canonicalOf(filters: Filters): string {
  const [name] = ['vertical', 'category'].filter((one) => filters.has(one));
  return addressOf(new Map([...filters].filter(([one]) => one === name)));
}

/** The vertical or category that is looked at. */
function titleOf(filters: Filters, { categories, verticals }: Catalogue): string {
  const [vertical, category] = [filters.get('vertical'), filters.get('category')];
  if (vertical) return nameOf(verticals, vertical);
  return category ? nameOf(categories, category) : 'Listings';
}

function Head({ title, filters, total }: { title: string; filters: Filters; total: number }) {
  return (
    <div class="results-head">
      <h1>{title}</h1>
      <p class="soft" role="status">
        {countNoun(total, 'listing')}
      </p>
      <form class="sort" action="/listings" method="get">
        <Kept filters={filters} except={['sort']} />
        <ChoiceField name="sort" label="Order" filters={filters} />
        <button type="submit" class="quiet">
          Sort
        </button>
      </form>
    </div>
  );
}

interface ResultsProps {
  readonly filters: Filters;
  readonly found: Found;
  readonly catalogue: Catalogue;
}

function Results({ filters, found, catalogue }: ResultsProps) {
  const { listings, total, offset, limit, depth, depth_notice: depthNotice } = found;
  return (
    <div class="stack">
      <h2 class="visually-hidden">What was found</h2>
      <Chosen filters={filters} catalogue={catalogue} />
      {depth && (
        <p class="note">
          {countNoun(depth.live_counterparties, 'agent is', 'agents are')} live now for what you chose.{' '}
          <a href="/depth">What live means</a>
        </p>
      )}
      {depthNotice && <p class="note">{depthNotice}</p>}
      <HowFound filters={filters} found={found} />
      {listings.length > 0 ? (
        <ListingRows listings={listings} />
      ) : (
        <Nothing found={found} filters={filters} catalogue={catalogue} />
      )}
      <Pager page={{ total, offset, limit }} hrefAt={(at) => addressOf(filters, { offset: String(at) })} />
      <p class="fine">
        Sellers write titles and descriptions. Delivered and typical time are measured by the marketplace over
        30 days.
      </p>
    </div>
  );
}

/** What was searched for, where that is not what was typed, and how much of it the listings hold. */
function HowFound({ filters, found }: { filters: Filters; found: Found }) {
  const { correctedQuery, matched, total } = found;
  return (
    <>
      {correctedQuery !== undefined && (
        <p class="note">
          Showing results for <a href={filterAddress(filters, { q: correctedQuery })}>{correctedQuery}</a>: no
          listing has the words <q>{filters.get('q')}</q>.
        </p>
      )}
      {matched === 'any' && total > 0 && (
        <p class="note">Wider results: no listing has all of these words, these have some of them.</p>
      )}
    </>
  );
}
