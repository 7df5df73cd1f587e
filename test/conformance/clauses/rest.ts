import { conformance, section, testsOf } from './clause.ts';

const keys = conformance('conventions', 'Authentication');
const authentication = conformance('authentication', 'Authentication');
const refusals = testsOf('test/contract/refusals.test.ts', 'without a key that is good');
const selling = conformance('selling');
const challenge = conformance('selling', 'Events: verification_challenge');
const delivery = conformance('delivery', 'Events: delivery_request');
const post = testsOf('packages/core/src/adapters/fetch/seller-endpoint.test.ts');
const headers = post('the signed POST > carries the headers of the contract, which verify');
const sdk = testsOf('packages/sdk/src/seller/refusals.test.ts');
const ingress = conformance('ingress');
const refuse = conformance('ingress', 'POST /ingress/admit: signed REFUSE, 403');
const problem = conformance('conventions')('Errors > %s: RFC 9457 with code, retryable and requestId');
const limits = conformance('limits');
const wallet = conformance('wallet');
const ratings = conformance('ratings', 'POST /marketplace/listings/{id}/rate');
const edges = conformance('browse-edges', 'GET /marketplace/listings');
const register = conformance('agents', 'POST /agents/register');
const versioning = conformance('versioning');
const x402 = conformance('x402');

export const authenticationRules = section('authentication', 'Authentication', [
  [
    '1-immediate',
    '1. Registration is immediate; the key has the prefix mkt_live_.',
    keys('1. registration is immediate; one key works for buying and selling'),
  ],
  [
    '1-one-key',
    '1. One key works for buying, selling and the wallet.',
    authentication('1. one key works for buying, selling and the wallet'),
  ],
  [
    '1-linking',
    '1. Becoming a seller links a key or mints one.',
    keys('1. becoming a seller links an existing key or mints a new one'),
  ],
  [
    '2-api-key',
    '2. api_key in the body for POST, in the query for GET.',
    keys('2. the key is accepted as an api_key field: body for POST, query for GET'),
    authentication('2. api_key in the body of POST and PATCH'),
    authentication('2. api_key in the query of GET %s'),
    refusals('%s: unknown'),
  ],
  [
    '3-headers',
    '3. Authorization: Bearer or x-api-key.',
    keys('3. as Authorization: Bearer and as x-api-key'),
    conformance('sellers')(
      'GET %s > 200 with Authorization: Bearer, with x-api-key, and with api_key in the query',
    ),
  ],
  [
    '3-not-a-seller',
    '3. An invalid key, or one that is not a seller’s: 401.',
    conformance('sellers')(
      'GET %s > 401 without a key, with an invalid one, and with one that is not a seller’s',
    ),
    refusals('%s: of who does not sell'),
  ],
  [
    '4-public',
    '4. Public operations need no key.',
    authentication('4. GET %s needs no key'),
    authentication('4. receipts are verified and inquiries opened without a key'),
    testsOf('test/e2e/ingress.test.ts')(
      'the door, through the public API > answers below /api/ingress, and nothing else does',
    ),
  ],
  [
    '5-x402',
    '5. x402 queries need no key.',
    x402(
      'a payment of version %i > brings the data, a receipt that verifies, and the result in both headers',
    ),
  ],
  [
    '6-ingress',
    '6. Admission by a signature of the berth key.',
    refuse('BAD_SIGNATURE: another %s than was signed'),
    refuse('BAD_SIGNATURE: the key %s, which fits any message'),
  ],
  ['7-outbound', '7. Outbound calls are signed.', headers],
  [
    '8-admin',
    '8. smokeTest needs the platform admin header.',
    authentication('8. smokeTest needs the platform admin header, with the right secret'),
  ],
  [
    '9-owner',
    '9. Only an owner may modify a listing.',
    authentication('9. only an owner may modify a listing'),
  ],
  [
    '9-buyer',
    '9. A buyer key is required to read what a purchase delivered.',
    authentication('9. a buyer key is required to read what a purchase delivered'),
  ],
  [
    '9-rating',
    '9. Rating requires the buyer’s key and the purchase id.',
    ratings('is tied to one paid purchase, and requires its buyer’s key'),
    ratings('purchase_id uuid and rating are required'),
  ],
]);

