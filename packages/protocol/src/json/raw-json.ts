import { utf8 } from '../crypto/encoding.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * A value that is already serialised: the UTF-8 bytes of its RFC 8785 form. A relayed deliverable is
 * canonicalised once, for its digest, and these bytes are what the answer carries.
 */
export class RawJson {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * The RFC 8785 bytes of a body whose top-level members may be RawJson. A raw member is copied into the buffer without
 * parsing it. The buffer then has `spareBytes` more, so that a large body can be extended in place.
 */
export function canonicalBytes(body: object, spareBytes = 0): Uint8Array {
  const members = Object.entries(body);
  if (!members.some(([, value]) => value instanceof RawJson)) return utf8(canonicalJson(body));

  const parts: Uint8Array[] = [];
  let pending = '{';
  const sorted = members.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [key, value]] of sorted.entries()) {
    pending += `${index === 0 ? '' : ','}${canonicalJson(key)}:`;
    if (value instanceof RawJson) {
      parts.push(utf8(pending), value.bytes);
      pending = '';
    } else {
      pending += canonicalJson(value);
    }
  }
  parts.push(utf8(`${pending}}`));
  return concatBytes(parts, spareBytes);
}

export function concatBytes(parts: readonly Uint8Array[], spareBytes = 0): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const joined = new Uint8Array(new ArrayBuffer(length + spareBytes), 0, length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
