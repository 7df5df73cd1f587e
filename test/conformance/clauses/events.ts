import { conformance, section, testsOf } from './clause.ts';

const selling = conformance('selling');
const challenge = conformance('selling', 'Events: verification_challenge');
const delivery = conformance('delivery', 'Events: delivery_request');
const post = testsOf('packages/core/src/adapters/fetch/seller-endpoint.node.test.ts');
const headers = post('the signed POST > carries the headers of the contract, which verify');
const sdk = testsOf('packages/sdk/src/seller/refusals.test.ts');

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
    testsOf('packages/core/src/delivery/deliver.node.test.ts')('every lie has its outcome > %s'),
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
    testsOf('packages/core/src/agents/events/agent-events.test.ts')(
      'a try that fails > is the last one after eight in a day; then the event is given up, and its agent can see that',
    ),
    testsOf('packages/core/src/agents/events/agent-events.test.ts')(
      'a try that fails > with %s is repeated to the byte',
    ),
  ],
]);
