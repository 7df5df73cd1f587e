import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { canonicalJson, MAX_WRITTEN_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { sha256Digest, verifyFields } from '../crypto.ts';
import type { KeySet, PublishedKey } from '../keys.ts';

/**
 * Why something is not valid:
 *
 * - `malformed`: it does not have the expected shape.
 * - `unknown_key`: no key of the set has this keyId. Fetch the keys again; if it stays unknown, it is forged.
 * - `digest_mismatch`: the digest is of another content.
 * - `bad_signature`: the signature is not the key's over this digest and time.
 * - `not_covered`: beside what was signed are members that the marketplace does not write there; nobody signed them.
 * - `wrong_type`: a valid statement of another type.
 * - `no_receipt`: the purchase has no receipt (yet).
 * - `wrong_purchase`: a valid receipt of another purchase, listing, version, seller or price.
 * - `wrong_rating`: a valid attestation of other stars, or another comment, listing or purchase.
 * - `wrong_row`: a row says otherwise than what was signed of it, or its statements are of two sales.
 * - `content_mismatch`: the receipt binds another content.
 * - `repeated`: another place in the same list shows it as well.
 * - `unreconciled`: the ledger itself says that its rows do not agree with the double entries.
 * - `broken_chain`: history entries are missing, repeated, or not linked to each other.
 */
export type InvalidReason =
  | 'malformed'
  | 'unknown_key'
  | 'digest_mismatch'
  | 'bad_signature'
  | 'not_covered'
  | 'wrong_type'
  | 'no_receipt'
  | 'wrong_purchase'
  | 'wrong_rating'
  | 'wrong_row'
  | 'content_mismatch'
  | 'repeated'
  | 'unreconciled'
  | 'broken_chain';

export interface Invalid {
  readonly valid: false;
  readonly reason: InvalidReason;
  /** One sentence for a log, without any of the content. */
  readonly detail: string;
}

/** The key that signed, and when. */
export interface Valid {
  readonly valid: true;
  readonly keyId: string;
  /** The status of the key in the key set. */
  readonly keyStatus: PublishedKey['status'];
  /** ISO-8601 UTC. */
  readonly signedAt: string;
  readonly digest: Digest;
}

/** The outcome of a check, discriminated by `valid`. `T` is added to a valid one. */
export type Verification<T extends object = object> = (Valid & T) | Invalid;

export function invalid(reason: InvalidReason, detail: string): Invalid {
  return { valid: false, reason, detail };
}

// A relayed deliverable may be 64 levels deep. It is wrapped in an answer, which a caller may wrap again.
export const MAX_DEPTH = MAX_WRITTEN_DEPTH;

/** Digest of the RFC 8785 form; null if there is none (dates, lone surrogates, infinite numbers). */
export async function digestOf(value: unknown): Promise<Digest | null> {
  try {
    return await sha256Digest(canonicalJson(value, MAX_DEPTH));
  } catch {
    return null;
  }
}

/** Why members that no signature covers make something invalid; null: there are none. */
export function uncoveredFault(names: readonly string[]): Invalid | null {
  return names.length === 0 ? null : invalid('not_covered', 'It has members that no signature covers.');
}

/** Checks `{keyId, signedAt, digest, signature}` against its content. */
export async function checkSeal(seal: JsonObject, content: unknown, keys: KeySet): Promise<Verification> {
  return checkFields(seal, keys, () => digestOf(content));
}

/** Checks that the digest was signed, whatever it is of. */
export const checkSignature = (seal: JsonObject, keys: KeySet): Promise<Verification> =>
  checkFields(seal, keys, async () => seal.digest as Digest);

async function checkFields(
  seal: JsonObject,
  keys: KeySet,
  digestOfContent: () => Promise<Digest | null>,
): Promise<Verification> {
  const { alg, keyId, signedAt, digest, signature } = seal;
  const hasFields =
    typeof keyId === 'string' &&
    typeof signedAt === 'string' &&
    typeof digest === 'string' &&
    typeof signature === 'string' &&
    (alg === undefined || alg === 'ed25519');
  if (!hasFields) return invalid('malformed', 'keyId, signedAt, digest or signature is missing or no text.');

  const key = keys.get(keyId);
  if (!key) return invalid('unknown_key', 'The key set has no key with this keyId.');
  const actual = await digestOfContent();
  if (actual === null) return invalid('malformed', 'The signed content has no RFC 8785 form.');
  if (actual !== digest) return invalid('digest_mismatch', 'The content is not what was signed.');
  const fields = { keyId, signedAt, digest: actual, signature };
  if (!(await verifyFields(fields, key.raw))) {
    return invalid('bad_signature', 'The signature is not by the named key over this digest and time.');
  }
  return { valid: true, keyId, keyStatus: key.status, signedAt, digest: actual };
}
