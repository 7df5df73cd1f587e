import { z } from 'zod';
import { toBase64Url } from '../kernel/encoding.ts';
import { defineOperation } from '../kernel/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { pemOfPublicKey } from './public-key.rules.ts';
import { listPublishedKeys } from './signing-keys.store.ts';

const key = z.object({
  keyId: z.string(),
  publicKeyPem: z.string(),
  publicKeyRaw: z.string(),
  retiredAt: z.iso.datetime().nullable(),
  status: z.enum(['active', 'retired']),
  validFrom: z.iso.datetime(),
});

/** Clause: GET /signing-key. */
export const getSigningKey = defineOperation({
  name: 'getSigningKey',
  summary: 'The key that signs receipts and outbound POSTs, and every key that ever did.',
  area: 'Provenance',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    algorithm: z.literal('Ed25519'),
    howToVerify: z.array(z.string()),
    keyId: z.string(),
    keys: z.array(key).describe('All keys, the active one first: receipts outlive rotations.'),
    publicKeyPem: z.string().describe('SPKI, PEM.'),
    publicKeyRaw: z.string().describe('The raw 32-byte key, base64url without padding.'),
  }),
  errors: [],
  http: { method: 'get', path: '/signing-key', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  prefetch: ({ market }) => listPublishedKeys(market),
  async handle({ ports, now }, _input, published) {
    const active = await ports.signer.activeKey();
    const activeRow = published.find(({ keyId }) => keyId === active.keyId);
    const retired = published.filter(({ keyId }) => keyId !== active.keyId);
    const { raw } = active;
    return {
      algorithm: 'Ed25519' as const,
      howToVerify: HOW_TO_VERIFY,
      keyId: active.keyId,
      keys: [
        { keyId: active.keyId, raw, retiredAt: null, validFrom: activeRow?.validFrom ?? isoTime(now) },
        ...retired,
      ].map(({ keyId, raw, retiredAt, validFrom }, index) => ({
        keyId,
        publicKeyPem: pemOfPublicKey(raw),
        publicKeyRaw: toBase64Url(raw),
        retiredAt,
        status: index === 0 ? ('active' as const) : ('retired' as const),
        validFrom,
      })),
      publicKeyPem: pemOfPublicKey(raw),
      publicKeyRaw: toBase64Url(raw),
    };
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
