import { createHmac, hash, KeyObject, sign, verify, type webcrypto } from 'node:crypto';

const EMPTY = Buffer.alloc(0);

/**
 * Digests and signatures in this thread. Node's WebCrypto hands each to another one, which takes twenty times as long
 * as in workerd; what comes out is the same.
 */
export function useSynchronousCrypto(): void {
  const { subtle } = crypto;
  // Files share a process.
  if (Object.hasOwn(subtle, 'digest')) return;
  const { digest, sign: signElsewhere, verify: verifyElsewhere } = subtle;
  subtle.digest = async (algorithm, data) =>
    nameOf(algorithm) === 'SHA-256'
      ? bufferOf(hash('sha256', bytesOf(data), 'buffer'))
      : digest.call(subtle, algorithm, data);
  subtle.sign = async (algorithm, key, data) => {
    const name = nameOf(algorithm);
    if (!key.usages.includes('sign') || key.algorithm.name !== name)
      return signElsewhere.call(subtle, algorithm, key, data);
    if (name === 'Ed25519') return bufferOf(sign(null, bytesOf(data), keyOf(key)));
    if (name === 'HMAC' && isSha256(key))
      return bufferOf(createHmac('sha256', keyOf(key)).update(bytesOf(data)).digest());
    return signElsewhere.call(subtle, algorithm, key, data);
  };
  subtle.verify = async (algorithm, key, signature, data) =>
    nameOf(algorithm) === 'Ed25519' && key.usages.includes('verify') && key.algorithm.name === 'Ed25519'
      ? verify(null, bytesOf(data), keyOf(key), bytesOf(signature))
      : verifyElsewhere.call(subtle, algorithm, key, signature, data);
}

const keyOf = (key: CryptoKey) => KeyObject.from(key as unknown as webcrypto.CryptoKey);

const nameOf = (algorithm: string | { readonly name: string }) =>
  typeof algorithm === 'string' ? algorithm : algorithm.name;

const isSha256 = (key: CryptoKey) => (key.algorithm as { hash?: { name: string } }).hash?.name === 'SHA-256';

function bytesOf(data: BufferSource): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return data.byteLength === 0 ? EMPTY : new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
