import { conformance, section, testsOf } from './clause.ts';

const delivery = conformance('delivery', 'Events: delivery_request');
const ingress = conformance('ingress');
const refuse = conformance('ingress', 'POST /ingress/admit: signed REFUSE, 403');
const problem = conformance('conventions')('Errors > %s: RFC 9457 with code, retryable and requestId');
const x402 = conformance('x402');

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
    testsOf('test/e2e/ingress.test.ts')(
      'the door, when its Worker cannot be reached > once it is back, answers the same requestId as before, and admits what it never saw',
    ),
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
