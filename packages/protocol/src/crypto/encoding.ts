const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const encoder = new TextEncoder();

/** UTF-8 bytes. A lone surrogate becomes U+FFFD, so refuse those before anything is signed or digested. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  // Some platforms' types leave open whether the buffer is shared; it never is.
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

/** Native methods, ten times as fast. Workers have them, Node 24 does not. */
interface NativeEncodings {
  toHex?(): string;
  toBase64?(options: { alphabet: 'base64url'; omitPadding: boolean }): string;
}

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  const native = bytes as NativeEncodings;
  if (native.toHex) return native.toHex();
  let hex = '';
  for (const byte of bytes) hex += HEX_OF_BYTE[byte];
  return hex;
}

/**
 * Bytes of a hexadecimal text in either case, or null for anything else. One value has many spellings:
 * where the text is an identity, use `toHex` of the bytes instead.
 */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Base64url (RFC 4648 section 5) without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const native = bytes as NativeEncodings;
  if (native.toBase64) return native.toBase64({ alphabet: 'base64url', omitPadding: true });
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Bytes of an unpadded base64url text, or null. Strict, so that one value has one spelling: padding,
 * whitespace, the other alphabet and non-zero bits after the last byte are all refused.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1 || !/^[\w-]*$/.test(text)) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return toBase64Url(bytes) === text ? bytes : null;
}

/** Base64 (RFC 4648 section 4), with padding. */
export function toBase64(bytes: Uint8Array): string {
  const text = toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/**
 * Bytes of a base64 text (RFC 4648 section 4), or null. Strict, so that one value has one spelling: padding is
 * required, and whitespace, the other alphabet and non-zero bits after the last byte are refused.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const last = text.slice(-4);
  if (last !== '' && btoa(atob(last)) !== last) return null;
  const native = Uint8Array as unknown as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (native.fromBase64) return native.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Bytes of base64 as any program writes it: either alphabet, padded or not, in lines. Null if it does not decode. */
export function fromAnyBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const compact = text
    .replaceAll(/[\t\n\r ]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const [, digits = ''] = /^([A-Za-z0-9+/]*)={0,2}$/.exec(compact) ?? [];
  if (digits === '' && !/^={0,2}$/.test(compact)) return null;
  if (digits.length % 4 === 1) return null;
  const padded = digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
  // Bits after the last byte say nothing; the strict decoder wants them to be zero.
  const last = padded.slice(-4);
  return fromBase64(padded.slice(0, -4) + (last === '' ? '' : btoa(atob(last))));
}
