import type { Digest } from '@agent-marketplace/core/kernel/crypto/digest.ts';
import { canonicalJson, MAX_WRITTEN_DEPTH } from '@agent-marketplace/core/kernel/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import { sha256Digest, verifyFields } from '../crypto.ts';
import type { KeySet, PublishedKey } from '../keys.ts';

/**
 * Why something is not to be believed:
 *
 * - `malformed`: it does not have the shape of what it should be.
 * - `unknown_key`: no key of the set has this keyId. Fetch the keys again; if it stays unknown, it is forged.
 * - `digest_mismatch`: the content is not what the digest was made of.
 * - `bad_signature`: the signature is not the key's over this digest and time.
 * - `wrong_type`: a good statement, but of another kind than asked for.
 * - `no_receipt`: the purchase has no receipt (yet).
 * - `wrong_purchase`: a good receipt, but of another purchase, listing, version, seller or price.
 * - `wrong_rating`: a good attestation, but of other stars, another comment, listing or purchase.
 * - `content_mismatch`: the content is not what the receipt binds.
 * - `broken_chain`: history entries are missing, repeated, or not linked to each other.
 */
export type InvalidReason =
  | 'malformed'
  | 'unknown_key'
  | 'digest_mismatch'
  | 'bad_signature'
  | 'wrong_type'
  | 'no_receipt'
  | 'wrong_purchase'
  | 'wrong_rating'
  | 'content_mismatch'
  | 'broken_chain';

export interface Invalid {
  readonly valid: false;
  readonly reason: InvalidReason;
  /** One sentence for a log. Holds nothing of the content. */
  readonly detail: string;
}

/** Who vouches, and since when. */
export interface Valid {
  readonly valid: true;
  readonly keyId: string;
  /** Of the key now, as far as the key set knows. */
  readonly keyStatus: PublishedKey['status'];
  /** ISO-8601 UTC. */
  readonly signedAt: string;
  readonly digest: Digest;
}

/** The outcome of a check: `valid` tells the two apart. `T` is what a good one adds. */
export type Verification<T extends object = object> = (Valid & T) | Invalid;

export function invalid(reason: InvalidReason, detail: string): Invalid {
  return { valid: false, reason, detail };
}

// What the server relays may be 64 deep by itself, and is wrapped in an answer, which a caller may wrap again.
export const MAX_DEPTH = MAX_WRITTEN_DEPTH;

/** Digest of the RFC 8785 form, or null for what has none (dates, lone surrogates, infinite numbers). */
export async function digestOf(value: unknown): Promise<Digest | null> {
  try {
    return await sha256Digest(canonicalJson(value, MAX_DEPTH));
  } catch {
    return null;
  }
}

/** Checks `{keyId, signedAt, digest, signature}` against the content that it should be about. */
export async function checkSeal(seal: JsonObject, content: unknown, keys: KeySet): Promise<Verification> {
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
  const actual = await digestOf(content);
  if (actual === null) return invalid('malformed', 'The signed content has no RFC 8785 form.');
  if (actual !== digest) return invalid('digest_mismatch', 'The content is not what was signed.');
  const fields = { keyId, signedAt, digest: actual, signature };
  if (!(await verifyFields(fields, key.raw))) {
    return invalid('bad_signature', 'The signature is not by the named key over this digest and time.');
  }
  return { valid: true, keyId, keyStatus: key.status, signedAt, digest: actual };
}
