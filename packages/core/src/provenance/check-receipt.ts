import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { checkSignatureFields } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import type { Ports } from '../kernel/ports/ports.ts';
import { isDoorClaim } from './signed-parts.rules.ts';
import { findPublishedKey } from './signing-keys.store.ts';

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
  digest: 'The signature is good, but what was sent with it is not what was signed.',
  purpose: 'The key is that of the ingress door, which signs nothing of this kind.',
  unknownKey: 'No key with this keyId ever signed here.',
} as const;

export interface ReceiptToCheck {
  readonly digest: Digest;
  readonly keyId: string;
  readonly signature: string;
  readonly signedAt: string;
}

/** The keys of the ingress door are active until they are retired; it signs in another Worker. */
function keyStatusOf(signsHere: boolean, published: { readonly retiredAt: string | null } | null) {
  if (signsHere) return 'active' as const;
  if (published === null) return 'unknown' as const;
  return published.retiredAt === null ? ('active' as const) : ('retired' as const);
}

function problemOf(found: {
  readonly isKnown: boolean;
  readonly signatureValid: boolean;
  readonly digestValid: boolean | null;
}): keyof typeof PROBLEMS {
  if (!found.isKnown) return 'unknownKey';
  if (!found.signatureValid) return 'signature';
  return found.digestValid === false ? 'digest' : 'purpose';
}

/** Checks a receipt against the key, of responses or of the ingress door, that signed it here at any time, and its digest against everything that is said to be signed. */
export async function checkReceipt(
  { signer, market }: Pick<Ports, 'signer' | 'market'>,
  { digest, keyId, signature, signedAt }: ReceiptToCheck,
  claims: readonly Json[],
) {
  const active = await signer.activeKey();
  const isActive = keyId === active.keyId;
  const published = isActive ? null : await findPublishedKey(market, keyId);
  const key = isActive ? active : published;

  const signatureValid = key
    ? await checkSignatureFields({ keyId, signedAt, digest, signature }, key.raw)
    : false;
  const digests = await Promise.all(claims.map((claim) => canonicalDigest(claim)));
  const digestValid = digests.length === 0 ? null : digests.every((one) => one === digest);
  // Whoever has the key of the door must not speak for the marketplace.
  const isOfPurpose = published?.purpose !== 'ingress' || claims.every(isDoorClaim);
  const valid = signatureValid && digestValid !== false && isOfPurpose;
  return {
    digestValid,
    keyId,
    keyStatus: keyStatusOf(isActive, published),
    reason: valid ? null : PROBLEMS[problemOf({ isKnown: key !== null, signatureValid, digestValid })],
    signatureValid,
    signedAt,
    valid,
  };
}
