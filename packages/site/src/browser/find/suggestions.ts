import { listingPrice } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';

export interface Suggestion {
  readonly text: string;
  readonly note: string;
  readonly href: string;
  readonly isForSale: boolean;
}

/** The part of `GET /marketplace/listings` that is used here. */
interface Answer {
  readonly listings?: readonly {
    readonly id: string;
    readonly title: string;
    readonly priceCents: number;
    readonly priceMicros?: number | null;
    readonly verticalSlug: string;
    readonly verticalName: string;
  }[];
}

const MOST = 6;

/** What the words may mean: listings by relevance, and the vertical that most of them are in. */
export async function findSuggestions(
  apiBaseUrl: string,
  words: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const query = new URLSearchParams({ q: words, limit: String(MOST) });
  const response = await fetch(`${apiBaseUrl}/marketplace/listings?${query}`, { signal });
  if (!response.ok) return [];
  return suggestionsOf((await response.json()) as Answer, words);
}

function suggestionsOf({ listings = [] }: Answer, words: string): readonly Suggestion[] {
  const [first] = listings;
  if (!first) return [];
  return [
    ...listings.map(({ id, title, ...priced }) => ({
      text: oneLine(title, 80) || 'Untitled',
      note: listingPrice(priced),
      href: `/listings/${encodeURIComponent(id)}`,
      isForSale: true,
    })),
    {
      text: `Search in ${first.verticalName}`,
      note: '',
      href: `/listings?${new URLSearchParams({ q: words, vertical: first.verticalSlug })}`,
      isForSale: false,
    },
  ];
}
