import { section } from './section.ts';

export const limitTable = section('limits', 'Limits', [
  ['browse', 'Browse page: default 50, at most 100; offset default 0.'],
  ['agents', 'Agent list: default 50; offset default 0.'],
  ['min-rating', 'min_rating: 1 to 5.'],
  ['rating', 'Rating: integer 1 to 5; comment at most 2000.'],
  ['referral', 'referralSource at most 300, referrer at most 500.'],
  ['utm', 'utm: at most 8 keys.'],
  ['display-name', 'displayName: 1 to 64.'],
  ['callback-url', 'callbackUrl: at most 2048; https only.'],
  ['top-up', 'Top-up: 1000 to 50000 cents.'],
  ['wallet-cap', 'Wallet balance capped at 50000 cents.'],
  ['bulk-count', 'Bulk: 1 to 100 listings.'],
  ['bulk-price', 'Bulk: combined price at most 50000 cents.'],
  ['bulk-standard', 'Bulk: not exclusive, limited or personal-health.'],
  ['health-price', 'Personal-health minimum price: 500 cents.'],
  ['attachments', 'At most 5 attachments, 4 MB decoded each, base64.'],
  ['message', 'At most 10000 characters per message.'],
  ['thread', 'At most 200 messages per thread.'],
  ['freshness', 'Session live 120 s.'],
  ['ts', 'Admit ts within 300 s.'],
  ['challenge', 'Challenge: reply within 15 s, at most 64 KB.'],
  ['delivery', 'Delivery: reply within 30 s, at most 10 MB.'],
  ['x402', 'x402 challenge timeout: 60 s.'],
  ['notifications', 'The 50 most recent notifications.'],
  ['fee-notice', 'Fee changes: 60 days of notice, none before the lock date.'],
  ['capacity', 'Separate ingress budget per class.'],
]);

export const versions = section('versioning', 'Versioning', [
  ['api', 'API description 1.0.0; MCP manifest 1.0.0.'],
  ['paths', 'Paths carry no version segment.'],
  [
    'listing',
    'A listing’s version starts at 1, advances by every modification, with a public signed history.',
  ],
  ['schedule', 'schedule_version 1; history at GET /fees.'],
  ['change', 'A change is announced 60 days ahead, and takes effect no earlier than 2027-06-30.'],
  ['closing-rate', 'Sales settled under a rate keep it.'],
  ['keys', 'Signing keys rotate; receipts and callbacks name the keyId.'],
]);
