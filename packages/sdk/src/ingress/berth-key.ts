import { fromHex, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';

export interface AdmissionTerms {
  /** One of `GET /ingress/vocabulary`. */
  readonly intentClass: string;
  readonly side: 'buy' | 'sell';
  /** Slug of the vertical that the agent is interested in. */
  readonly vertical?: string;
}

/** The body of `POST /ingress/admit`. */
export interface AdmissionRequest extends AdmissionTerms {
  readonly berthKey: string;
  readonly requestId: string;
  /** Unix time in seconds. */
  readonly ts: number;
  readonly sig: string;
}

/** The Ed25519 key pair that identifies an agent at the ingress door. */
export interface BerthKey {
  /** The raw public key as hex. */
  readonly berthKey: string;
  /** 32 bytes as hex; anyone who has it can use the berth. Store it to return as the same berth. */
  readonly secret: string;
  sign(terms: AdmissionTerms, requestId: string, ts: number): Promise<AdmissionRequest>;
}

/** A new key, or the one with this secret. */
export async function berthKeyOf(
  secret: string = toHex(crypto.getRandomValues(new Uint8Array(32))),
): Promise<BerthKey> {
  const secretBytes = fromHex(secret);
  if (secretBytes?.length !== 32) throw new TypeError('A berth secret is 32 bytes as hex.');
  // WebCrypto derives no public key from such a secret. Loaded only by whoever goes to the door.
  const { getPublicKeyAsync, signAsync } = await import('@noble/ed25519');
  const berthKey = toHex(await getPublicKeyAsync(secretBytes));
  return {
    berthKey,
    secret: toHex(secretBytes),
    async sign({ intentClass, side, vertical }, requestId, ts) {
      const signed = {
        berthKey,
        intentClass,
        requestId,
        side,
        ts,
        ...(vertical === undefined ? {} : { vertical }),
      };
      return { ...signed, sig: toHex(await signAsync(utf8(canonicalJson(signed)), secretBytes)) };
    },
  };
}
