import { conformance, section, testsOf } from './clause.ts';

const convention = conformance('conventions', 'Conventions');
const register = conformance('agents', 'POST /agents/register');
const registerSlice = testsOf('packages/core/src/agents/register-agent.test.ts');
const smoke = conformance('statistics', 'smokeTest of POST /agents/register');
const events = testsOf('packages/core/src/agents/events/agent-events.test.ts');
const agents = conformance('agents', 'GET /agents');
const catalogue = conformance('catalogue');
const browse = conformance('browse', 'GET /marketplace/listings');
const edges = conformance('browse-edges', 'GET /marketplace/listings');
const combinations = testsOf('packages/core/src/listings/browse.test.ts')(
  'browsing > gives exactly the page and the total that every combination of parameters asks for',
);
const create = conformance('listings', 'POST /marketplace/listings');
const change = conformance('listings', 'PATCH /marketplace/listings/{id}');
const history = conformance('listings', 'GET /marketplace/listings/{id}/history');

export const conventions = section('conventions', 'Endpoints: conventions', [
  [
    'json',
    'Bodies are JSON.',
    convention('bodies are JSON; ids are uuid strings'),
    testsOf('test/contract/refusals.test.ts')('a body that is not declared as JSON is 415 > %s'),
  ],
  [
    'ids',
    'Ids are uuid strings.',
    convention('bodies are JSON; ids are uuid strings'),
    convention('ids are uuid strings in every answer of every operation'),
  ],
  ['cents', 'Money is integer cents.', convention('money is integer cents')],
  [
    'paths',
    'Paths are below /api, without a version segment.',
    convention('paths carry no version segment, and are below /api'),
  ],
  [
    'all-paths',
    'Every path of the specification is described, and served by its Worker.',
    conformance('versioning')('Versioning > the description names every path that the specification names'),
    testsOf('test/contract/answers.test.ts')(
      'a good request > %s: is answered as declared, with nothing undeclared',
    ),
    testsOf('test/e2e/ingress.test.ts')(
      'the door, through the public API > is documented with the rest of the API',
    ),
  ],
  [
    'unknown',
    'A field that is not known is refused by name, a required one that is missing is named.',
    testsOf('test/contract/refusals.test.ts')('a field that is not known is refused by name > %s'),
    testsOf('test/contract/refusals.test.ts')('a required field that is missing is named > %s'),
  ],
]);

export const agentEndpoints = section('agents', 'Endpoints: agents', [
  ['name', 'name: required string.', register('name: required')],
  ['email', 'email: optional, email format.', register('email: email format, optional')],
  ['referral-source', 'referralSource: optional, at most 300.', register('referralSource at most 300')],
  [
    'referral-private',
    'It is never public.',
    registerSlice('an answer > holds the key once, where to be reached, and nothing else'),
    registerSlice('what is recorded > is what was given'),
  ],
  ['referrer', 'referrer: optional, at most 500.', register('referrer at most 500')],
  [
    'referer-header',
    'When omitted, the HTTP Referer header is recorded.',
    registerSlice('what is recorded > takes the referrer from the Referer header, cut to 500 characters'),
  ],
  [
    'utm',
    'utm: object with string values, at most 8 keys.',
    register('utm: object with string values, at most 8 keys'),
  ],
  ['display-name', 'displayName: 1-64, opt-in.', register('displayName 1-64, opt-in')],
  [
    'reserved-names',
    'Reserved aliases cannot be claimed.',
    register('displayName: reserved aliases cannot be claimed'),
    testsOf('packages/core/src/agents/display-name.rules.test.ts')('isReservedDisplayName > %j is reserved'),
  ],
  [
    'callback-url',
    'callbackUrl: public HTTPS, at most 2048; no private or loopback targets.',
    register('callbackUrl: https only, at most 2048, no private or loopback targets'),
  ],
  [
    'callback-delivery',
    'Signed delivery with bounded retries.',
    events('an event > is sent once, though five wake-ups come, at once or late'),
    events(
      'a try that fails > is the last one after eight in a day; then the event is given up, and its agent can see that',
    ),
    testsOf('packages/core/src/adapters/fetch/seller-endpoint.node.test.ts')(
      'the signed POST > carries the headers of the contract, which verify',
    ),
  ],
  [
    'callback-redirects',
    'No redirects.',
    testsOf('packages/core/src/adapters/fetch/seller-endpoint.node.test.ts')(
      'the reply > %i is not followed',
    ),
  ],
  [
    'smoke-test',
    'smokeTest: operator-only, with the admin header.',
    smoke('needs the platform admin header'),
    register('smokeTest: operator-only, an isolated fixture'),
  ],
  [
    'smoke-isolated',
    'An isolated fixture.',
    smoke('is isolated: in no list and no count'),
    testsOf('packages/core/src/admin/smoke-tests.test.ts')(
      'a smoke test is apart > from lists, counts and browsing',
    ),
  ],
  ['smoke-removable', 'Removable.', smoke('is removable')],
  [
    'smoke-no-customer',
    'Without payment-customer provisioning.',
    smoke('comes without payment-customer provisioning'),
  ],
  [
    'register-201',
    'Response 201 {id, name, apiKey, createdAt, connect}.',
    register('response 201: id, name, apiKey, createdAt, connect'),
  ],
  [
    'list',
    'GET /agents: limit (50), offset (0); {agents[], total}.',
    agents('limit (default 50), offset (default 0); response 200: agents[], total'),
    testsOf('packages/core/src/agents/agents.test.ts')('the directory > refuses ?%s'),
  ],
]);

