import { cutText } from '../../kernel/tools/cut-text.ts';
import type { ToolAnswer, ToolList } from '../../kernel/tools/mcp-binding.ts';
import type { ListingView } from '../listings.schema.ts';

/** The longest title of one byte a character. */
const MAX_TITLE_BYTES = 200;
const MAX_SUMMARY_CHARACTERS = 160;
const MAX_SUMMARY_BYTES = 240;

/** A listing as a row among others: enough to choose those to look at. */
export function briefListing(listing: ListingView) {
  const {
    description,
    id,
    measured,
    meter,
    priceCents,
    priceMicros,
    queryRequired,
    ratingAvg,
    ratingCount,
    verticalSlug,
  } = listing;
  // Whoever asked for some `fields` gets rows without the others.
  return {
    id,
    priceCents,
    ...(typeof priceMicros === 'number' ? { priceMicros } : {}),
    ...(meter ? { meter } : {}),
    queryRequired,
    // Nobody has rated it: 0 would pass for a bad rating.
    ...(ratingCount > 0 ? { ratingAvg, ratingCount } : {}),
    // How many are behind a rate: one buyer may be the seller's own other key.
    ...(typeof measured?.successRate === 'number'
      ? { successRate: measured.successRate, buyers30d: measured.buyers30d }
      : {}),
    summary: cutText(description ?? '', MAX_SUMMARY_CHARACTERS, MAX_SUMMARY_BYTES),
    title: cutText(listing.title ?? '', MAX_TITLE_BYTES, MAX_TITLE_BYTES),
    verticalSlug,
  };
}

const listingRows: ToolList = {
  member: 'listings',
  rows: 10,
  row: briefListing,
  least: ['id', 'priceCents', 'title'],
  text: [
    'id',
    'title',
    'priceCents',
    'priceMicros',
    'meter',
    'verticalSlug',
    'ratingAvg',
    'successRate',
    'buyers30d',
    'queryRequired',
  ],
  next: { offset: ({ total }: { readonly total: number }, end) => end < total },
};

/** A page of what is for sale. `narrow` says by what there is less of it. */
export function listingsAnswer(narrow: string): ToolAnswer {
  return { text: ['correctedQuery', 'matched', 'suggestions', 'total'], lists: [{ ...listingRows, narrow }] };
}

/** One's own listing after a change: what was sent is not sent back. */
const OWN_MEMBERS = [
  'active',
  'fingerprint',
  'id',
  'listingType',
  'priceCents',
  'priceMicros',
  'status',
  'title',
  'verticalCategory',
  'verticalSlug',
  'version',
] as const;

export const changedListingAnswer: ToolAnswer = {
  members: [...OWN_MEMBERS, 'change', 'claimUrl', 'notice'],
  whole: '/marketplace/listings/{id}',
};

export const publishedListingAnswer: ToolAnswer = {
  parts: {
    listing: (listing: ListingView) => Object.fromEntries(OWN_MEMBERS.map((name) => [name, listing[name]])),
  },
  whole: '/marketplace/listings/{listing.id}',
};
