import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { ChainLink } from '../kernel/crypto/check-chain.ts';

/** `blocked` and `unblocked` are an operator's entries, the others the seller's. */
export type ChangeType =
  | 'created'
  | 'updated'
  | 'price_changed'
  | 'deactivated'
  | 'reactivated'
  | 'blocked'
  | 'unblocked';

/** The old and new value of each changed field. Previews appear as fingerprints, never with their content. */
export type Changes = { readonly [field: string]: { readonly from: Json; readonly to: Json } };

/** What persons wrote, which an erasure drops. What was signed has salted digests in its place. */
export interface HistoryTexts {
  readonly changes: Changes;
  readonly salt: string;
}

/** One link of a listing's public history (clause: listing history). */
export interface HistoryEntry {
  readonly changeType: ChangeType;
  readonly changedAt: string;
  /** What was written shows as a salted digest; in entries that have no `reasonDigest`, in clear. */
  readonly changes: Changes;
  readonly digest: Digest;
  readonly keyId: string;
  /** The digest of the entry before; null in the first. */
  readonly previousDigest: Digest | null;
  readonly reason: string | null;
  /** Of `{reason, salt}`. Undefined: the entry was signed with its texts in clear. */
  readonly reasonDigest?: Digest | null;
  readonly signature: string;
  /** Null: nobody wrote anything, or it was erased. */
  readonly texts?: HistoryTexts | null;
  /** An entry that was signed with its texts in clear, without them: its digest is of what nobody has. */
  readonly isErased?: true;
  readonly version: number;
}

export type UnsignedEntry = Omit<HistoryEntry, 'digest' | 'keyId' | 'signature'>;

/** The statement under an entry's digest. It names the listing, so that an entry cannot be moved to another. */
export function historyStatement(listingId: string, entry: UnsignedEntry) {
  const { changeType, changedAt, changes, previousDigest, reason, reasonDigest, version } = entry;
  return {
    changeType,
    changedAt,
    changes,
    listingId,
    previousDigest,
    ...(reasonDigest === undefined ? { reason } : { reasonDigest }),
    type: 'listing_history_entry',
    version,
  };
}

/** An entry as it is shown: with all that its digest is over, it verifies by itself. */
export function viewHistoryEntry(listingId: string, entry: HistoryEntry) {
  return { ...entry, listingId, type: 'listing_history_entry' as const };
}

/** A listing's fingerprint at a time; null if its history does not reach back so far. */
export function fingerprintAt(entries: readonly HistoryEntry[], at: string): string | null {
  const set = entries.findLast(
    ({ changedAt, changes }) => changedAt <= at && changes.fingerprint !== undefined,
  );
  const fingerprint = set?.changes.fingerprint?.to;
  return typeof fingerprint === 'string' ? fingerprint : null;
}

/** An entry as a link of its listing's chain. */
export function historyLink(listingId: string, entry: HistoryEntry): ChainLink {
  const { changedAt, digest, isErased, keyId, previousDigest, signature, version } = entry;
  const statement = isErased ? null : historyStatement(listingId, entry);
  return { position: version, previousDigest, digest, keyId, signature, signedAt: changedAt, statement };
}
