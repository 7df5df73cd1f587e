/** DER of SubjectPublicKeyInfo for Ed25519 (RFC 8410), up to the key itself. */
const SPKI_PREFIX = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/** A raw 32-byte Ed25519 key as SPKI PEM, which OpenSSL reads. */
export function pemOfPublicKey(raw: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...SPKI_PREFIX, ...raw));
  return `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`;
}