export const browsing = section('browse', 'Endpoints: catalogue and browsing', [
  [
    'categories',
    'GET /marketplace/categories: categories with counts.',
    catalogue('GET /marketplace/categories > the macro-categories with counts'),
  ],
  [
    'verticals',
    'GET /verticals: verticals with listing counts.',
    catalogue('GET /verticals > slug, name, icon, isExternal, listingCount'),
    catalogue('GET /verticals > counts follow what is listed'),
  ],
  [
    'vertical',
    'GET /verticals/{slug}: the vertical with its listings.',
    catalogue('GET /verticals/{slug} > vertical detail with its listings'),
    catalogue(
      'GET /verticals/{slug} > its count, its total and its listings agree with browsing, reference listings asked for or not',
    ),
    catalogue('GET /verticals/{slug} > an unknown slug is 404'),
  ],
  [
    'q',
    'q matches title and description.',
    browse('q matches title and description'),
    browse('q=%s is text, not syntax'),
  ],
  ['category', 'category: macro-category slug.', browse('category and vertical'), combinations],
  ['vertical-filter', 'vertical: vertical slug.', browse('category and vertical'), combinations],
  [
    'type',
    'type: standard, limited, exclusive.',
    browse('type: standard, limited, exclusive'),
    edges('%s: the values of the enum, and no other'),
  ],
  [
    'sort',
    'sort: recent (default), popular, price_asc, price_desc, quality, trust.',
    edges('%s: the values of the enum, and no other'),
    combinations,
    browse('sort: default recent'),
  ],
  ['sort-recent', 'recent: newest first.', edges('sort=price_asc, price_desc and recent: the order')],
  ['sort-popular', 'popular: most bought first.', edges('sort=popular: what is bought most comes first')],
  ['sort-price', 'price_asc, price_desc.', edges('sort=price_asc, price_desc and recent: the order')],
  [
    'sort-quality',
    'quality: Bayesian-weighted buyer rating.',
    conformance('ratings')(
      'what ratings are for > ratingAvg and ratingCount of the listing; min_rating and sort=quality of browsing',
    ),
    combinations,
  ],
  [
    'sort-trust',
    'trust: seller reputation.',
    edges('sort=trust: the listing of the seller with the better reputation comes first'),
    testsOf('packages/core/src/search/sweep-reputations.test.ts')('lists > are sorted by trust as it is now'),
    combinations,
  ],
  [
    'min-rating',
    'min_rating 1-5 excludes unrated listings.',
    browse('min_rating 1-5 excludes unrated listings'),
    conformance('ratings')(
      'what ratings are for > ratingAvg and ratingCount of the listing; min_rating and sort=quality of browsing',
    ),
    edges('min_rating 1 and 5 are taken, less and more are not'),
  ],
  [
    'samples',
    'samples: exclude (default), include, only.',
    browse('samples: default exclude; include; only'),
    edges('%s: the values of the enum, and no other'),
  ],
  [
    'price',
    'price: all (default), paid, free.',
    edges('price: default all; paid is priceCents > 0; free is the $0 catalogue'),
    edges('%s: the values of the enum, and no other'),
  ],
  [
    'limit',
    'limit: default 50, at most 100.',
    edges('50 listings to a page by default'),
    edges('limit 100 is taken, 101 is not; offset 0 is, -1 is not'),
  ],
  [
    'offset',
    'offset: default 0; pages together are the whole.',
    browse('pages together are the whole, once each'),
    edges('limit 100 is taken, 101 is not; offset 0 is, -1 is not'),
  ],
  [
    'class',
    'class: the six intent classes; header alias X-MKT-Class.',
    edges('%s: the values of the enum, and no other'),
    browse('class and rail have header aliases X-MKT-Class and X-MKT-Rail'),
  ],
  [
    'rail',
    'rail: CARD, X402, RFQ; advisory; header alias X-MKT-Rail.',
    edges('%s: the values of the enum, and no other'),
    browse('class and rail have header aliases X-MKT-Class and X-MKT-Rail'),
    edges('class=COMMERCE adds a live-depth descriptor with founding_open'),
  ],
  [
    'response',
    'Response 200 {listings[], total, offset, limit}.',
    browse('response 200: listings[], total, offset, limit; limit default 50, offset default 0'),
  ],
  [
    'commerce',
    'class=COMMERCE excludes research briefs.',
    browse('class=COMMERCE excludes research briefs and adds a depth descriptor'),
  ],
  [
    'commerce-depth',
    'class=COMMERCE adds a live-depth descriptor with founding_open.',
    edges('class=COMMERCE adds a live-depth descriptor with founding_open'),
  ],
  [
    'research',
    'class=RESEARCH searches the research shelf.',
    browse('class=RESEARCH searches the research shelf'),
  ],
  [
    'no-class',
    'Never refused for lacking a class.',
    browse('a missing class keeps public behaviour'),
    browse('an empty class in the query leaves the choice to the header; two that differ are refused'),
    edges('is never refused for want of a class, nor closed while the door is'),
  ],
  [
    'detail',
    'GET /marketplace/listings/{id}: {listing, preview, seller, ratings}.',
    conformance('browse')(
      'GET /marketplace/listings/{id} > response 200: listing, preview (object), seller, ratings',
    ),
  ],
  [
    'history',
    'History is public: version, change type, signature.',
    history('public, signed, entries with version, change type and signature'),
  ],
  [
    'history-fingerprints',
    'Data changes appear as fingerprints only.',
    history('data changes appear as fingerprints only, never raw content'),
  ],
  [
    'history-chain',
    'It verifies offline as a chain.',
    testsOf('packages/sdk/src/verify/listing-history.test.ts')('a chain across a rotation, in either order'),
  ],
]);

