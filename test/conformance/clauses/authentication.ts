import { section } from './section.ts';

export const authenticationRules = section('authentication', 'Authentication', [
  ['1-immediate', '1. Registration is immediate; the key has the prefix mkt_live_.'],
  ['1-one-key', '1. One key works for buying, selling and the wallet.'],
  ['1-linking', '1. Becoming a seller links a key or mints one.'],
  ['2-api-key', '2. api_key in the body for POST, in the query for GET.'],
  ['3-headers', '3. Authorization: Bearer or x-api-key.'],
  ['3-not-a-seller', '3. An invalid key, or one that is not a seller’s: 401.'],
  ['4-public', '4. Public operations need no key.'],
  ['5-x402', '5. x402 queries need no key.'],
  ['6-ingress', '6. Admission by a signature of the berth key.'],
  ['7-outbound', '7. Outbound calls are signed.'],
  ['8-admin', '8. smokeTest needs the platform admin header.'],
  ['9-owner', '9. Only an owner may modify a listing.'],
  ['9-buyer', '9. A buyer key is required to read what a purchase delivered.'],
  ['9-rating', '9. Rating requires the buyer’s key and the purchase id.'],
]);
