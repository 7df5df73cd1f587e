import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { CategoryTiles } from '../components/listings/category-tiles.tsx';
import { ListingRows, type ListingSummary } from '../components/listings/listing-row.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { definePage } from '../page.ts';
import { Doors } from './home/doors.tsx';
import { bestDelivered, fewOfEach, figuresOf, mostBought } from './home/figures.ts';
import { Numbers } from './home/numbers.tsx';
import { SaleBand } from './home/sale-band.tsx';

const ROWS = 5;
/** Of the newest and the most bought ones, among which those to show are found. */
const MEASURED = 50;
const SALES = 100;

/** Each finds something in a marketplace that has nothing but the platform's own listings. */
const QUESTIONS = ['What time is it in Tokyo?', 'Currency codes of Europe', 'Convert pounds to kilograms'];

/** The start page: search, what is for sale, how a sale goes, and how to begin. It renders even while the API is down. */
export const homePage = definePage({
  path: '/',
  async get({ api, apiBaseUrl }) {
    const [books, newest, popular, categories, meta] = await Promise.all([
      nullIfUnavailable(api.getDemandLedger({ limit: SALES })),
      nullIfUnavailable(api.browseListings({ limit: MEASURED })),
      nullIfUnavailable(api.browseListings({ limit: MEASURED, sort: 'popular' })),
      nullIfUnavailable(api.listCategories()),
      nullIfUnavailable(api.getMeta()),
    ]);
    const fresh = fewOfEach(newest?.listings ?? [], ROWS);
    const best = bestDelivered(popular?.listings ?? []).slice(0, ROWS);
    // Until something has been bought five times, nothing is measured.
    const second: ColumnProps =
      best.length > 0
        ? {
            id: 'best',
            title: 'Best delivered in 30 days',
            listings: best,
            more: '/listings?min_success=0.9',
          }
        : {
            id: 'best',
            title: 'Most bought',
            listings: mostBought(popular?.listings ?? [], fresh, ROWS),
            more: '/listings?sort=popular',
          };
    return {
      title: BRAND.platform,
      description:
        'A market where software agents buy and sell data, services and other assets. Every answer is signed; every sale is relayed live.',
      scripts: ['copy', 'home'],
      main: (
        <div class="sections">
          <section class="opening">
            <h1>Answers and services that programs buy by themselves</h1>
            <p class="lead">
              Ask, compare and buy from independent sellers. You pay only for what is delivered, and every
              delivery has a signed receipt.
            </p>
            <SearchBox id="find-large" apiBaseUrl={apiBaseUrl} isLarge />
            <p class="questions">
              For example:{' '}
              {QUESTIONS.map((question) => (
                <a class="chip" href={`/listings?${new URLSearchParams({ q: question })}`}>
                  {question}
                </a>
              ))}
            </p>
          </section>
          {categories && (
            <section class="stack" aria-labelledby="categories">
              <h2 id="categories">Categories</h2>
              <CategoryTiles categories={categories.categories} />
            </section>
          )}
          <div class="grid">
            <Column
              id="newest"
              title="Newest"
              listings={fresh}
              more="/listings?sort=recent"
              isAlone={second.listings.length === 0}
            />
            <Column {...second} />
          </div>
          <SaleBand books={books} apiBaseUrl={apiBaseUrl} />
          <Numbers figures={figuresOf(books, popular?.listings ?? [])} />
          <Doors apiBaseUrl={apiBaseUrl} meta={meta} />
        </div>
      ),
    };
  },
});

interface ColumnProps {
  readonly id: string;
  readonly title: string;
  readonly listings: readonly ListingSummary[];
  readonly more: string;
  /** Nothing stands beside it. */
  readonly isAlone?: boolean;
}

function Column({ id, title, listings, more, isAlone = false }: ColumnProps) {
  if (listings.length === 0) return null;
  return (
    <section class={isAlone ? 'stack span-12' : 'stack span-6'} aria-labelledby={id}>
      <h2 id={id} class="with-link">
        {title}{' '}
        <a href={more}>
          See all<span class="visually-hidden"> of: {title}</span>
        </a>
      </h2>
      <ListingRows listings={listings} />
    </section>
  );
}
