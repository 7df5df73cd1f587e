import { z } from 'zod';
import { canonicalDigest, type Digest } from '../kernel/digest.ts';
import type { Json } from '../kernel/json.ts';
import { defineOperation } from '../kernel/operation.ts';
import { checkSignatureFields } from '../kernel/signed-statement.ts';
import { listPublishedKeys } from './signing-keys.store.ts';

const receipt = z.looseObject({
  digest: z.string().max(100).describe('`sha256:<hex>`.'),
  keyId: z.string().max(128),
  signature: z.string().max(200).describe('base64url, unpadded.'),
  signedAt: z.string().max(40),
});

const PROBLEMS = {
  signature: 'The signature does not fit the receipt and the key.',
  digest: 'The signature is good, but the payload is not what was signed.',
  unknownKey: 'No key with this keyId ever signed here.',
} as const;

/** Clause: POST /verify-receipt. 200 whether the receipt is good or not; 400 only if it is malformed. */
export const verifyReceipt = defineOperation({
  name: 'verifyReceipt',
  summary: 'Check a receipt or signed statement; with its payload, check the digest too.',
  area: 'Provenance',
  auth: 'none',
  input: z.object({
    receipt,
    payload: z
      .custom<Json>((value) => value !== undefined)
      .optional()
      .describe('The response body without `provenance`, or the `statement` of a signed statement.'),
  }),
  output: z.object({
    digestValid: z.boolean().nullable().describe('null when no payload was sent.'),
    keyId: z.string(),
    keyStatus: z.enum(['active', 'retired', 'unknown']),
    reason: z.string().nullable(),
    signatureValid: z.boolean(),
    signedAt: z.string(),
    valid: z.boolean(),
  }),
  errors: [],
  http: { method: 'post', path: '/verify-receipt', status: 200 },
  rate: 'read',
  async handle({ ports }, { receipt, payload }) {
    const { keyId, signedAt, signature } = receipt;
    const digest = receipt.digest as Digest;
    const active = await ports.signer.activeKey();
    const isActive = keyId === active.keyId;
    const published = isActive ? [] : await listPublishedKeys(ports.market);
    const key = isActive ? active : published.find((one) => one.keyId === keyId);

    const signatureValid = key
      ? await checkSignatureFields({ keyId, signedAt, digest, signature }, key.raw)
      : false;
    const digestValid = payload === undefined ? null : (await canonicalDigest(payload)) === digest;
    const valid = signatureValid && digestValid !== false;
    return {
      digestValid,
      keyId,
      keyStatus: isActive ? ('active' as const) : key ? ('retired' as const) : ('unknown' as const),
      reason: valid
        ? null
        : !key
          ? PROBLEMS.unknownKey
          : signatureValid
            ? PROBLEMS.digest
            : PROBLEMS.signature,
      signatureValid,
      signedAt,
      valid,
    };
  },
});
