import { canonicalDigest, type Digest } from '../kernel/crypto/digest.ts';
import { serialise, sign } from '../kernel/crypto/seal.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { AdmissionRequest, DepthReading } from '../kernel/ports/ingress.ts';
import type { Signer } from '../kernel/ports/signer.ts';
import { type EpochMs, type IsoTime, isoTime } from '../kernel/time.ts';
import { scheduleDigest } from './schedule.ts';

type Sealed<C> = C & {
  readonly alg: 'ed25519';
  readonly digest: Digest;
  readonly issuedAt: IsoTime;
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
  now: EpochMs,
): Promise<Sealed<C>> {
  const { keyId } = await signer.activeKey();
  const issuedAt = isoTime(now);
  const signed = { ...content, alg: 'ed25519' as const, issuedAt, keyId };
  const { digest, signature } = await signer.signDigest(await canonicalDigest(signed), issuedAt);
  return { ...signed, digest, signature };
}

/** What the objects of the door decided. */
export interface Admission {
  readonly sessionId: string;
  readonly expiresAt: EpochMs;
  readonly depth: DepthReading;
}

/**
 * The whole answer to an admission: the door's receipt, and the provenance that every answer has. It is made where it
 * is stored, so that a replay is the same to the byte, whichever key signs by then.
 */
export async function admissionAnswer(
  signers: { readonly door: Signer; readonly provenance: Signer },
  { requestId, terms, now, baseUrl }: AdmissionRequest,
  { sessionId, expiresAt, depth }: Admission,
): Promise<{ text: string; digest: Digest }> {
  const { berthKey, intentClass, side, vertical } = terms;
  const receipt = await sealReceipt(
    signers.door,
    {
      berthKey,
      depth,
      expiresAt: isoTime(expiresAt),
      intentClass,
      requestId,
      scheduleDigest: await scheduleDigest(),
      sessionId,
      side,
      type: 'ADMIT',
      ...(vertical === null ? {} : { vertical }),
    },
    now,
  );
  const unsigned = await serialise(receipt);
  const bytes = await sign(unsigned, signers.provenance, now, baseUrl);
  return { text: new TextDecoder().decode(bytes), digest: unsigned.digest };
}
