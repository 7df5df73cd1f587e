import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { sealReceipt } from '@agent-marketplace/protocol/ingress/seal-receipt.ts';
import type { AdmissionRequest, DepthReading } from '../kernel/ports/ingress.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { scheduleDigest } from './schedule.ts';

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
