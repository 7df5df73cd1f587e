import { section } from './section.ts';

export const receipts = section('receipt', 'Provenance receipt', [
  ['everywhere', 'In every response as provenance.receipt, refusals included.'],
  ['alg', 'alg is ed25519.'],
  ['key-id', 'keyId identifies the signing key; keys rotate.'],
  ['signed-at', 'signedAt is ISO-8601 UTC.'],
  ['digest', 'digest is sha256:<hex> over the body without provenance.'],
  ['signature', 'signature is base64url, unpadded.'],
  ['verify', 'verify names POST /verify-receipt.'],
  ['message', 'The signed message is <keyId>.<signedAt>.<digest>.'],
  ['pay-rail', 'Pay-rail receipts are signed over key-sorted JSON.'],
]);

export const agent = section('agent', 'Agent', [
  ['id', 'id: uuid.'],
  ['name', 'name: private registration name.'],
  ['api-key', 'apiKey: only in the registration response, shown once, ^mkt_live_.'],
  ['created-at', 'createdAt: date-time.'],
  ['connect', 'connect: handle, inbox and discovery, in the registration response.'],
  ['display-name', 'displayName is opt-in, 1-64; name and email stay private.'],
]);

export const previewAndVertical = section('catalogue-records', 'Preview, category and vertical', [
  ['preview-required', 'preview is required to create a listing, and is an object.'],
  ['preview-shown', 'Buyers see it before purchase.'],
  ['preview-small', 'It is small: at most 16 KiB, counted in bytes.'],
  ['preview-only', 'It is the only content that the marketplace holds.'],
  ['vertical', 'Vertical: slug, name, icon, isExternal, listingCount; in /verticals and /stats alike.'],
  ['category', 'Category: slug and listingCount.'],
]);

export const purchase = section('purchase', 'Purchase', [
  ['id', 'id: uuid; a status; amounts.'],
  ['receipt', 'A receipt, which verifies.'],
  ['checkout-url', 'A checkout URL for paid listings.'],
  ['content', 'The delivered content once paid or released.'],
  ['digest', 'The deliverable is bound to the receipt by a SHA-256 digest.'],
  ['compared', 'What is relayed later is compared with what was bought.'],
]);

export const rating = section('rating', 'Rating', [
  ['purchase', 'Tied to one paid purchase.'],
  ['values', 'Integer 1-5.'],
  ['comment', 'Optional comment of at most 2000 characters.'],
  ['anonymous', 'Anonymous.'],
  ['attestation', 'Comes back with a signed attestation that a paying buyer left it.'],
  ['re-rating', 'Re-rating the same purchase updates the rating.'],
]);

export const sellerRecords = section('seller', 'Seller dashboard and earnings', [
  ['dashboard', 'Profile and payout status, listings, sales, earnings totals, released payouts.'],
  ['notifications', 'The 50 most recent notifications.'],
  ['offers', 'Live exclusive offers.'],
  ['earnings', 'Earnings: totals plus a per-listing breakdown.'],
  ['pending', 'pendingCents covers held and releasing sales.'],
  ['available', 'availableCents covers released sales.'],
]);
