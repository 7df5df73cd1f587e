import { utf8 } from '../crypto/encoding.ts';
import type { Digest } from '../crypto/signed-statement.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonObject } from '../json/json.ts';
import { parseStrictJson } from '../json/strict-json.ts';

/** What a leaf of the log says: that a statement with this digest was signed. What the statement says stays with its holder. */
export interface LogEntry {
  /** The type of the statement: `purchase_receipt`, `rating_attestation`, … */
  readonly type: string;
  readonly digest: Digest;
  /** The key that signed the statement. */
  readonly keyId: string;
  /** ISO-8601 UTC. */
  readonly signedAt: string;
}

const MEMBERS = 4;

/** The bytes of the leaf: the RFC 8785 form of the four members, and of nothing else. */
export const formatLogEntry = ({ type, digest, keyId, signedAt }: LogEntry): Uint8Array =>
  utf8(canonicalJson({ digest, keyId, signedAt, type }));

/** Null: the bytes are no leaf of a marketplace's log. */
export function parseLogEntry(bytes: Uint8Array): LogEntry | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { digest, keyId, signedAt, type } = parsed.value;
  const isEntry =
    Object.keys(parsed.value).length === MEMBERS &&
    typeof type === 'string' &&
    typeof digest === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(digest) &&
    typeof keyId === 'string' &&
    typeof signedAt === 'string';
  if (!isEntry || canonicalJson(parsed.value) !== text) return null;
  return { type, digest: digest as Digest, keyId, signedAt };
}
