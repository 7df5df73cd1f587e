import { conformance, section, testsOf } from './clause.ts';

const provenance = conformance('provenance');
const statistics = conformance('statistics');
const inquiries = conformance('inquiries');
const open = conformance('inquiries', 'POST /inquiries');
const attachments = conformance('inquiries', 'GET /relay/attachments/{id}');
const ingress = conformance('ingress');
const admit = conformance('ingress', 'POST /ingress/admit: ADMIT');
const refuse = conformance('ingress', 'POST /ingress/admit: signed REFUSE, 403');
const again = conformance('ingress', 'POST /ingress/admit: the same requestId');

export const provenanceEndpoints = section('provenance', 'Endpoints: provenance', [
  [
    'signing-key',
    'GET /signing-key: algorithm Ed25519, keyId, publicKeyRaw, publicKeyPem, howToVerify[].',
    provenance(
      'GET /signing-key > response 200: algorithm, keyId, publicKeyRaw, publicKeyPem, howToVerify[]',
    ),
  ],
  [
    'same-key',
    'The raw key and the PEM are the same key.',
    testsOf('packages/core/src/provenance/provenance.test.ts')(
      'the signing key > is the same as raw bytes and as PEM',
    ),
  ],
  [
    'signs-posts',
    'It signs outbound POSTs to sellers too.',
    testsOf('test/e2e/free-purchase.test.ts')(
      'what was signed > OpenSSL and Python verify them too, and the POSTs that the seller received',
    ),
  ],
  [
    'rotation',
    'On an unknown keyId, re-fetch: rotated keys are there.',
    testsOf('test/e2e/free-purchase.test.ts')(
      'what was signed > stays good when the key is rotated, and new answers are signed with the new key',
    ),
    testsOf('packages/sdk/src/seller/seller-endpoint.test.ts')(
      'fetches the keys from the marketplace, and again after a rotation',
    ),
  ],
  [
    'verify',
    'POST /verify-receipt: the receipt alone checks the signature.',
    provenance('POST /verify-receipt > the receipt alone checks the signature'),
  ],
  [
    'verify-payload',
    'payload also confirms the digest.',
    provenance(
      'POST /verify-receipt > payload (the response body with the provenance key removed) also confirms the digest',
    ),
  ],
  [
    'verify-malformed',
    '200 whether valid or not, 400 if malformed.',
    provenance('POST /verify-receipt > 200 whether valid or not, 400 only if malformed'),
  ],
  [
    'pay-rail',
    'GET /mktpay/receipts/{id}/verify verifies a pay-rail receipt.',
    statistics('affiliatedRail > GET /mktpay/receipts/{id}/verify'),
  ],
]);

export const statsEndpoints = section('stats', 'Endpoints: stats and meta', [
  [
    'stats',
    'GET /stats: platform stats.',
    statistics('Platform stats (GET /stats) > platform, the totals (integers), verticals[]'),
  ],
  [
    'marketplace-stats',
    'GET /marketplace/stats: the same totals, platformFeeCents, armsLengthCents.',
    statistics('GET /marketplace/stats > the same totals plus platformFeeCents and armsLengthCents'),
  ],
  [
    'meta',
    'GET /meta: fee schedule and constants.',
    conformance('fees')('Fee schedule (GET /meta) > top-level fields'),
  ],
  [
    'demand',
    'GET /proof/demand: the demand ledger.',
    statistics('Demand ledger (GET /proof/demand) > response fields'),
  ],
  [
    'broadcast',
    'GET /broadcast: stats and endpoint map.',
    statistics('GET /broadcast > self-describing platform broadcast with stats and endpoint map'),
  ],
]);

export const inquiryEndpoints = section('inquiries', 'Endpoints: inquiries', [
  ['public', 'POST /inquiries needs no key.', open('none: no key is needed')],
  ['required', 'subject and message required.', open('subject and message are required strings')],
  [
    'optional',
    'name, email, category: optional strings.',
    open('name, email, category are optional strings'),
  ],
  ['attachments', 'At most 5 attachments.', open('attachments: max 5')],
  [
    'attachment-fields',
    'filename, contentType, contentBase64: all required.',
    open('attachments: %s is required'),
  ],
  [
    'attachment-size',
    'At most 4 MB decoded each.',
    open('attachments: max 4 MB decoded each; base64'),
    testsOf('test/e2e/inquiry.test.ts')('an inquiry > with five files of 4 MB is kept, byte for byte'),
  ],
  [
    'response',
    'Response 201: the inquiry, attachments with sha256 and url, read and followUp.',
    open(
      'response 201: the inquiry, recorded attachments (each with sha256 and url) and thread endpoints (read, followUp)',
    ),
  ],
  [
    'thread',
    'GET /inquiries/{id}/thread: the id is the capability.',
    inquiries('GET /inquiries/{id}/thread > the inquiry id is the capability'),
  ],
  [
    'bytes',
    'GET /relay/attachments/{id}: bytes with ETag and X-Content-SHA256.',
    attachments('returns the attachment bytes with ETag and X-Content-SHA256 integrity headers'),
  ],
]);

