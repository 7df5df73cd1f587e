import { toHex } from './encoding.ts';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const CACHED_KEYS = 256;

// The y coordinates (little-endian) of the eight points of small order: 0, 1, -1 and the two of order 8.
const SMALL_ORDER_Y: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];

// Named by way of the function, because not every platform's types have a global CryptoKey.
type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

// Importing costs a good part of a verification. Oldest out first.
const importedKeys = new Map<string, ImportedKey>();

/**
 * Whether a raw public key may be registered or verified against: 32 bytes, y below the field's prime, and
 * not of small order. That excludes all 14 encodings of the points of small order, for which one signature
 * fits many messages. Whether a point with this y exists only shows when a signature is verified.
 */
export function isAcceptablePublicKey(raw: Uint8Array): boolean {
  return raw.length === KEY_BYTES && isAcceptablePoint(raw);
}

/**
 * The one Ed25519 verifier of the marketplace: every signature, ours or a stranger's, is judged here, with
 * the same verdict on every platform. It accepts exactly if
 *
 * 1. the key is 32 and the signature 64 bytes long;
 * 2. the key A and the signature's first half R are canonical encodings (y < p) of points that are not of
 *    small order: checked here, because the implementations of WebCrypto differ on it;
 * 3. the second half S is below the group order L, and the cofactorless equation [S]B = R + [k]A of RFC 8032
 *    section 5.1.7 holds with R compared as bytes: what WebCrypto prescribes and implementations do.
 *
 * Keys and R with a small-order component beside a large one pass where the cofactorless equation holds.
 * False means not valid. It rejects only where the platform's WebCrypto cannot do Ed25519.
 */
export async function verifyEd25519(
  publicKeyRaw: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES || !isAcceptablePoint(signature.subarray(0, KEY_BYTES)))
    return false;
  if (!isAcceptablePublicKey(publicKeyRaw)) return false;
  const cacheKey = toHex(publicKeyRaw);
  const key = importedKeys.get(cacheKey) ?? (await importKey(publicKeyRaw));
  if (key === null) return false;
  const valid = await crypto.subtle.verify('Ed25519', key, bufferSource(signature), bufferSource(message));
  // Only keys that have signed something are kept, so that junk cannot push the others out.
  if (valid) remember(cacheKey, key);
  return valid;
}

function isAcceptablePoint(encoded: Uint8Array): boolean {
  const y = encoded.slice(0, KEY_BYTES);
  y[31] = (y[31] ?? 0) & 0x7f;
  return !isAtLeastPrime(y) && !SMALL_ORDER_Y.includes(toHex(y));
}

/** p = 2^255 - 19 is ed ff … ff 7f, little-endian. */
function isAtLeastPrime(y: Uint8Array): boolean {
  if (y[31] !== 0x7f || (y[0] ?? 0) < 0xed) return false;
  for (let i = 1; i < 31; i++) if (y[i] !== 0xff) return false;
  return true;
}

async function importKey(raw: Uint8Array): Promise<ImportedKey | null> {
  try {
    return await crypto.subtle.importKey('raw', bufferSource(raw), 'Ed25519', false, ['verify']);
  } catch (error) {
    // Some platforms look for the point on import. Anything else, such as no Ed25519 at all, is no verdict.
    if (error instanceof Error && error.name === 'DataError') return null;
    throw error;
  }
}

function remember(cacheKey: string, key: ImportedKey): void {
  if (importedKeys.has(cacheKey)) return;
  if (importedKeys.size >= CACHED_KEYS) {
    const oldest = importedKeys.keys().next();
    if (!oldest.done) importedKeys.delete(oldest.value);
  }
  importedKeys.set(cacheKey, key);
}

/** The platforms' types exclude shared memory, which no caller uses, and which would only throw. */
function bufferSource(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
