import { isAcceptablePublicKey } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { Point } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

const SIGNATURE_BYTES = 64;
const ORDER = Point.CURVE().n;

/** SHA-256 as 64 lower-case hexadecimal digits, without WebCrypto. */
export function sha256HexPortable(data: string | Uint8Array): string {
  return toHex(sha256(typeof data === 'string' ? utf8(data) : data));
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
