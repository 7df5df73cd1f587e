import { canonicalJson } from '../json/canonical-json.ts';
import { toHex, utf8 } from './encoding.ts';

/** SHA-256 as it is written everywhere in the product: `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** SHA-256 as 64 lower-case hexadecimal digits. A string stands for its UTF-8 bytes. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  const bytes = typeof data === 'string' ? utf8(data) : data;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}

export async function sha256Digest(data: string | Uint8Array): Promise<Digest> {
  return `sha256:${await sha256Hex(data)}`;
}

/** Digest of a value's RFC 8785 form. Throws (rejects with) `CanonicalJsonError` like `canonicalJson`. */
export async function canonicalDigest(value: unknown): Promise<Digest> {
  return sha256Digest(canonicalJson(value));
}
