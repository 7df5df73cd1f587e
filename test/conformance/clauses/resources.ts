import { conformance, section, testsOf } from './clause.ts';

const convention = conformance('conventions', 'Provenance receipt (in every response as provenance.receipt)');
const receipt = convention('%s %s: alg, keyId, signedAt, digest, signature, verify');
const agents = conformance('agents', 'POST /agents/register');
const listings = conformance('listings');
const purchases = conformance('purchases', 'POST /marketplace/listings/{id}/purchase');
const reading = conformance('purchases', 'GET /marketplace/purchases/{id}');
const ratings = conformance('ratings', 'POST /marketplace/listings/{id}/rate');
const dashboard = conformance('sellers', 'Seller dashboard and earnings');
const slice = testsOf('packages/core/src/selling/dashboard.test.ts');

export const receipts = section('receipt', 'Provenance receipt', [
  [
    'everywhere',
    'In every response as provenance.receipt, refusals included.',
    receipt,
    testsOf('test/contract/answers.test.ts')(
      'a good request > %s: is answered as declared, with nothing undeclared',
    ),
    testsOf('test/contract/refusals.test.ts')('a field that is not known is refused by name > %s'),
  ],
  ['alg', 'alg is ed25519.', receipt],
  [
    'key-id',
    'keyId identifies the signing key; keys rotate.',
    receipt,
    testsOf('packages/core/src/provenance/provenance.test.ts')(
      'a rotation of keys > leaves receipts of the retired key verifiable',
    ),
  ],
  ['signed-at', 'signedAt is ISO-8601 UTC.', receipt],
  [
    'digest',
    'digest is sha256:<hex> over the body without provenance.',
    receipt,
    convention('can be checked with POST /verify-receipt and GET /signing-key'),
  ],
  ['signature', 'signature is base64url, unpadded.', receipt],
  ['verify', 'verify names POST /verify-receipt.', receipt],
  [
    'message',
    'The signed message is <keyId>.<signedAt>.<digest>.',
    receipt,
    testsOf('test/e2e/free-purchase.test.ts')(
      'what was signed > OpenSSL and Python verify them too, and the POSTs that the seller received',
    ),
  ],
  [
    'pay-rail',
    'Pay-rail receipts are signed over key-sorted JSON.',
    conformance('statistics')('affiliatedRail > a receipt is signed when it is recorded'),
  ],
]);

export const agent = section('agent', 'Agent', [
  ['id', 'id: uuid.', agents('response 201: id, name, apiKey, createdAt, connect')],
  ['name', 'name: private registration name.', agents('name and email are private')],
  [
    'api-key',
    'apiKey: only in the registration response, shown once, ^mkt_live_.',
    agents('apiKey: pattern ^mkt_live_, shown once'),
  ],
  [
    'created-at',
    'createdAt: date-time.',
    conformance('conventions')('Conventions > bodies are JSON; ids are uuid strings'),
  ],
  [
    'connect',
    'connect: handle, inbox and discovery, in the registration response.',
    agents('connect carries the handle, inbox and discovery, and they work'),
  ],
  [
    'display-name',
    'displayName is opt-in, 1-64; name and email stay private.',
    agents('displayName 1-64, opt-in'),
    agents('name and email are private'),
  ],
]);

export const previewAndVertical = section('catalogue-records', 'Preview, category and vertical', [
  [
    'preview-required',
    'preview is required to create a listing, and is an object.',
    listings(
      'POST /marketplace/listings > title, description, preview (object), price and consent are required',
    ),
  ],
  [
    'preview-shown',
    'Buyers see it before purchase.',
    conformance('browse')(
      'GET /marketplace/listings/{id} > response 200: listing, preview (object), seller, ratings',
    ),
  ],
  [
    'preview-small',
    'It is small: at most 16 KiB, counted in bytes.',
    listings('POST /marketplace/listings > %s: limits'),
    listings('POST /marketplace/listings > a preview of 16 KiB is counted in bytes'),
  ],
  [
    'preview-only',
    'It is the only content that the marketplace holds.',
    conformance('delivery')(
      'What the service does 2: a zero-storage broker > no deliverable is ever written (invariant 21)',
    ),
  ],
  [
    'vertical',
    'Vertical: slug, name, icon, isExternal, listingCount; in /verticals and /stats alike.',
    conformance('catalogue')('GET /verticals > slug, name, icon, isExternal, listingCount'),
    conformance('statistics')(
      'Platform stats (GET /stats) > vertical object: slug, name, icon, isExternal, listingCount',
    ),
  ],
  [
    'category',
    'Category: slug and listingCount.',
    conformance('catalogue')('GET /marketplace/categories > the macro-categories with counts'),
  ],
]);

