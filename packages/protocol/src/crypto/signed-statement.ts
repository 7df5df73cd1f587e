import type { Digest } from './digest.ts';
import { verifyEd25519 } from './ed25519.ts';
import { fromBase64Url, utf8 } from './encoding.ts';

export type { Digest } from './digest.ts';

/** What every signature of the marketplace consists of, whatever kind of statement the digest is of. */
export type SignatureFields = {
  /** Names the signing key; printable ASCII without spaces. */
  readonly keyId: string;
  /** ISO-8601 UTC, for example 2026-01-31T12:00:00.000Z. */
  readonly signedAt: string;
  readonly digest: Digest;
  /** Ed25519 over `signatureMessage`, base64url without padding. */
  readonly signature: string;
};

const KEY_ID = /^[\x21-\x7e]{1,128}$/;
const SIGNED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The signed bytes: `<keyId>.<signedAt>.<digest>`. */
export function signatureMessage(fields: Omit<SignatureFields, 'signature'>): Uint8Array<ArrayBuffer> {
  return utf8(`${fields.keyId}.${fields.signedAt}.${fields.digest}`);
}

/**
 * Whether the signature is the key's over these fields; false also for malformed fields. Says nothing of the
 * digest's payload, nor of whether the key is the one that keyId names.
 */
export async function checkSignatureFields(
  fields: SignatureFields,
  publicKeyRaw: Uint8Array,
): Promise<boolean> {
  // The parts' forms are checked so that one signed message has one reading, whatever dots a keyId holds.
  if (!KEY_ID.test(fields.keyId) || !SIGNED_AT.test(fields.signedAt) || !DIGEST.test(fields.digest))
    return false;
  const signature = fromBase64Url(fields.signature);
  return signature !== null && verifyEd25519(publicKeyRaw, signatureMessage(fields), signature);
}
