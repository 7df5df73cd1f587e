import { fromBase64Url, fromHex, toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';

/** Of AES-GCM. */
export const SEAL_IV_BYTES = 12;

/**
 * Encrypts a text so that only the holder of `keyHex` reads it (AES-256-GCM under HKDF-SHA-256 of the key). `context`
 * names what the text belongs to: sealed for one purchase, it does not open as that of another. `iv` is random.
 */
export async function sealText(
  text: string,
  keyHex: string,
  context: string,
  iv: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const key = await sealingKey(keyHex, context);
  if (key === null) throw new Error('A text is sealed under hexadecimal digits.');
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text));
  return toBase64Url(concatBytes([iv, new Uint8Array(sealed)]));
}

/** The text; null: it was sealed under another key or for something else, or was changed. */
export async function openText(sealed: string, keyHex: string, context: string): Promise<string | null> {
  const bytes = fromBase64Url(sealed);
  const key = await sealingKey(keyHex, context);
  if (bytes === null || key === null) return null;
  try {
    const iv = bytes.subarray(0, SEAL_IV_BYTES);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(SEAL_IV_BYTES));
    return new TextDecoder().decode(opened);
  } catch {
    return null;
  }
}

async function sealingKey(keyHex: string, context: string): Promise<CryptoKey | null> {
  const bytes = fromHex(keyHex);
  if (bytes === null) return null;
  const master = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(context) },
    master,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}
