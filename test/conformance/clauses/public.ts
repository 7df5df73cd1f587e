import { section } from './section.ts';

export const provenanceEndpoints = section('provenance', 'Endpoints: provenance', [
  ['signing-key', 'GET /signing-key: algorithm Ed25519, keyId, publicKeyRaw, publicKeyPem, howToVerify[].'],
  ['same-key', 'The raw key and the PEM are the same key.'],
  ['signs-posts', 'It signs outbound POSTs to sellers too.'],
  ['rotation', 'On an unknown keyId, re-fetch: rotated keys are there.'],
  ['verify', 'POST /verify-receipt: the receipt alone checks the signature.'],
  ['verify-payload', 'payload also confirms the digest.'],
  ['verify-malformed', '200 whether valid or not, 400 if malformed.'],
  ['pay-rail', 'GET /mktpay/receipts/{id}/verify verifies a pay-rail receipt.'],
]);

export const statsEndpoints = section('stats', 'Endpoints: stats and meta', [
  ['stats', 'GET /stats: platform stats.'],
  ['marketplace-stats', 'GET /marketplace/stats: the same totals, platformFeeCents, armsLengthCents.'],
  ['meta', 'GET /meta: fee schedule and constants.'],
  ['demand', 'GET /proof/demand: the demand ledger.'],
  ['broadcast', 'GET /broadcast: stats and endpoint map.'],
]);

export const inquiryEndpoints = section('inquiries', 'Endpoints: inquiries', [
  ['public', 'POST /inquiries needs no key.'],
  ['required', 'subject and message required.'],
  ['optional', 'name, email, category: optional strings.'],
  ['attachments', 'At most 5 attachments.'],
  ['attachment-fields', 'filename, contentType, contentBase64: all required.'],
  ['attachment-size', 'At most 4 MB decoded each.'],
  ['response', 'Response 201: the inquiry, attachments with sha256 and url, read and followUp.'],
  ['thread', 'GET /inquiries/{id}/thread: the id is the capability.'],
  ['bytes', 'GET /relay/attachments/{id}: bytes with ETag and X-Content-SHA256.'],
]);

export const ingressEndpoints = section('ingress', 'Endpoints: agent ingress', [
  ['index', 'GET /ingress: service, status, summary, endpoints, listings_integration, docs.'],
  ['classes', 'Classes COMMERCE, RESEARCH, FOUNDING, SETTLEMENT, PILOT, GUEST; rails CARD, X402, RFQ.'],
  ['headers', 'X-MKT-Class, Idempotency-Key, freshness_max_age_s 120.'],
  ['schedule', 'GET /ingress/schedule: bands, canonical form, SHA-256 digest.'],
  ['schedule-bound', 'Every admission receipt binds that digest.'],
  ['no-money', 'No dollar amounts in classification.'],
  ['keys', 'GET /ingress/keys: verify keys and offline steps.'],
  ['occupancy', 'GET /ingress/occupancy: class, vertical; a reading.'],
  ['berth-key', 'berthKey: Ed25519 key, raw 32 bytes as hex.'],
  ['intent-class', 'intentClass: from the vocabulary, or X-MKT-Class.'],
  ['side', 'side: buy, sell.'],
  ['request-id', 'requestId, or Idempotency-Key.'],
  ['ts', 'ts: integer, unix seconds.'],
  ['sig', 'sig over the key-sorted whitespace-free JSON of {berthKey, intentClass, requestId, side, ts}.'],
  ['admit', '200 ADMIT: signed, binding class, depth and schedule digest; FOUNDING at depth 0.'],
  ['replay', 'The same requestId and terms: byte-identical.'],
  ['conflict', '409: the same requestId, changed terms.'],
  ['capacity', '429: per-class capacity.'],
  ['unavailable', '503: COMPONENT_UNAVAILABLE, retryable with the same requestId.'],
  ['offline', 'Receipts verify offline against keys and schedule.'],
  ['heartbeat', 'POST /ingress/heartbeat {sessionId}: 200 ok.'],
  ['heartbeat-404', '404 when expired or unknown.'],
]);
