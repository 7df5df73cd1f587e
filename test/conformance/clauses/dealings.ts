import { conformance, section, testsOf } from './clause.ts';

const purchases = conformance('purchases', 'POST /marketplace/listings/{id}/purchase');
const reading = conformance('purchases', 'GET /marketplace/purchases/{id}');
const health = conformance('health', 'purchase of a personal-health listing');
const authentication = conformance('authentication', 'Authentication');
const sales = conformance('sales', 'payment paths');
const ratings = conformance('ratings', 'POST /marketplace/listings/{id}/rate');
const selling = conformance('selling');
const sellers = conformance('sellers');
const payout = conformance('payout-wallet');
const usdcPayouts = testsOf('packages/core/src/sales/escrow/usdc-payouts.test.ts');
const wallet = conformance('wallet');
const x402 = conformance('x402');

export const purchasing = section('purchasing', 'Endpoints: purchasing and rating', [
  [
    'key-recommended',
    'Without api_key the purchase is tied to nobody and not retrievable.',
    purchases('without a key the purchase is not tied to an agent and not retrievable later'),
  ],
  ['api-key', 'api_key in the body.', authentication('2. api_key in the body of POST and PATCH')],
  [
    'email',
    'email: receipt email.',
    purchases('email: format'),
    testsOf('packages/core/src/purchases/receipt-mails.test.ts')(
      'a receipt by mail > goes to the address given with a purchase that was paid and delivered, once',
    ),
  ],
  [
    'intended-use',
    'buyer_intended_use: the five values.',
    health('buyer_intended_use: values, each for what the seller authorized'),
  ],
  ['attestation', 'buyer_attestation: five booleans, all true.', health('%s must be true')],
  [
    'response',
    'Response 200: a purchase object; free listings deliver immediately.',
    purchases('response 200: free listings deliver immediately and show status released'),
  ],
  [
    'checkout',
    'Paid listings return a checkout URL.',
    sales('checkout: a paid listing returns a checkout URL; the content comes once it is paid'),
  ],
  [
    'health-422',
    'Health purchase without the attestation: 422.',
    health('422 without the attestation or the intended use'),
  ],
  [
    'read-key',
    'GET /marketplace/purchases/{id}: api_key required.',
    reading('needs the key that bought'),
    authentication('2. api_key in the body of POST and PATCH'),
  ],
  [
    'read',
    'Response 200: status, receipt, and the content once paid or released.',
    reading('response 200: status, receipt, and the content, relayed again'),
    sales('checkout: a paid listing returns a checkout URL; the content comes once it is paid'),
  ],
  ['rate-key', 'rate: api_key required.', ratings('api_key in the body is accepted; without a key 401')],
  ['rate-purchase', 'purchase_id: required uuid.', ratings('purchase_id uuid and rating are required')],
  ['rate-rating', 'rating: required integer 1-5.', ratings('rating integer 1-5')],
  ['rate-comment', 'comment: at most 2000.', ratings('comment optional, at most 2000 characters')],
  [
    'rate-response',
    'Response 200 with a signed attestation.',
    ratings('response 200: the rating, with a signed attestation that a paying buyer left it'),
  ],
]);

export const sellingEndpoints = section('selling', 'Endpoints: selling', [
  [
    'register-name',
    'POST /sell/register: name required.',
    selling(
      'POST /sell/register > name required; email format; referralSource at most 300; referrer at most 500; utm at most 8 keys',
    ),
  ],
  [
    'register-fields',
    'email, referralSource (300), referrer (500), utm (8).',
    sellers(
      'POST /sell/register > the longest that is taken, and one more: referralSource 300, referrer 500, utm 8 keys',
    ),
  ],
  [
    'register-201',
    'Response 201 with a card-processor onboarding URL.',
    sellers(
      'POST /sell/register > response 201, without auth: seller registered with a card-processor onboarding URL',
    ),
  ],
  [
    'callback-key',
    'POST /sell/callback: api_key and callbackUrl required.',
    selling('POST /sell/callback > needs a key; callbackUrl required'),
    authentication('2. api_key in the body of POST and PATCH'),
  ],
  [
    'callback-https',
    'callbackUrl: public https.',
    selling('POST /sell/callback > must be public https'),
    testsOf('packages/core/src/selling/endpoint.test.ts')(
      'a URL that must not be called > is refused for every type: %j',
    ),
  ],
  [
    'callback-type',
    'callbackType: webhook (default), polling, mcp.',
    selling('POST /sell/callback > callbackType enum webhook, polling, mcp'),
    selling('POST /sell/callback > response 200: endpoint verified; callbackType default webhook'),
  ],
  [
    'callback-200',
    'Response 200: endpoint verified.',
    selling('POST /sell/callback > response 200: endpoint verified; callbackType default webhook'),
  ],
  [
    'polling',
    'polling: the seller fetches and answers.',
    selling(
      'GET and POST /sell/deliveries (callbackType polling) > the seller fetches a challenge and a delivery, and answers both',
    ),
  ],
  [
    'mcp',
    'mcp: the platform calls the tool deliver.',
    testsOf('packages/core/src/delivery/call-deliver-tool.node.test.ts')(
      'initialises, notifies, calls: three signed POSTs in one session',
    ),
    testsOf('packages/core/src/delivery/call-deliver-tool.node.test.ts')(
      'the challenge goes to the same tool',
    ),
  ],
  [
    'me',
    'GET /sell/me: seller dashboard.',
    sellers(
      'Seller dashboard and earnings > dashboard: profile and payout status, listings, sales, earnings totals, released payouts, notifications, offers',
    ),
  ],
  [
    'me-carriers',
    'Bearer, x-api-key, or api_key in the query; for /sell/earnings too.',
    sellers('GET %s > 200 with Authorization: Bearer, with x-api-key, and with api_key in the query'),
  ],
  [
    'me-401',
    '401 for an invalid key or a non-seller; for /sell/earnings too.',
    sellers('GET %s > 401 without a key, with an invalid one, and with one that is not a seller’s'),
  ],
  [
    'earnings',
    'GET /sell/earnings: earnings summary.',
    sellers(
      'Seller dashboard and earnings > earnings: totals and a per-listing breakdown; pendingCents held and releasing, availableCents released',
    ),
  ],
  [
    'payout-challenge',
    'POST /sell/payout-wallet/challenge: a message to sign, single-use.',
    payout('POST /sell/payout-wallet/challenge > needs a key'),
    payout(
      'POST /sell/payout-wallet/challenge > is a message that wallets sign (EIP-4361): for this account and chain, once, for 10 minutes',
    ),
  ],
  [
    'payout-wallet',
    'POST /sell/payout-wallet binds a USDC-on-Base payout wallet.',
    payout(
      'POST /sell/payout-wallet > binds the account, and is payouts connected: priced listings that waited for that go live',
    ),
    payout('POST /sell/payout-wallet > refuses a signature %s'),
  ],
  [
    'payout-usdc',
    'Sellers with a wallet are paid in USDC.',
    usdcPayouts('payouts in USDC > pay all due sales of a seller in one transfer of their exact shares'),
  ],
]);

