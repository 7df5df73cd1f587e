import { section } from './section.ts';

export const errors = section('errors', 'Errors', [
  ['400-country', '400 become_seller: country not served.'],
  ['401', '401 /sell/me, /sell/earnings: invalid key or not a seller.'],
  ['402', '402 x402: payment missing or insufficient.'],
  ['403-missing-class', '403 MISSING_CLASS: missing or unknown class, never a silent default.'],
  ['403-invalid-class', '403 INVALID_CLASS.'],
  ['403-bad-signature', '403 BAD_SIGNATURE.'],
  ['403-stale-ts', '403 STALE_TS: over 300 s.'],
  ['403-malformed', '403 MALFORMED.'],
  ['404-heartbeat', '404 heartbeat: expired or unknown; re-admit with a fresh requestId.'],
  ['404-seller', '404 of a seller: unavailable, not charged.'],
  ['409-conflict', '409 IDENTIFIER_CONFLICT.'],
  ['422-health', '422: attestation or intended use missing.'],
  ['429-capacity', '429 per-class capacity; budgets are separate.'],
  ['429-x402', '429 x402: back off, not a payment failure.'],
  ['503-unavailable', '503 COMPONENT_UNAVAILABLE: retry with the same requestId.'],
  ['own-listing', 'Buying one’s own listing is rejected: 403.'],
  ['shape', 'Other errors are RFC 9457 problems with code, retryable and requestId.'],
  ['validation', 'Validation is 400 and names the fields.'],
  ['charged', 'Operations that can move money say whether anything was charged.'],
]);
