import { z } from 'zod';
import { canonicalDigest, type Digest } from '../kernel/crypto/digest.ts';
import { checkSignatureFields } from '../kernel/crypto/signed-statement.ts';
import type { Json } from '../kernel/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { listPublishedKeys } from './signing-keys.store.ts';

/** The result of a check, without the digest's. */
export const receiptCheckFields = {
  keyId: z.string(),
  keyStatus: z.enum(['active', 'retired', 'unknown']),
  reason: z.string().nullable(),
  signatureValid: z.boolean(),
  signedAt: z.string(),
  valid: z.boolean(),
};

const PROBLEMS = {
  signature: 'The signature does not fit the receipt and the key.',
  digest: 'The signature is good, but the payload is not what was signed.',
  unknownKey: 'No key with this keyId ever signed here.',
} as const;

export interface ReceiptToCheck {
  readonly digest: Digest;
  readonly keyId: string;
  readonly signature: string;
  readonly signedAt: string;
}

/** Checks a receipt against every key that ever signed here and, where there is a payload, its digest. */
export async function checkReceipt(
  { signer, market }: Pick<Ports, 'signer' | 'market'>,
  { digest, keyId, signature, signedAt }: ReceiptToCheck,
  payload: Json | undefined,
) {
  const active = await signer.activeKey();
  const isActive = keyId === active.keyId;
  const published = isActive ? [] : await listPublishedKeys(market);
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
    reason: valid ? null : !key ? PROBLEMS.unknownKey : signatureValid ? PROBLEMS.digest : PROBLEMS.signature,
    signatureValid,
    signedAt,
    valid,
  };
}
