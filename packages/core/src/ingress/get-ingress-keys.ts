import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { keyDocument, keyDocumentView } from '../provenance/index.ts';

/** Clause: GET /ingress/keys. */
export const getIngressKeys = defineOperation({
  name: 'getIngressKeys',
  summary: 'The keys that sign ADMIT and REFUSE receipts, and how to verify them offline.',
  area: 'Ingress',
  auth: 'none',
  input: z.object({}),
  output: keyDocumentView,
  errors: [],
  http: { method: 'get', path: '/ingress/keys', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  prefetch: async ({ door }) => door?.publishedKeys(),
  async handle({ ports, now }, _input, published) {
    // Without the retired keys, receipts of theirs would look forged.
    if (!ports.door || !published) {
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
    }
    return keyDocument(await ports.door.signer.activeKey(), published, HOW_TO_VERIFY, now);
  },
});

const HOW_TO_VERIFY = [
  'Take the receipt without its members `provenance`, `digest` and `signature`, as JSON with sorted keys and without whitespace (RFC 8785).',
  'SHA-256 of its UTF-8 bytes, as `sha256:<lower-case hex>`, must equal `digest`.',
  'The signed message is the UTF-8 text `<keyId>.<issuedAt>.<digest>`, taken from the receipt.',
  'Verify `signature` (base64url, unpadded) over the message with the key of this document that keyId names (Ed25519, RFC 8032).',
  'For an ADMIT, recompute the classification as GET /ingress/schedule says.',
  'On an unknown keyId, fetch this document again: keys rotate, and retired keys stay listed. `provenance` is signed by another key: see GET /signing-key.',
];