export const events = section('events', 'Events', [
  [
    'target',
    'To the registered callbackUrl, public https.',
    selling('POST /sell/callback > must be public https'),
    post('the guard > connects to nothing for %s'),
  ],
  ['redirects', 'Redirects are never followed.', post('the reply > %i is not followed')],
  ['key-id', 'X-MKT-Key-Id.', headers],
  ['signature', 'X-MKT-Signature: Ed25519, base64url, unpadded.', headers],
  ['signature-alg', 'X-MKT-Signature-Alg: ed25519.', headers],
  ['timestamp', 'X-MKT-Timestamp: ISO-8601 UTC.', headers],
  ['body-sha256', 'X-MKT-Body-Sha256: hex over the raw body.', headers],
  ['signature-input', 'X-MKT-Signature-Input: descriptor.', headers],
  [
    'message',
    'POST, URL, timestamp and body hash, joined by newlines, none trailing.',
    headers,
    testsOf('test/e2e/free-purchase.test.ts')(
      'what was signed > OpenSSL and Python verify them too, and the POSTs that the seller received',
    ),
  ],
  [
    'url-as-registered',
    'The URL exactly as registered.',
    post('the signed POST > signs the URL as registered, not as normalised'),
    challenge('reply within 15 s, capped at 64 KB, to the URL exactly as registered'),
  ],
  [
    'receivers',
    'Receivers hash the body and verify with the published keys.',
    sdk('a tampered body'),
    testsOf('packages/sdk/src/seller/seller-endpoint.test.ts')(
      'fetches the keys from the marketplace, and again after a rotation',
    ),
  ],
  [
    'freshness',
    'Timestamp and issuedAt are always sent; a window is the receiver’s choice.',
    headers,
    challenge('body {type, nonce (48-char hex, single-use), issuedAt, instructions}'),
    sdk('a clock that is %i ms ahead gives %i'),
  ],
  [
    'challenge',
    'verification_challenge {type, nonce (48 hex), issuedAt, instructions}.',
    challenge('body {type, nonce (48-char hex, single-use), issuedAt, instructions}'),
  ],
  [
    'challenge-reply',
    'HTTP 200 JSON with the same nonce; anything else fails.',
    challenge('any other reply fails: %s'),
  ],
  [
    'delivery',
    'delivery_request {type, listingId, fingerprint, title, verticalSlug, query, issuedAt}.',
    delivery('body {type, listingId, fingerprint, title, verticalSlug, query, issuedAt}'),
  ],
  [
    'delivery-reply',
    'HTTP 200 JSON {data: object}.',
    delivery('%s: nothing is bought (invariant 6)'),
    testsOf('packages/core/src/delivery/deliver.test.ts')('every lie has its outcome > %s'),
  ],
  [
    'unavailable',
    'HTTP 404 or {available: false}: the buyer is not charged.',
    delivery('%s: nothing is bought (invariant 6)'),
    conformance('sales')(
      'sale settlement (escrow) > query-then-charge: %s of the seller, and the buyer is not charged',
    ),
  ],
  [
    'credited-after',
    'The seller is credited only after a successful delivery.',
    conformance('sales')(
      'sale settlement (escrow) > query-then-charge: %s of the seller, and the buyer is not charged',
    ),
    testsOf('test/fault/sales-model.test.ts')('does with money what plain code says, in any order'),
  ],
  [
    'sha256',
    '__sha256 over the canonical JSON of data without it.',
    delivery('a right __sha256 over the data without it is accepted'),
    testsOf('packages/core/src/delivery/integrity.rules.test.ts')('claimHolds > %s'),
  ],
  [
    'sha256-mismatch',
    'A mismatch is refunded automatically.',
    conformance('sales')('sale settlement (escrow) > data that fails its __sha256 is refunded automatically'),
  ],
  [
    'agent-callback',
    'To an agent’s callbackUrl: signed, with bounded retries.',
    testsOf('packages/core/src/agents/events/agent-events.workers.test.ts')(
      'a try that fails > is the last one after eight in a day; then the event is given up, and its agent can see that',
    ),
    testsOf('packages/core/src/agents/events/agent-events.workers.test.ts')(
      'a try that fails > with %s is repeated to the byte',
    ),
  ],
]);