export const purchase = section('purchase', 'Purchase', [
  [
    'id',
    'id: uuid; a status; amounts.',
    purchases('response 200: free listings deliver immediately and show status released'),
  ],
  [
    'receipt',
    'A receipt, which verifies.',
    purchases('the deliverable is bound to the receipt by a SHA-256 digest'),
  ],
  [
    'checkout-url',
    'A checkout URL for paid listings.',
    conformance('sales')(
      'payment paths > checkout: a paid listing returns a checkout URL; the content comes once it is paid',
    ),
  ],
  [
    'content',
    'The delivered content once paid or released.',
    reading('response 200: status, receipt, and the content, relayed again'),
    conformance('sales')(
      'payment paths > checkout: a paid listing returns a checkout URL; the content comes once it is paid',
    ),
  ],
  [
    'digest',
    'The deliverable is bound to the receipt by a SHA-256 digest.',
    purchases('the deliverable is bound to the receipt by a SHA-256 digest'),
    testsOf('packages/sdk/src/verify/verify.test.ts')(
      'verifyPurchaseReceipt > with its content, and with the content in another order',
    ),
  ],
  [
    'compared',
    'What is relayed later is compared with what was bought.',
    reading('says whether the content still is what was bought; the receipt stays'),
  ],
]);

export const rating = section('rating', 'Rating', [
  [
    'purchase',
    'Tied to one paid purchase.',
    ratings('is tied to one paid purchase, and requires its buyer’s key'),
  ],
  ['values', 'Integer 1-5.', ratings('rating integer 1-5')],
  [
    'comment',
    'Optional comment of at most 2000 characters.',
    ratings('comment optional, at most 2000 characters'),
  ],
  ['anonymous', 'Anonymous.', ratings('is anonymous: no public answer names the buyer or the purchase')],
  [
    'attestation',
    'Comes back with a signed attestation that a paying buyer left it.',
    ratings('response 200: the rating, with a signed attestation that a paying buyer left it'),
    testsOf('packages/sdk/src/verify/rating-attestation.test.ts')(
      'a rating of a list, and as its buyer has it',
    ),
  ],
  [
    're-rating',
    'Re-rating the same purchase updates the rating.',
    ratings('re-rating the same purchase updates the existing rating'),
  ],
]);

export const sellerRecords = section('seller', 'Seller dashboard and earnings', [
  [
    'dashboard',
    'Profile and payout status, listings, sales, earnings totals, released payouts.',
    dashboard(
      'dashboard: profile and payout status, listings, sales, earnings totals, released payouts, notifications, offers',
    ),
  ],
  [
    'notifications',
    'The 50 most recent notifications.',
    slice('the dashboard > shows the 50 most recent notifications and sales, and those of this seller alone'),
  ],
  [
    'offers',
    'Live exclusive offers.',
    dashboard('live exclusive offers are shown'),
    slice('the dashboard > shows live offers without their buyers, and the orders that wait to be shipped'),
  ],
  [
    'earnings',
    'Earnings: totals plus a per-listing breakdown.',
    dashboard(
      'earnings: totals and a per-listing breakdown; pendingCents held and releasing, availableCents released',
    ),
    slice('earnings > are sums over the sales, in total and by listing, whatever became of each'),
  ],
  [
    'pending',
    'pendingCents covers held and releasing sales.',
    slice('earnings > are sums over the sales, in total and by listing, whatever became of each'),
  ],
  [
    'available',
    'availableCents covers released sales.',
    dashboard(
      'earnings: totals and a per-listing breakdown; pendingCents held and releasing, availableCents released',
    ),
  ],
]);
