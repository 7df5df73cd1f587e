import { conformance, section, testsOf } from './clause.ts';

const whole = conformance('browse-edges')(
  'Listing > has every field of the table, each of its type, and says nothing else',
);
const edges = conformance('browse-edges', 'Listing');
const browse = conformance('browse', 'GET /marketplace/listings');
const listings = conformance('listings');
const healthListing = conformance('health')(
  'list_health_data > the listing carries what health data adds to a listing',
);
const ratings = conformance('ratings', 'POST /marketplace/listings/{id}/rate');
const ofHealth = [whole, healthListing] as const;

export const listing = section('listing', 'Listing', [
  ['id', 'id: uuid.', whole],
  ['seller-id', 'sellerId: uuid.', whole],
  [
    'seller-name',
    'sellerName: pseudonymous label.',
    whole,
    listings('POST /marketplace/listings > a third-party seller is pseudonymous'),
  ],
  [
    'seller-reputation',
    'sellerReputation: number.',
    whole,
    testsOf('packages/core/src/purchases/purchases.test.ts')(
      'a seller that does not deliver > loses reputation by failing, not by having nothing',
    ),
  ],
  [
    'rating',
    'ratingAvg: number; ratingCount: integer.',
    whole,
    ratings('re-rating the same purchase updates the existing rating'),
  ],
  ['vertical', 'verticalSlug, verticalName, verticalIcon: strings.', whole],
  ['vertical-category', 'verticalCategory: macro-category slug.', whole, browse('category and vertical')],
  ['pricing-type', 'pricingType: fixed.', whole],
  ['texts', 'title, description: strings.', whole],
  [
    'price-cents',
    'priceCents: integer >= 0; 0 means free.',
    whole,
    conformance('conventions')('Conventions > money is integer cents'),
  ],
  ['beta', 'betaFree: boolean; betaNote: string or null.', whole],
  [
    'listing-type',
    'listingType: standard, limited, exclusive.',
    edges('listingType standard, limited (with maxCopies), exclusive'),
  ],
  [
    'max-copies',
    'maxCopies: integer or null; never oversold.',
    edges('listingType standard, limited (with maxCopies), exclusive'),
    conformance('purchases')(
      'listingType limited and exclusive > maxCopies are never oversold, also by purchases at once (invariant 5)',
    ),
  ],
  [
    'counts',
    'soldCount, purchaseCount, viewCount: integers.',
    whole,
    edges('soldCount and purchaseCount follow purchases'),
    conformance('browse')('GET /marketplace/listings/{id} > costs one round trip and no write'),
  ],
  [
    'active',
    'active: boolean.',
    whole,
    conformance('listing-states')(
      'States and transitions: Listing > active → inactive → active by update; by deactivation',
    ),
  ],
  [
    'exclusive-sold',
    'exclusiveSold: boolean.',
    conformance('purchases')('listingType limited and exclusive > an exclusive listing sells once'),
    conformance('browse-edges')(
      'GET /marketplace/listings > shows what can be bought: what is sold out is not there, until a copy comes back',
    ),
  ],
  ['fingerprint', 'fingerprint: sha256:<hex>.', whole],
  ['images', 'images: array.', whole, listings('POST /marketplace/listings > %s: limits')],
  [
    'is-sample',
    'isSample: platform reference listing.',
    conformance('catalogue')(
      'What the service does 2: platform-published listings > one free reference listing per vertical, and at least 8 curated free ones',
    ),
  ],
  ['created-at', 'createdAt: date-time.', whole],
  [
    'version',
    'version: 1 at creation; 1 + modificationCount.',
    edges('version is 1 + modificationCount, and lastModified the time of the last change'),
  ],
  [
    'last-modified',
    'lastModified: date-time or null.',
    whole,
    edges('version is 1 + modificationCount, and lastModified the time of the last change'),
  ],
  [
    'modification-count',
    'modificationCount: integer.',
    edges('version is 1 + modificationCount, and lastModified the time of the last change'),
  ],
  ['history-url', 'modificationHistoryUrl: path of the history.', whole],
  ['subcategory', 'subcategory: string or null.', ...ofHealth],
  ['data-date', 'dataDate: string or null.', ...ofHealth],
  ['data-format', 'dataFormat: string or null.', ...ofHealth],
  ['seller-state', 'sellerState: string or null.', ...ofHealth],
  ['demographics', 'demographics: object or null.', ...ofHealth],
  ['context-tags', 'contextTags: array or null.', ...ofHealth],
  ['deidentification-level', 'deidentificationLevel: string or null.', ...ofHealth],
  ['authorized-uses', 'authorizedUses: array or null.', ...ofHealth],
  ['data-origin', 'dataOrigin: string or null.', ...ofHealth],
  ['collection-method', 'collectionMethod: string or null.', whole],
  [
    'source-attribution',
    'sourceAttribution: string or null; said of curated listings.',
    whole,
    conformance('catalogue')(
      'What the service does 2: platform-published listings > one free reference listing per vertical, and at least 8 curated free ones',
    ),
  ],
  ['health-consent-verified', 'healthConsentVerified: boolean.', ...ofHealth],
  ['seller-badges', 'sellerBadges: array of strings, for example verified.', whole],
  ['seller-kind', 'sellerKind: third_party.', whole],
  [
    'list-response',
    'The list response is {listings[], total, limit, offset}.',
    browse('response 200: listings[], total, offset, limit; limit default 50, offset default 0'),
  ],
  [
    'agent-notice',
    'It may carry agent_notice.',
    browse('response 200: listings[], total, offset, limit; limit default 50, offset default 0'),
  ],
  [
    'same-everywhere',
    'A listing is the same in a list as by itself.',
    edges('is the same in a list as by itself'),
  ],
]);
