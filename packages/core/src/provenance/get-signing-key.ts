import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { keyDocument, keyDocumentView } from './key-document.ts';
import { listPublishedKeys } from './signing-keys.store.ts';

/** Clause: GET /signing-key. */
export const getSigningKey = defineOperation({
  name: 'getSigningKey',
  summary: 'The key that signs receipts and outbound POSTs, and every key that ever did.',
  area: 'Provenance',
  auth: 'none',
  input: z.object({}),
  output: keyDocumentView,
  errors: [],
  http: { method: 'get', path: '/signing-key', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  prefetch: ({ market }) => listPublishedKeys(market),
  async handle({ ports, now }, _input, published) {
    return keyDocument(await ports.signer.activeKey(), published, HOW_TO_VERIFY, now);
  },
});

const HOW_TO_VERIFY = [
  'Cut the member `provenance` from the response: what remains, as compact JSON with sorted keys (RFC 8785), is the signed body. In the bytes as served, it is everything before `,"provenance":` followed by `}`.',
  'SHA-256 of those bytes, as `sha256:<lower-case hex>`, must equal provenance.receipt.digest.',
  'The signed message is the UTF-8 text `<keyId>.<signedAt>.<digest>`, taken from the receipt.',
  'Verify provenance.receipt.signature (base64url, unpadded) over the message with the key that keyId names (Ed25519, RFC 8032).',
  'Statements such as purchase receipts carry their own signature of the same form, over the RFC 8785 form of `statement`.',
  'Outbound POSTs are signed over `POST\\n<callback URL>\\n<X-MKT-Timestamp>\\n<X-MKT-Body-Sha256>`; hash the raw body and compare before parsing it.',
  'On an unknown keyId, fetch this document again: keys rotate, and retired keys stay listed under `keys`.',
];
