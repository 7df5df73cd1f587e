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
      /** Of those, as `version 2`, old ones: nothing of them is signed but when they were made; who shows them says the rest. */
      readonly unsigned: readonly string[];
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
  const unsigned: string[] = [];
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
    if (checked.unsigned.length > 0) unsigned.push(`version ${version}`);
    head = checked;
  }
  if (head === null) return fault(null, 'broken_chain', 'There are no entries.');
  // Each may be of anything that was ever signed.
  if (unsigned.length === ordered.length)
    return fault(null, 'not_covered', 'No entry shows what was signed of this listing.');
  return {
    valid: true,
    version: ordered.length,
    headDigest: head.digest,
    changedAt: head.signedAt,
    erased,
    unsigned,
  };
}

/** An entry, and what of it no signature covers. */
type EntryVerification = Verification<{ readonly unsigned: readonly string[] }>;

/** Checks one entry alone, such as the `change` that the answer to its author shows. */
export const verifyHistoryEntry = (entry: JsonObject, keys: KeySet): Promise<EntryVerification> =>
  checkEntry(String(entry.listingId), entry, keys);

async function checkEntry(listingId: string, entry: JsonObject, keys: KeySet): Promise<EntryVerification> {
  const { digest, keyId, signature, ...claimed } = entry;
  const { reason = null, texts = null, ...covered } = claimed;
  const hasDigests = 'reasonDigest' in entry;
  // The digest is over whatever else the entry has, so that none of it can be added or altered.
  const statement: JsonObject = {
    listingId,
    type: TYPE,
    ...(hasDigests ? covered : claimed),
  };
  if (statement.listingId !== listingId || statement.type !== TYPE)
    return invalid('digest_mismatch', 'The entry is of another listing.');
  const seal = { digest, keyId, signature, signedAt: entry.changedAt } as JsonObject;
  if (!hasDigests && entry.isErased === true) {
    if (!isLeftOver(entry))
      return invalid('not_covered', 'An entry whose texts were erased shows more than is left of one.');
    const checked = await checkSignature(seal, keys);
    return checked.valid ? { ...checked, unsigned: UNSIGNED_WHERE_ERASED } : checked;
  }
  const checked = await checkSeal(seal, statement, keys);
  if (!checked.valid) return checked;
  if (!hasDigests || (await areSigned(entry, reason, texts))) return { ...checked, unsigned: [] };
  return invalid('digest_mismatch', 'A text is not the one that was signed.');
}

const TYPE = 'listing_history_entry';
const UNSIGNED_WHERE_ERASED = ['changeType', 'changes', 'previousDigest', 'version'] as const;
const SIGNATURE_MEMBERS = ['changedAt', 'digest', 'keyId', 'signature'] as const;
const LEFT_OVER: ReadonlySet<string> = new Set([
  ...[...UNSIGNED_WHERE_ERASED, ...SIGNATURE_MEMBERS],
  ...['isErased', 'listingId', 'reason', 'type'],
]);

/** Whether an old entry shows no more than an erasure leaves of one. */
function isLeftOver({ changes, reason = null, ...others }: JsonObject): boolean {
  const shown = isJsonObject(changes) ? changes : {};
  return (
    reason === null &&
    Object.keys(others).every((name) => LEFT_OVER.has(name)) &&
    TEXT_FIELDS.every((name) => Object.values(shown[name] ?? {}).every((text) => text === null))
  );
}

/** Whether the texts that are shown are those of the signed digests, and nothing else. What is not shown was erased. */
async function areSigned(entry: JsonObject, reason: Json, texts: Json): Promise<boolean> {
  if (texts === null) return reason === null;
  if (!isJsonObject(texts)) return false;
  const { changes, salt, ...others } = texts;
  if (!isJsonObject(changes) || typeof salt !== 'string' || Object.keys(others).length > 0) return false;
  // A salt of no text is signed by nobody.
  if (reason === null && Object.keys(changes).length === 0) return false;
  const isOf = async (name: string, text: Json, signed: Json | undefined) =>
    (text === null ? null : await digestOf({ [name]: text, salt })) === (signed ?? null);
  if (!(await isOf('reason', reason, entry.reasonDigest))) return false;
  for (const [name, text] of Object.entries(changes)) {
    const signed = isJsonObject(entry.changes) ? entry.changes[name] : null;
    if (!isJsonObject(text) || !isJsonObject(signed)) return false;
    const { from = null, to = null, ...more } = text;
    if (Object.keys(more).length > 0) return false;
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
