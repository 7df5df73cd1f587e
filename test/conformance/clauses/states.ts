import { conformance, section, testsOf } from './clause.ts';

const states = conformance('listing-states', 'States and transitions: Listing');
const listings = conformance('listings');
const sales = conformance('sales', 'sale settlement (escrow)');
const ingress = conformance('ingress');
const door = testsOf('test/fault/ingress.test.ts');
const selling = conformance('selling');
const escrow = testsOf('packages/core/src/sales/escrow/escrow.test.ts');

export const listingStates = section('listing-states', 'States: listing', [
  [
    'active-at-once',
    '(none) to active with a verified endpoint; a listing and a signed receipt.',
    states('(none) → active with a verified endpoint, without a claimUrl'),
    listings('POST /marketplace/listings > response 201: listing, receipt, both verifiable'),
  ],
  [
    'pending',
    '(none) to pending without a verified endpoint, with a claimUrl.',
    states('(none) → pending without a verified endpoint, with a claimUrl'),
  ],
  [
    'claim',
    'At the claimUrl a person verifies the endpoint.',
    testsOf('packages/core/src/selling/endpoint.test.ts')(
      'a claim link > stands in for the key when the endpoint is verified, and stays in force',
    ),
  ],
  [
    'pending-payouts',
    'A priced one waits for payouts as well.',
    states('a priced listing waits for payouts'),
    escrow('connecting payouts > brings priced listings to life'),
  ],
  [
    'activation',
    'pending to active when the endpoint verifies: live at that moment.',
    states('pending → active when the delivery endpoint verifies'),
  ],
  [
    'deactivation',
    'active to inactive by update or deactivate_listing.',
    states('active → inactive → active by update; by deactivation'),
  ],
  [
    'inactive-hidden',
    'Inactive listings are neither browsable nor purchasable.',
    conformance('browse')('GET /marketplace/listings > only active listings are browsable'),
    conformance('purchases')(
      'POST /marketplace/listings/{id}/purchase > inactive, pending and unknown listings cannot be bought',
    ),
  ],
  [
    'reactivation',
    'inactive to active by update.',
    states('active → inactive → active by update; by deactivation'),
  ],
  [
    'owner',
    'Only for the owner.',
    listings('PATCH /marketplace/listings/{id} > the caller must own the listing'),
  ],
  [
    'counted',
    'Every modification increments version and modificationCount.',
    listings(
      'PATCH /marketplace/listings/{id} > every modification increments version and modificationCount',
    ),
  ],
  [
    'signed',
    'Each is recorded in the public Ed25519-signed history.',
    listings(
      'GET /marketplace/listings/{id}/history > public, signed, entries with version, change type and signature',
    ),
  ],
]);

export const saleStates = section('escrow', 'States: sale settlement', [
  [
    'held',
    'held to released by the escrow clock, from the first successful delivery.',
    sales('held from the first successful delivery, releasing while the payout is under way, then released'),
    escrow('the escrow clock > %s: releases after 72 hours, once, and pays the seller its share'),
  ],
  [
    'releasing',
    'releasing while the payout is under way; back to held if it is refused.',
    sales('held from the first successful delivery, releasing while the payout is under way, then released'),
    escrow(
      'the escrow clock > a refused transfer goes back to held, tells the seller, and is tried again under another key',
    ),
  ],
  [
    'released-is-paid',
    'Released amounts are what reached sellers.',
    sales('held from the first successful delivery, releasing while the payout is under way, then released'),
    testsOf('test/fault/sales-model.test.ts')('does with money what plain code says, in any order'),
  ],
  ['shipment', 'Physical orders also wait for shipment.', sales('physical orders also wait for shipment')],
  [
    'query-then-charge',
    'Delivery fails or is unavailable: the buyer is not charged.',
    sales('query-then-charge: %s of the seller, and the buyer is not charged'),
    testsOf('test/fault/failing-sellers.test.ts')(
      'A seller that fails in any other way: nothing is captured and the hold is released > $name, to be paid by $method',
    ),
  ],
  [
    'mismatch',
    'Delivered data that fails __sha256: automatic refund.',
    sales('data that fails its __sha256 is refunded automatically'),
    testsOf('packages/core/src/sales/rails/wallet/wallet-rail.test.ts')(
      'a purchase from the wallet > %s: nothing is captured and the money is back',
    ),
  ],
  [
    'free',
    'Free purchases deliver immediately and show status released in the ledger.',
    conformance('purchases')(
      'POST /marketplace/listings/{id}/purchase > response 200: free listings deliver immediately and show status released',
    ),
    conformance('statistics')('Demand ledger (GET /proof/demand) > free ($0) purchases show status released'),
  ],
]);

export const ingressStates = section('ingress-states', 'States: ingress classification and session', [
  ['founding', 'FOUNDING at 0 live counterparties.', ingress('GET /ingress/occupancy > %i live: %s')],
  ['sparse', 'SPARSE at 1 to 4.', ingress('GET /ingress/occupancy > %i live: %s')],
  ['standard', 'STANDARD at 5 or more.', ingress('GET /ingress/occupancy > %i live: %s')],
  [
    'admitted',
    '(none) to admitted by a valid signed body.',
    ingress('POST /ingress/admit: ADMIT > is a signed receipt that binds class, depth and schedule'),
  ],
  [
    'heartbeat',
    'Stays admitted by heartbeats within 120 s.',
    ingress('POST /ingress/heartbeat > keeps a session for another 120 s'),
  ],
  [
    'expired',
    'Without one it expires after 120 s; a heartbeat is 404 then.',
    ingress(
      'POST /ingress/heartbeat > is 404 for an expired session: it counts at 119.999 s, and not at 120.000 s',
    ),
  ],
  [
    're-admit',
    'Re-admission with a fresh requestId.',
    ingress('POST /ingress/heartbeat > does not raise the dead'),
    door('eviction > raises nobody'),
  ],
]);

export const endpointStates = section('endpoint-states', 'States: delivery endpoint verification', [
  [
    'verified',
    'unverified to verified: same nonce, HTTP 200, within 15 s.',
    selling('POST /sell/callback > response 200: endpoint verified; callbackType default webhook'),
    selling(
      'Events: verification_challenge > reply within 15 s, capped at 64 KB, to the URL exactly as registered',
    ),
  ],
  [
    'failed',
    'Any other reply fails.',
    selling('Events: verification_challenge > any other reply fails: %s'),
    selling('Events: verification_challenge > too late: fails as timed out, and may be tried again'),
  ],
  [
    'fresh-nonce',
    'Calling again sends a fresh nonce; nonces are single-use.',
    selling(
      'Events: verification_challenge > body {type, nonce (48-char hex, single-use), issuedAt, instructions}',
    ),
    testsOf('packages/core/src/selling/endpoint.test.ts')(
      'an endpoint that answers the challenge > is sent a fresh nonce each time, and takes the place of the last one',
    ),
  ],
  [
    'keeps',
    'A failure leaves the endpoint that was verified before.',
    selling('Events: verification_challenge > a failure leaves the endpoint that was verified before'),
  ],
]);