export const errors = section('errors', 'Errors', [
  [
    '400-country',
    '400 become_seller: country not served.',
    conformance('sellers')(
      'become_seller > country ISO-3166-1 alpha-2; 400 if the processor does not serve it',
    ),
  ],
  [
    '401',
    '401 /sell/me, /sell/earnings: invalid key or not a seller.',
    conformance('sellers')(
      'GET %s > 401 without a key, with an invalid one, and with one that is not a seller’s',
    ),
  ],
  [
    '402',
    '402 x402: payment missing or insufficient.',
    x402(
      'GET /x402/listings/{id}/query without a payment > is 402 with the terms of version 1: exact, base, USDC, 60 seconds',
    ),
    x402('a payment of version %i > %s is 402 with the reason, and nothing happens'),
  ],
  [
    '403-missing-class',
    '403 MISSING_CLASS: missing or unknown class, never a silent default.',
    refuse('MISSING_CLASS: the class %s'),
    refuse('MISSING_CLASS: an unknown class in the header'),
  ],
  [
    '403-invalid-class',
    '403 INVALID_CLASS.',
    refuse('INVALID_CLASS: the header says otherwise'),
    refuse('INVALID_CLASS: %j is no text'),
  ],
  ['403-bad-signature', '403 BAD_SIGNATURE.', refuse('BAD_SIGNATURE: another %s than was signed')],
  [
    '403-stale-ts',
    '403 STALE_TS: over 300 s.',
    refuse('STALE_TS: %i s away'),
    ingress('POST /ingress/admit: ADMIT > takes a timestamp up to 300 s away'),
  ],
  ['403-malformed', '403 MALFORMED.', refuse('MALFORMED: %s'), refuse('MALFORMED: the body is %s')],
  [
    '404-heartbeat',
    '404 heartbeat: expired or unknown; re-admit with a fresh requestId.',
    ingress(
      'POST /ingress/heartbeat > is 404 for an expired session: it counts at 119.999 s, and not at 120.000 s',
    ),
  ],
  [
    '404-seller',
    '404 of a seller: unavailable, not charged.',
    delivery('%s: nothing is bought (invariant 6)'),
  ],
  [
    '409-conflict',
    '409 IDENTIFIER_CONFLICT.',
    ingress('POST /ingress/admit: the same requestId > with another %s is 409'),
  ],
  [
    '422-health',
    '422: attestation or intended use missing.',
    conformance('health')(
      'purchase of a personal-health listing > 422 without the attestation or the intended use',
    ),
  ],
  [
    '429-capacity',
    '429 per-class capacity; budgets are separate.',
    ingress(
      'POST /ingress/admit: 429 > CAPACITY_EXHAUSTED, signed, with Retry-After; other classes have budgets of their own',
    ),
  ],
  [
    '429-x402',
    '429 x402: back off, not a payment failure.',
    x402('the limit of requests > is a signed 429 with Retry-After, and says that it is no payment failure'),
  ],
  [
    '503-unavailable',
    '503 COMPONENT_UNAVAILABLE: retry with the same requestId.',
    testsOf('test/fault/ingress.test.ts')('the object of the requestId > %s: %#'),
  ],
  [
    'own-listing',
    'Buying one’s own listing is rejected: 403.',
    conformance('purchases')(
      'POST /marketplace/listings/{id}/purchase > a buyer cannot buy their own listing',
    ),
  ],
  [
    'shape',
    'Other errors are RFC 9457 problems with code, retryable and requestId.',
    problem,
    conformance('conventions')('Errors > the type of a problem is a page that exists'),
  ],
  [
    'validation',
    'Validation is 400 and names the fields.',
    problem,
    testsOf('test/contract/refusals.test.ts')(
      'a value that does not fit is refused by the name of its field > %s',
    ),
  ],
  [
    'charged',
    'Operations that can move money say whether anything was charged.',
    conformance('purchases')(
      'POST /marketplace/listings/{id}/purchase > money routes say whether anything was charged',
    ),
  ],
]);

