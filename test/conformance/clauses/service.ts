import { conformance, section, testsOf } from './clause.ts';

const versioning = conformance('versioning');
const catalogue = conformance('catalogue', 'What the service does 2: platform-published listings');
const delivery = conformance('delivery');
const sales = conformance('sales');
const sellers = conformance('sellers');
const fees = conformance('fees', 'Fee schedule (GET /meta)');
const health = conformance('health');
const mcp = testsOf('test/contract/mcp.test.ts', 'an operation answers the same over REST and as a tool');
const feeRules = testsOf('packages/core/src/fees/fee-schedule.rules.test.ts');
const feesOfSales = testsOf(
  'test/fault/fees.test.ts',
  "Fees at the edges of their bands equal a BigInt oracle's",
);

export const whatTheServiceDoes = section('service', 'What the service does', [
  [
    'categories',
    'The thirteen macro-categories, by slug.',
    conformance('catalogue', 'GET /marketplace/categories')('the macro-categories with counts'),
  ],
  [
    'one-key',
    'One API key works for every category.',
    versioning('What the service does > 1. the macro-categories; one key for every category'),
  ],
  [
    'zero-storage',
    'Holds listing metadata, a preview and a fingerprint; never a deliverable.',
    delivery(
      'What the service does 2: a zero-storage broker > no deliverable is ever written (invariant 21)',
    ),
  ],
  [
    'live-relay',
    'The deliverable is relayed live from the verified endpoint at the time of purchase.',
    delivery(
      'Events: delivery_request > body {type, listingId, fingerprint, title, verticalSlug, query, issuedAt}',
    ),
  ],
  [
    'digest',
    'It is bound to the receipt with a SHA-256 digest.',
    conformance('purchases')(
      'POST /marketplace/listings/{id}/purchase > the deliverable is bound to the receipt by a SHA-256 digest',
    ),
  ],
  [
    'platform-listings',
    'One free reference listing per vertical, and curated free listings of public-domain records.',
    catalogue('one free reference listing per vertical, and at least 8 curated free ones'),
  ],
  [
    'platform-serves',
    'The platform serves those itself.',
    catalogue('all of them can be bought for nothing and are served by the platform itself'),
  ],
  [
    'pay-checkout',
    'Marketplace checkout: a paid purchase returns a checkout URL.',
    sales(
      'payment paths > checkout: a paid listing returns a checkout URL; the content comes once it is paid',
    ),
  ],
  [
    'pay-wallet-card',
    'A prepaid wallet, or a saved card.',
    sales('payment paths > a prepaid wallet, or a saved card: delivered in the answer'),
  ],
  [
    'pay-x402',
    'Pay-per-query in USDC on Base over x402, with no account.',
    conformance('x402')(
      'a payment of version %i > brings the data, a receipt that verifies, and the result in both headers',
    ),
  ],
  [
    'free-immediately',
    'Free listings deliver immediately.',
    sales(
      'payment paths > free listings (priceCents 0) deliver immediately, with no checkout and no payouts of the seller',
    ),
  ],
  [
    'payouts',
    'Payout onboarding is required for priced listings only.',
    sellers('payouts > onboarding is required for priced listings, and never for free ones'),
  ],
  [
    'payouts-elsewhere',
    'Sellers in countries that the processor does not serve bind a USDC-on-Base payout wallet.',
    conformance('payout-wallet')(
      'POST /sell/payout-wallet > binds the account, and is payouts connected: priced listings that waited for that go live',
    ),
    sellers('become_seller > country ISO-3166-1 alpha-2; 400 if the processor does not serve it'),
  ],
  [
    'provenance',
    'Every JSON response carries provenance with attribution fields.',
    conformance('conventions')(
      'Provenance receipt (in every response as provenance.receipt) > descriptive attribution fields',
    ),
    testsOf('test/contract/answers.test.ts')(
      'a good request > %s: is answered as declared, with nothing undeclared',
    ),
  ],
  [
    'depth',
    'Depth means live counterparties within 120 seconds, never catalog size.',
    conformance('ingress')(
      'POST /ingress/heartbeat > is 404 for an expired session: it counts at 119.999 s, and not at 120.000 s',
    ),
  ],
  [
    'never-closed',
    'The anonymous listings GET is never fail-closed.',
    conformance('browse-edges')(
      'GET /marketplace/listings > is never refused for want of a class, nor closed while the door is',
    ),
  ],
  [
    'mcp-same',
    'MCP exposes the same operations as tools.',
    mcp('%s: to the letter'),
    mcp('%s: but for what is new each time'),
  ],
  [
    'inquiry-capability',
    'Inquiries open a thread; the id is the capability for reading it.',
    conformance('inquiries')('GET /inquiries/{id}/thread > the inquiry id is the capability'),
  ],
  [
    'prohibited',
    'What is prohibited is published.',
    versioning('What the service does > 10. what is prohibited is said before anybody lists'),
  ],
  [
    'secrets',
    'Credentials and secrets in listings are refused.',
    conformance('listings')('POST /marketplace/listings > %s are refused and not repeated'),
  ],
  [
    'own-listing',
    'A buyer cannot buy their own listing.',
    conformance('purchases')(
      'POST /marketplace/listings/{id}/purchase > a buyer cannot buy their own listing',
    ),
  ],
  [
    'health-flow',
    'Personal health data is sold only through its own flow.',
    health('personal health data > is sold only through the dedicated flow'),
  ],
  [
    'health-consent',
    'With a signed consent record.',
    health(
      'health consent object > the record is notarized: SHA-256 and Ed25519, verifiable, and kept for 6 years',
    ),
  ],
  [
    'health-attestation',
    'Health purchases require a buyer attestation.',
    health('purchase of a personal-health listing > 422 without the attestation or the intended use'),
  ],
]);