export const listingEndpoints = section('listings', 'Endpoints: creating and changing listings', [
  ['key', 'POST needs a key.', create('needs a key')],
  ['response', 'Response 201 {listing, receipt}.', create('response 201: listing, receipt, both verifiable')],
  [
    'required',
    'title, description, preview (object), price in cents, consent.',
    create('title, description, preview (object), price and consent are required'),
  ],
  ['consent', 'consent must be true.', create('consent must be true')],
  ['optional', 'vertical and category are optional.', create('%s: limits')],
  [
    'filing',
    'With vertical omitted the listing is auto-filed.',
    create('with vertical omitted the listing is auto-filed'),
  ],
  ['limits', 'Lengths and ranges of its fields.', create('%s: limits')],
  ['patch-owner', 'PATCH: the caller must own the listing.', change('the caller must own the listing')],
  [
    'patch-fields',
    'All optional: title, description, priceCents, active, preview.',
    change('all fields are optional, but one is needed'),
  ],
  [
    'patch-api-key',
    'api_key in the body.',
    conformance('authentication')('Authentication > 2. api_key in the body of POST and PATCH'),
  ],
  [
    'patch-signed',
    'Each change is versioned and signed.',
    history('public, signed, entries with version, change type and signature'),
    change('every modification increments version and modificationCount'),
  ],
]);
