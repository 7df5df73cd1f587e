import { conformance, section, testsOf } from './clause.ts';

const challenge = conformance('selling', 'Events: verification_challenge');
const delivery = conformance('delivery', 'Events: delivery_request');
const post = testsOf('packages/core/src/adapters/fetch/seller-endpoint.node.test.ts');
const headers = post('the signed POST > carries the headers of the contract, which verify');
const ingress = conformance('ingress');
const refuse = conformance('ingress', 'POST /ingress/admit: signed REFUSE, 403');
const limits = conformance('limits');
const wallet = conformance('wallet');
const ratings = conformance('ratings', 'POST /marketplace/listings/{id}/rate');
const edges = conformance('browse-edges', 'GET /marketplace/listings');
const register = conformance('agents', 'POST /agents/register');
const versioning = conformance('versioning');
const x402 = conformance('x402');

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
    testsOf('packages/core/src/wallet/headroom.test.ts')(
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
    testsOf('packages/core/src/delivery/deliver.node.test.ts')(
      'delivered: the RFC 8785 form of data > 10 MB',
    ),
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
    testsOf('packages/core/src/selling/dashboard.test.ts')(
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
