import { type Digest, sha256Hex as nativeSha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { isAcceptablePublicKey, verifyEd25519 } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { fromBase64Url, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import {
  checkSignatureFields,
  type SignatureFields,
  signatureMessage,
} from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { Point } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

const SIGNATURE_BYTES = 64;
const ORDER = Point.CURVE().n;

/** SHA-256 as 64 lower-case hexadecimal digits; works without WebCrypto too. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  try {
    return await nativeSha256Hex(data);
  } catch {
    return toHex(sha256(typeof data === 'string' ? utf8(data) : data));
  }
}

/** `sha256:` and 64 lower-case hexadecimal digits. */
export async function sha256Digest(data: string | Uint8Array): Promise<Digest> {
  return `sha256:${await sha256Hex(data)}`;
}

/** Whether a signature over exact bytes is the key's: the form of the marketplace's outbound POSTs. */
export async function verifyBytes(
  publicKeyRaw: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    return await verifyEd25519(publicKeyRaw, message, signature);
  } catch {
    // The platform's WebCrypto has no Ed25519, or there is no WebCrypto.
    return verifyPortable(publicKeyRaw, message, signature);
  }
}

/** Whether a signature over `<keyId>.<signedAt>.<digest>` is the key's: the form of every receipt. */
export async function verifyFields(fields: SignatureFields, publicKeyRaw: Uint8Array): Promise<boolean> {
  try {
    return await checkSignatureFields(fields, publicKeyRaw);
  } catch {
    // It throws only if Ed25519 is missing, after the format of each field was checked.
    const signature = fromBase64Url(fields.signature);
    return signature !== null && verifyPortable(publicKeyRaw, signatureMessage(fields), signature);
  }
}

/**
 * The verdict of `verifyEd25519`, by the same criterion, without WebCrypto. The library's own `verify` is
 * not used because it multiplies by the cofactor, and so accepts signatures that WebCrypto refuses.
 */
export function verifyPortable(
  publicKeyRaw: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const r = signature.subarray(0, 32);
  if (!isAcceptablePublicKey(publicKeyRaw) || !isAcceptablePublicKey(r)) return false;
  const s = littleEndian(signature.subarray(32));
  if (s >= ORDER) return false;
  const key = pointOf(publicKeyRaw);
  if (key === null) return false;

  const hash = sha512.create().update(r).update(publicKeyRaw).update(message).digest();
  const k = littleEndian(hash) % ORDER;
  const expected = Point.BASE.multiply(s, false).add(key.multiply(k, false).negate());
  return toHex(expected.toBytes()) === toHex(r);
}

function pointOf(encoded: Uint8Array): Point | null {
  try {
    return Point.fromBytes(encoded);
  } catch {
    return null;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes.toReversed())}`);
}
