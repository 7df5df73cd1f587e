import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { KeySet } from '../keys.ts';
import {
  checkSeal,
  checkSignature,
  digestOf,
  type Invalid,
  type InvalidReason,
  invalid,
  type Valid,
  type Verification,
} from './verification.ts';

/** One change of a listing, as `GET /marketplace/listings/{id}/history` lists it. */
export interface ListingHistoryEntry {
  /** 1 for the creation; each change adds one. */
  readonly version: number;
  readonly changeType: string;
  /** What changed; data as fingerprints only, texts as salted digests. */
  readonly changes: Json;
  readonly reason: string | null;
  /** Of `{reason, salt}`. Undefined: an old entry, which is signed with its texts in clear. */
  readonly reasonDigest?: string | null;
  /** What the digests of texts are of; null: there are none, or they were erased. */
  readonly texts?: Json;
  /** An old entry whose texts were erased: nobody can tell what its digest is of. */
  readonly isErased?: true;
  /** ISO-8601 UTC; the time that is signed. */
  readonly changedAt: string;
  /** Digest of the entry before; null in the first. */
  readonly previousDigest: string | null;
  /** `sha256:<hex>` over the RFC 8785 form of the entry as a statement. */
  readonly digest: string;
  readonly keyId: string;
  /** Over `<keyId>.<changedAt>.<digest>`, base64url, unpadded. */
  readonly signature: string;
}

export type ListingHistoryVerification =
  | {
      readonly valid: true;
      /** The last version of the chain: equal to the listing's `version`, unless newer entries were left out. */
      readonly version: number;
      /** Digest of the last entry, which fixes the whole history before it. */
      readonly headDigest: string;
      /** ISO-8601 UTC. */
      readonly changedAt: string;
      /** Versions whose texts were erased: what they were is not known any more. */
      readonly erased: readonly number[];
    }
  /** `version` of the first invalid entry; null if that entry has none. */
  | (Invalid & { readonly version: number | null });

/**
 * Checks a listing's whole history: every entry's digest and signature, and that they form one chain from
 * version 1 for this listing. Entries may come in either order.
 *
 * A chain does not show that its newest entries are missing: compare `version` with the listing's.
 */
export async function verifyListingHistory(
  listingId: string,
  entries: readonly unknown[],
  keys: KeySet,
): Promise<ListingHistoryVerification> {
  if (entries.length === 0) return fault(null, 'broken_chain', 'There are no entries.');
  const ordered = entries.toSorted((a, b) => versionOf(a) - versionOf(b));
  const erased: number[] = [];
  let head: Valid | null = null;
  for (const [index, entry] of ordered.entries()) {
    const version = index + 1;
    if (!isJsonObject(entry) || !Number.isSafeInteger(entry.version)) {
      return fault(null, 'malformed', 'An entry is no object with a version.');
    }
    if (entry.version !== version) return fault(version, 'broken_chain', `Version ${version} is missing.`);
    if (entry.previousDigest !== (head?.digest ?? null)) {
      return fault(version, 'broken_chain', 'The entry does not follow from the one before.');
    }
    const checked = await checkEntry(listingId, entry, keys);
    if (!checked.valid) return { ...checked, version };
    if (isErased(entry)) erased.push(version);
    head = checked;
  }
  if (head === null) return fault(null, 'broken_chain', 'There are no entries.');
  return {
    valid: true,
    version: ordered.length,
    headDigest: head.digest,
    changedAt: head.signedAt,
    erased,
  };
}

/** Checks one entry alone, such as the `change` that the answer to its author shows. */
export const verifyHistoryEntry = (entry: JsonObject, keys: KeySet): Promise<Verification> =>
  checkEntry(String(entry.listingId), entry, keys);

async function checkEntry(listingId: string, entry: JsonObject, keys: KeySet): Promise<Verification> {
  const { digest, keyId, signature, ...claimed } = entry;
  const { reason = null, texts = null, ...covered } = claimed;
  const hasDigests = 'reasonDigest' in entry;
  // The digest is over whatever else the entry has, so that none of it can be added or altered.
  const statement: JsonObject = {
    listingId,
    type: 'listing_history_entry',
    ...(hasDigests ? covered : claimed),
  };
  if (statement.listingId !== listingId)
    return invalid('digest_mismatch', 'The entry is of another listing.');
  const seal = { digest, keyId, signature, signedAt: entry.changedAt } as JsonObject;
  if (!hasDigests)
    return entry.isErased === true ? checkSignature(seal, keys) : checkSeal(seal, statement, keys);
  const checked = await checkSeal(seal, statement, keys);
  if (!checked.valid || (await areSigned(entry, reason, texts))) return checked;
  return invalid('digest_mismatch', 'A text is not the one that was signed.');
}

/** Whether the texts that are shown are those of the signed digests. What is not shown was erased. */
async function areSigned(entry: JsonObject, reason: Json, texts: Json): Promise<boolean> {
  if (texts === null) return reason === null;
  if (!isJsonObject(texts) || !isJsonObject(texts.changes) || typeof texts.salt !== 'string') return false;
  const { salt } = texts;
  const isOf = async (name: string, text: Json, signed: Json | undefined) =>
    (text === null ? null : await digestOf({ [name]: text, salt })) === (signed ?? null);
  if (!(await isOf('reason', reason, entry.reasonDigest))) return false;
  for (const [name, text] of Object.entries(texts.changes)) {
    const signed = isJsonObject(entry.changes) ? entry.changes[name] : null;
    if (!isJsonObject(text) || !isJsonObject(signed)) return false;
    const { from = null, to = null } = text;
    if (!(await isOf(name, from, signed.from)) || !(await isOf(name, to, signed.to))) return false;
  }
  return true;
}

const TEXT_FIELDS = ['title', 'description'] as const;

function isErased({ changes, isErased, reasonDigest = null, texts }: JsonObject): boolean {
  if (isErased === true) return true;
  const isDigested =
    reasonDigest !== null || TEXT_FIELDS.some((name) => isJsonObject(changes) && name in changes);
  return texts === null && isDigested;
}

function versionOf(entry: unknown): number {
  return isJsonObject(entry) && typeof entry.version === 'number' ? entry.version : 0;
}

function fault(version: number | null, reason: InvalidReason, detail: string): ListingHistoryVerification {
  return { ...invalid(reason, detail), version };
}
