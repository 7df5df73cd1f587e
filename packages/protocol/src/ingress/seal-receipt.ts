import { canonicalDigest, type Digest } from '../crypto/digest.ts';
import type { Signer } from '../crypto/signer.ts';
import type { JsonObject } from '../json/json.ts';

type Sealed<C> = C & {
  readonly alg: 'ed25519';
  readonly digest: Digest;
  readonly issuedAt: string;
  readonly keyId: string;
  readonly signature: string;
};

/**
 * Signs a receipt of the door. The digest covers everything but itself and the signature, `type`, time and key
 * included: no part of a receipt can be replaced.
 */
export async function sealReceipt<C extends JsonObject & { readonly type: 'ADMIT' | 'REFUSE' }>(
  signer: Signer,
  content: C,
  nowMs: number,
): Promise<Sealed<C>> {
  const { keyId } = await signer.activeKey();
  const issuedAt = new Date(nowMs).toISOString();
  const signed = { ...content, alg: 'ed25519' as const, issuedAt, keyId };
  const { digest, signature } = await signer.signDigest(await canonicalDigest(signed), issuedAt);
  return { ...signed, digest, signature };
}
