import { section } from './section.ts';

export const listingStates = section('listing-states', 'States: listing', [
  ['active-at-once', '(none) to active with a verified endpoint; a listing and a signed receipt.'],
  ['pending', '(none) to pending without a verified endpoint, with a claimUrl.'],
  ['claim', 'At the claimUrl a person verifies the endpoint.'],
  ['pending-payouts', 'A priced one waits for payouts as well.'],
  ['activation', 'pending to active when the endpoint verifies: live at that moment.'],
  ['deactivation', 'active to inactive by update or deactivate_listing.'],
  ['inactive-hidden', 'Inactive listings are neither browsable nor purchasable.'],
  ['reactivation', 'inactive to active by update.'],
  ['owner', 'Only for the owner.'],
  ['counted', 'Every modification increments version and modificationCount.'],
  ['signed', 'Each is recorded in the public Ed25519-signed history.'],
]);

export const saleStates = section('escrow', 'States: sale settlement', [
  ['held', 'held to released by the escrow clock, from the first successful delivery.'],
  ['releasing', 'releasing while the payout is under way; back to held if it is refused.'],
  ['released-is-paid', 'Released amounts are what reached sellers.'],
  ['shipment', 'Physical orders also wait for shipment.'],
  ['query-then-charge', 'Delivery fails or is unavailable: the buyer is not charged.'],
  ['mismatch', 'Delivered data that fails __sha256: automatic refund.'],
  ['free', 'Free purchases deliver immediately and show status released in the ledger.'],
]);

export const ingressStates = section('ingress-states', 'States: ingress classification and session', [
  ['founding', 'FOUNDING at 0 live counterparties.'],
  ['sparse', 'SPARSE at 1 to 4.'],
  ['standard', 'STANDARD at 5 or more.'],
  ['admitted', '(none) to admitted by a valid signed body.'],
  ['heartbeat', 'Stays admitted by heartbeats within 120 s.'],
  ['expired', 'Without one it expires after 120 s; a heartbeat is 404 then.'],
  ['re-admit', 'Re-admission with a fresh requestId.'],
]);

export const endpointStates = section('endpoint-states', 'States: delivery endpoint verification', [
  ['verified', 'unverified to verified: same nonce, HTTP 200, within 15 s.'],
  ['failed', 'Any other reply fails.'],
  ['fresh-nonce', 'Calling again sends a fresh nonce; nonces are single-use.'],
  ['keeps', 'A failure leaves the endpoint that was verified before.'],
]);