export const feeSchedule = section('fees', 'Fee schedule', [
  [
    'micro',
    'Below 2000 cents: 0.',
    feeRules('platformFeeCents > of %i is %i'),
    feesOfSales('a sale at %i cents'),
  ],
  [
    'standard',
    '2000 to below 5000000 cents: 500 bps; the seller keeps 9500.',
    conformance('sales')('fees of a sale > %i cents: %i cents to the platform, nothing added for the buyer'),
    feesOfSales('a sale at %i cents'),
  ],
  [
    'high-ticket',
    'From 5000000 cents: 50 bps.',
    feeRules('platformFeeCents > equals the oracle at every price'),
    feesOfSales('a sale at %i cents'),
  ],
  [
    'floor',
    'Floor of 24900 cents.',
    feeRules('platformFeeCents > applies the floor where the high-ticket rate gives less'),
  ],
  ['cap', 'Cap of 499500 cents.', feeRules('platformFeeCents > of %i is %i')],
  ['constants', 'GET /meta names the constants.', fees('top-level fields')],
  [
    'buyer',
    'Buyer fee 0 bps.',
    fees('fees object'),
    conformance('sales')('fees of a sale > %i cents: %i cents to the platform, nothing added for the buyer'),
  ],
  [
    'listing',
    'Listing fee 0.',
    fees('fees object'),
    conformance('sales')('fees of a sale > listing costs nothing'),
  ],
  ['founding', 'foundingFill is true.', fees('top-level fields')],
  [
    'lock',
    'The rate is locked until 2027-06-30.',
    fees('top-level fields'),
    feeRules('the history of schedules > refuses a change %s'),
  ],
  ['schedule-version', 'schedule_version is 1; banded is true.', fees('fees object')],
  [
    'closing-rate',
    'Settled sales keep the closing rate: the version is on the receipt.',
    fees('fees object'),
    conformance('sales')('fees of a sale > %i cents: %i cents to the platform, nothing added for the buyer'),
    feeRules('the history of schedules > takes a change that keeps the promise, from its day on'),
  ],
  [
    'wallet',
    'The wallet never changes pricing or the split.',
    conformance('wallet')(
      'the wallet never changes pricing or the split > the same price and fee from the wallet as by card',
    ),
  ],
  ['rounding', 'Fees are rounded down to whole cents.', feeRules('platformFeeCents > of %i is %i')],
  ['free', 'Nothing is taken of what is free.', feesOfSales('nothing is taken of what is free')],
]);