export const limitTable = section('limits', 'Limits', [
  [
    'browse',
    'Browse page: default 50, at most 100; offset default 0.',
    edges('50 listings to a page by default'),
    edges('limit 100 is taken, 101 is not; offset 0 is, -1 is not'),
  ],
  [
    'agents',
    'Agent list: default 50; offset default 0.',
    conformance('agents')(
      'GET /agents > limit (default 50), offset (default 0); response 200: agents[], total',
    ),
  ],
  ['min-rating', 'min_rating: 1 to 5.', edges('min_rating 1 and 5 are taken, less and more are not')],
  [
    'rating',
    'Rating: integer 1 to 5; comment at most 2000.',
    ratings('rating integer 1-5'),
    ratings('comment optional, at most 2000 characters'),
  ],
  [
    'referral',
    'referralSource at most 300, referrer at most 500.',
    register('referralSource at most 300'),
    register('referrer at most 500'),
  ],
  ['utm', 'utm: at most 8 keys.', register('utm: object with string values, at most 8 keys')],
  ['display-name', 'displayName: 1 to 64.', register('displayName 1-64, opt-in')],
  [
    'callback-url',
    'callbackUrl: at most 2048; https only.',
    limits(
      'callbackUrl: 2048 characters are taken, 2049 are not, at registration and at POST /sell/callback',
    ),
    register('callbackUrl: https only, at most 2048, no private or loopback targets'),
  ],
  ['top-up', 'Top-up: 1000 to 50000 cents.', wallet('POST /wallet/fund > amount_cents integer 1000-50000')],
  [
    'wallet-cap',
    'Wallet balance capped at 50000 cents.',
    wallet(
      'POST /wallet/fund > the balance is capped at 50000 cents: reached exactly, and not passed by one',
    ),
    testsOf('packages/core/src/wallet/headroom.workers.test.ts')(
      'any course of things (%i) > never makes a credit or a refund that the cap refuses',
    ),
  ],
  ['bulk-count', 'Bulk: 1 to 100 listings.', wallet('bulk_purchase > 1 to 100 listings')],
  [
    'bulk-price',
    'Bulk: combined price at most 50000 cents.',
    wallet('bulk_purchase > combined price at most 50000 cents'),
  ],
  [
    'bulk-standard',
    'Bulk: not exclusive, limited or personal-health.',
    wallet('bulk_purchase > standard listings only: not exclusive, limited or personal-health'),
  ],
  [
    'health-price',
    'Personal-health minimum price: 500 cents.',
    conformance('health')('personal health data > never costs less than 500 cents, also after a change'),
    conformance('health')('list_health_data > %s: values and limits'),
  ],
  [
    'attachments',
    'At most 5 attachments, 4 MB decoded each, base64.',
    conformance('inquiries')('POST /inquiries > attachments: max 5'),
    conformance('inquiries')('POST /inquiries > attachments: max 4 MB decoded each; base64'),
  ],
  [
    'message',
    'At most 10000 characters per message.',
    conformance('inquiries')('inquiry thread, limits > at most 10000 characters per message'),
  ],
  [
    'thread',
    'At most 200 messages per thread.',
    conformance('inquiries')('inquiry thread, limits > at most 200 messages per thread'),
  ],
  [
    'freshness',
    'Session live 120 s.',
    ingress(
      'POST /ingress/heartbeat > is 404 for an expired session: it counts at 119.999 s, and not at 120.000 s',
    ),
  ],
  [
    'ts',
    'Admit ts within 300 s.',
    ingress('POST /ingress/admit: ADMIT > takes a timestamp up to 300 s away'),
    refuse('STALE_TS: %i s away'),
  ],
  [
    'challenge',
    'Challenge: reply within 15 s, at most 64 KB.',
    challenge('reply within 15 s, capped at 64 KB, to the URL exactly as registered'),
    post('the reply > %s the limit is let through'),
    post('the reply > %s is too large'),
    post('the reply > %s runs into the limit of the whole call'),
  ],
  [
    'delivery',
    'Delivery: reply within 30 s, at most 10 MB.',
    delivery('body {type, listingId, fingerprint, title, verticalSlug, query, issuedAt}'),
    testsOf('packages/core/src/delivery/deliver.test.ts')('delivered: the RFC 8785 form of data > 10 MB'),
    post('the reply > %s is too large'),
  ],
  [
    'x402',
    'x402 challenge timeout: 60 s.',
    x402(
      'GET /x402/listings/{id}/query without a payment > is 402 with the terms of version 1: exact, base, USDC, 60 seconds',
    ),
  ],
  [
    'notifications',
    'The 50 most recent notifications.',
    testsOf('packages/core/src/selling/dashboard.workers.test.ts')(
      'the dashboard > shows the 50 most recent notifications and sales, and those of this seller alone',
    ),
  ],
  [
    'fee-notice',
    'Fee changes: 60 days of notice, none before the lock date.',
    testsOf('packages/core/src/fees/fee-schedule.rules.test.ts')(
      'the history of schedules > refuses a change %s',
    ),
    versioning(
      'Versioning > a change is announced 60 days ahead, and takes effect no earlier than 2027-06-30',
    ),
  ],
  [
    'capacity',
    'Separate ingress budget per class.',
    ingress(
      'POST /ingress/admit: 429 > CAPACITY_EXHAUSTED, signed, with Retry-After; other classes have budgets of their own',
    ),
  ],
]);

