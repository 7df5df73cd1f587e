import { conformance, section, testsOf } from './clause.ts';

const keys = conformance('conventions', 'Authentication');
const authentication = conformance('authentication', 'Authentication');
const refusals = testsOf('test/contract/refusals.test.ts', 'without a key that is good');
const post = testsOf('packages/core/src/adapters/fetch/seller-endpoint.node.test.ts');
const headers = post('the signed POST > carries the headers of the contract, which verify');
const refuse = conformance('ingress', 'POST /ingress/admit: signed REFUSE, 403');
const ratings = conformance('ratings', 'POST /marketplace/listings/{id}/rate');
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
    testsOf('test/contract/operator.test.ts')('with %s it is refused, whatever is sent, and nothing changes'),
    testsOf('test/contract/operator.test.ts')('where no secret is set, there is no way in'),
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