export const ingressEndpoints = section('ingress', 'Endpoints: agent ingress', [
  [
    'index',
    'GET /ingress: service, status, summary, endpoints, listings_integration, docs.',
    ingress('GET /ingress > is the index of the door'),
  ],
  [
    'classes',
    'Classes COMMERCE, RESEARCH, FOUNDING, SETTLEMENT, PILOT, GUEST; rails CARD, X402, RFQ.',
    ingress('GET /ingress/vocabulary > lists classes and rails, and names the headers'),
  ],
  [
    'headers',
    'X-MKT-Class, Idempotency-Key, freshness_max_age_s 120.',
    ingress('GET /ingress/vocabulary > lists classes and rails, and names the headers'),
  ],
  [
    'schedule',
    'GET /ingress/schedule: bands, canonical form, SHA-256 digest.',
    ingress('GET /ingress/schedule > has the bands, the canonical form and its SHA-256 digest'),
  ],
  [
    'schedule-bound',
    'Every admission receipt binds that digest.',
    admit('is a signed receipt that binds class, depth and schedule'),
  ],
  [
    'no-money',
    'No dollar amounts in classification.',
    ingress('GET /ingress/schedule > has no amount of money'),
  ],
  [
    'keys',
    'GET /ingress/keys: verify keys and offline steps.',
    ingress('GET /ingress/keys > has the Ed25519 keys of the door, and how to verify offline'),
  ],
  [
    'occupancy',
    'GET /ingress/occupancy: class, vertical; a reading.',
    ingress('GET /ingress/occupancy > is an occupancy reading'),
    ingress('GET /ingress/occupancy > counts in a vertical who declared it'),
  ],
  [
    'berth-key',
    'berthKey: Ed25519 key, raw 32 bytes as hex.',
    admit('takes hex of either case, and means one key'),
    refuse('MALFORMED: %s'),
  ],
  [
    'intent-class',
    'intentClass: from the vocabulary, or X-MKT-Class.',
    admit('takes class and requestId from headers'),
  ],
  [
    'side',
    'side: buy, sell.',
    refuse('MALFORMED: %s'),
    admit('counts at admission the other side, without the caller'),
  ],
  [
    'request-id',
    'requestId, or Idempotency-Key.',
    admit('takes class and requestId from headers'),
    refuse('MALFORMED: requestId and Idempotency-Key differ'),
  ],
  ['ts', 'ts: integer, unix seconds.', admit('takes a timestamp up to 300 s away'), refuse('MALFORMED: %s')],
  [
    'sig',
    'sig over the key-sorted whitespace-free JSON of {berthKey, intentClass, requestId, side, ts}.',
    refuse('BAD_SIGNATURE: another %s than was signed'),
    testsOf('packages/sdk/src/ingress/berth.test.ts')(
      'admission > is asked for with a signature of the berth key',
    ),
  ],
  [
    'admit',
    '200 ADMIT: signed, binding class, depth and schedule digest; FOUNDING at depth 0.',
    admit('is a signed receipt that binds class, depth and schedule'),
  ],
  [
    'replay',
    'The same requestId and terms: byte-identical.',
    again('with the same terms is the same answer to the byte, also signed anew and by another key since'),
  ],
  ['conflict', '409: the same requestId, changed terms.', again('with another %s is 409')],
  [
    'capacity',
    '429: per-class capacity.',
    ingress(
      'POST /ingress/admit: 429 > CAPACITY_EXHAUSTED, signed, with Retry-After; other classes have budgets of their own',
    ),
  ],
  [
    'unavailable',
    '503: COMPONENT_UNAVAILABLE, retryable with the same requestId.',
    testsOf('test/e2e/ingress.test.ts')(
      'the door, when its Worker cannot be reached > refuses as COMPONENT_UNAVAILABLE, in a receipt that verifies with the keys as they are listed',
    ),
    testsOf('test/e2e/ingress.test.ts')(
      'the door, when its Worker cannot be reached > once it is back, answers the same requestId as before, and admits what it never saw',
    ),
    testsOf('test/fault/ingress.test.ts')('the object of the requestId > %s: %#'),
    testsOf('test/fault/ingress.test.ts')(
      'an answer that cannot be kept > is not given; the same requestId works once it can be',
    ),
  ],
  [
    'offline',
    'Receipts verify offline against keys and schedule.',
    testsOf('test/e2e/ingress.test.ts')(
      'the door, through the public API > its receipts verify with OpenSSL, from its keys and its schedule alone',
    ),
  ],
  [
    'heartbeat',
    'POST /ingress/heartbeat {sessionId}: 200 ok.',
    ingress('POST /ingress/heartbeat > keeps a session for another 120 s'),
  ],
  [
    'heartbeat-404',
    '404 when expired or unknown.',
    ingress(
      'POST /ingress/heartbeat > is 404 for an expired session: it counts at 119.999 s, and not at 120.000 s',
    ),
    ingress('POST /ingress/heartbeat > is 404 for the unknown session "%s"'),
  ],
]);
