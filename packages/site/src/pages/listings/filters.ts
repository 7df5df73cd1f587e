import type { Operations } from '@agent-marketplace/sdk';

export type BrowseInput = NonNullable<Operations['browseListings']['input']>;

type Choices = readonly (readonly [value: string, label: string])[];

/** The filters of `GET /marketplace/listings` by their names on the wire, in the order of addresses. */
export const CHOICES = {
  sort: [
    ['', 'Best match'],
    ['recent', 'Newest first'],
    ['popular', 'Most bought first'],
    ['price_asc', 'Lowest price first'],
    ['price_desc', 'Highest price first'],
    ['quality', 'Best rated first'],
    ['trust', 'Most trusted seller first'],
  ],
  price: [
    ['all', 'Any price'],
    ['free', 'Free'],
    ['paid', 'Priced'],
  ],
  type: [
    ['', 'Any number of copies'],
    ['standard', 'Sold to anyone'],
    ['limited', 'Limited copies'],
    ['exclusive', 'Sold once'],
  ],
  min_rating: [
    ['', 'Any rating, or none'],
    ['5', '5 stars'],
    ['4', '4 stars or more'],
    ['3', '3 stars or more'],
    ['2', '2 stars or more'],
    ['1', '1 star or more'],
  ],
  min_success: [
    ['', 'Any'],
    ['0.99', 'At least 99% succeed'],
    ['0.95', 'At least 95% succeed'],
    ['0.9', 'At least 90% succeed'],
    ['0.8', 'At least 80% succeed'],
    ['0.5', 'At least half succeed'],
  ],
  max_latency_ms: [
    ['', 'Any'],
    ['500', 'Within half a second'],
    ['1000', 'Within 1 second'],
    ['2000', 'Within 2 seconds'],
    ['5000', 'Within 5 seconds'],
    ['10000', 'Within 10 seconds'],
  ],
  samples: [
    ['exclude', 'Leave out'],
    ['include', 'Free examples too'],
    ['only', 'Only these'],
  ],
  class: [
    ['', 'Do not count'],
    ['COMMERCE', 'Buyers and sellers'],
    ['RESEARCH', 'Research briefs'],
    ['FOUNDING', 'Founding members'],
    ['SETTLEMENT', 'Settlement'],
    ['PILOT', 'Pilot'],
    ['GUEST', 'Guests'],
  ],
  rail: [
    ['', 'Any'],
    ['CARD', 'Card'],
    ['X402', 'USDC (x402)'],
    ['RFQ', 'By quotation'],
  ],
} as const satisfies Readonly<Record<string, Choices>>;

export type Choice = keyof typeof CHOICES;

/** The default choices, which addresses leave out. */
const DEFAULTS: Readonly<Record<Choice, string>> = {
  // With words, the SDK asks for the best match by itself.
  sort: '',
  price: 'all',
  type: '',
  min_rating: '',
  min_success: '',
  max_latency_ms: '',
  samples: 'exclude',
  class: '',
  rail: '',
};

export const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
const MAX_OFFSET = 1_000_000_000;
const MAX_WORDS_LENGTH = 200;
const MAX_SLUG_LENGTH = 64;

/** The chosen filters, without defaults. */
export type Filters = ReadonlyMap<string, string>;

/** Reads an address. Unknown values of choices are dropped, so that an old or mistyped link still shows listings. */
export function readFilters(query: URLSearchParams): Filters {
  const filters = new Map<string, string>();
  const words = query.get('q')?.trim().slice(0, MAX_WORDS_LENGTH).toWellFormed();
  if (words) filters.set('q', words);
  for (const name of ['category', 'vertical']) {
    // One that there is not is kept, so that the page says so in place of showing everything.
    const slug = query.get(name)?.trim().slice(0, MAX_SLUG_LENGTH).toWellFormed();
    if (slug) filters.set(name, slug);
  }
  for (const [name, choices] of Object.entries<Choices>(CHOICES)) {
    const value = query.get(name) ?? '';
    const isKnown = choices.some(([one]) => one === value);
    const isIdle = name === 'sort' && value === 'recent' && !filters.has('q');
    if (isKnown && !isIdle && value !== DEFAULTS[name as Choice]) filters.set(name, value);
  }
  const limit = wholeNumber(query.get('limit'), 1, MAX_PAGE_SIZE);
  if (limit !== null && limit !== PAGE_SIZE) filters.set('limit', String(limit));
  const offset = wholeNumber(query.get('offset'), 1, MAX_OFFSET);
  if (offset !== null) filters.set('offset', String(offset));
  return filters;
}

/** The choice for a filter, or its default. */
export function choiceOf(filters: Filters, name: Choice): string {
  return filters.get(name) ?? DEFAULTS[name];
}

/** What a filter offers. Without words nothing matches better than another: the newest come first. */
export function choicesOf(filters: Filters, name: Choice): Choices {
  return name === 'sort' && !filters.has('q') ? CHOICES.sort.slice(1) : CHOICES[name];
}

/** The filters in force, without the words, the order and the page of the list. */
export function chosenOf(filters: Filters): [name: string, value: string][] {
  return [...filters].filter(([name]) => !['q', 'sort', 'limit', 'offset'].includes(name));
}

/** The shortest address of these filters with the changes. Null removes a filter. */
export function addressOf(filters: Filters, changes: Readonly<Record<string, string | null>> = {}): string {
  const merged = new URLSearchParams([...filters]);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  const query = new URLSearchParams([...readFilters(merged)]).toString();
  return query === '' ? '/listings' : `/listings?${query}`;
}

/** As `addressOf`, from the first page on: what changes the list changes its pages. */
export function filterAddress(filters: Filters, changes: Readonly<Record<string, string | null>>): string {
  return addressOf(filters, { ...changes, offset: null });
}

export function browseInput(filters: Filters): BrowseInput {
  const {
    min_rating: minRating,
    min_success: minSuccess,
    max_latency_ms: maxLatencyMs,
    limit,
    offset,
    ...rest
  } = Object.fromEntries(filters);
  return {
    // `readFilters` lets only values of the API's enums through.
    ...(rest as Pick<BrowseInput, 'q' | 'category' | 'price' | 'sort'>),
    ...(minRating === undefined ? {} : { minRating: Number(minRating) }),
    ...(minSuccess === undefined ? {} : { minSuccess: Number(minSuccess) }),
    ...(maxLatencyMs === undefined ? {} : { maxLatencyMs: Number(maxLatencyMs) }),
    limit: limit === undefined ? PAGE_SIZE : Number(limit),
    offset: offset === undefined ? 0 : Number(offset),
  };
}

function wholeNumber(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^\d{1,10}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}