export const versions = section('versioning', 'Versioning', [
  [
    'api',
    'API description 1.0.0; MCP manifest 1.0.0.',
    versioning(
      'Versioning > the version of the API description is 1.0.0, and so is that of the MCP manifest',
    ),
  ],
  [
    'paths',
    'Paths carry no version segment.',
    versioning(
      'Versioning > the version of the API description is 1.0.0, and so is that of the MCP manifest',
    ),
    conformance('conventions')('Conventions > paths carry no version segment, and are below /api'),
  ],
  [
    'listing',
    'A listing’s version starts at 1, advances by every modification, with a public signed history.',
    conformance('browse-edges')(
      'Listing > version is 1 + modificationCount, and lastModified the time of the last change',
    ),
    conformance('listings')(
      'GET /marketplace/listings/{id}/history > public, signed, entries with version, change type and signature',
    ),
  ],
  [
    'schedule',
    'schedule_version 1; history at GET /fees.',
    versioning('Versioning > the fee schedule has schedule_version 1, and its history is at GET /fees'),
    conformance('fees')('GET /fees > the schedule history, with notice and lock date'),
  ],
  [
    'change',
    'A change is announced 60 days ahead, and takes effect no earlier than 2027-06-30.',
    versioning(
      'Versioning > a change is announced 60 days ahead, and takes effect no earlier than 2027-06-30',
    ),
    testsOf('packages/core/src/fees/fee-schedule.rules.test.ts')(
      'the history of schedules > refuses a change %s',
    ),
  ],
  [
    'closing-rate',
    'Sales settled under a rate keep it.',
    testsOf('packages/core/src/fees/fee-schedule.rules.test.ts')(
      'the history of schedules > takes a change that keeps the promise, from its day on',
    ),
    conformance('sales')('fees of a sale > %i cents: %i cents to the platform, nothing added for the buyer'),
  ],
  [
    'keys',
    'Signing keys rotate; receipts and callbacks name the keyId.',
    testsOf('test/e2e/free-purchase.test.ts')(
      'what was signed > stays good when the key is rotated, and new answers are signed with the new key',
    ),
    headers,
  ],
]);