export const walletEndpoints = section('wallet', 'Endpoints: wallet', [
  [
    'balance-key',
    'GET /wallet/balance: api_key required.',
    wallet('GET /wallet/balance > needs a key; api_key in the query'),
  ],
  [
    'balance',
    'Balance, totals funded and spent, auto-recharge, saved card, cap, recent activity.',
    wallet(
      'GET /wallet/balance > prepaid balance, totals funded and spent, auto-recharge, saved card, cap, recent activity',
    ),
  ],
  [
    'fund',
    'POST /wallet/fund: api_key and amount_cents required.',
    wallet('POST /wallet/fund > needs a key; amount_cents is required'),
  ],
  [
    'amount',
    'amount_cents: integer 1000-50000.',
    wallet('POST /wallet/fund > amount_cents integer 1000-50000'),
  ],
  [
    'checkout-url',
    'Response 200: checkoutUrl.',
    wallet(
      'POST /wallet/fund > response 200: a checkoutUrl; the credits are there once it is paid, and not before',
    ),
  ],
  [
    'credits',
    'Credits are added automatically when payment completes.',
    wallet(
      'POST /wallet/fund > response 200: a checkoutUrl; the credits are there once it is paid, and not before',
    ),
    testsOf('packages/core/src/wallet/top-ups.test.ts')(
      'a paid page > is credited once, whatever order its events come in, each three times',
    ),
  ],
]);

export const payPerQuery = section('x402', 'Endpoints: x402 pay-per-query', [
  [
    'no-account',
    'No account.',
    x402(
      'a payment of version %i > brings the data, a receipt that verifies, and the result in both headers',
    ),
  ],
  [
    'terms',
    'exact, base (chain id 8453), USDC, pay-to the platform, 60 s.',
    x402(
      'GET /x402/listings/{id}/query without a payment > is 402 with the terms of version 1: exact, base, USDC, 60 seconds',
    ),
    x402(
      'GET /x402/listings/{id}/query without a payment > has the same terms for version 2 in PAYMENT-REQUIRED, with the extensions',
    ),
  ],
  [
    'data',
    'Response 200: data delivered with a receipt.',
    x402(
      'a payment of version %i > brings the data, a receipt that verifies, and the result in both headers',
    ),
    testsOf('test/e2e/x402-clients.test.ts')('the reference client > of version 1 pays'),
    testsOf('test/e2e/x402-clients.test.ts')('the reference client > of version 2 pays'),
  ],
  [
    'missing',
    'Response 402: payment header missing.',
    x402(
      'GET /x402/listings/{id}/query without a payment > is 402 with the terms of version 1: exact, base, USDC, 60 seconds',
    ),
    testsOf('test/contract/x402.test.ts')(
      'a good request > queryListing, not paid: 402 in the declared form of its own, and it changes nothing',
    ),
  ],
  [
    'insufficient',
    'Response 402: payment insufficient.',
    x402('a payment of version %i > %s is 402 with the reason, and nothing happens'),
    x402('a payment of version %i > without funds is 402 insufficient_funds'),
  ],
  [
    'rate',
    'Limited more tightly than reading, writing and buying; 429 means back off, and is no payment failure.',
    x402('the limit of requests > is a signed 429 with Retry-After, and says that it is no payment failure'),
    conformance('limits')('pay-per-query is limited more tightly than reading, writing and buying'),
  ],
  [
    'once',
    'The same payment again brings the data again and is charged once.',
    x402(
      'a payment of version %i > sent again for the same query brings the data again, as the same purchase, charged once',
    ),
  ],
  [
    'free',
    'Free listings answer without payment.',
    x402('GET /x402/listings/{id}/query without a payment > of a free listing is 200 with the data'),
  ],
  [
    'never-health',
    'Personal health data is never sold over x402.',
    x402('personal health data > is never sold over x402'),
  ],
]);
