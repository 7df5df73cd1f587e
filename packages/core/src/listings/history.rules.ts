import { canonicalDigest, type Digest } from '../kernel/crypto/digest.ts';
import { checkSignatureFields } from '../kernel/crypto/signed-statement.ts';
import type { Json } from '../kernel/json/json.ts';

export type ChangeType = 'created' | 'updated' | 'price_changed' | 'deactivated' | 'reactivated';

/** The old and new value of each changed field. Previews appear as fingerprints, never with their content. */
export type Changes = { readonly [field: string]: { readonly from: Json; readonly to: Json } };

/** One link of a listing's public history (clause: listing history). */
export interface HistoryEntry {
  readonly changeType: ChangeType;
  readonly changedAt: string;
  readonly changes: Changes;
  readonly digest: Digest;
  readonly keyId: string;
  /** The digest of the entry before; null in the first. */
  readonly previousDigest: Digest | null;
  readonly reason: string | null;
  readonly signature: string;
  readonly version: number;
}

export type UnsignedEntry = Omit<HistoryEntry, 'digest' | 'keyId' | 'signature'>;

/** The statement under an entry's digest. It names the listing, so that an entry cannot be moved to another. */
export function historyStatement(listingId: string, entry: UnsignedEntry) {
  const { changeType, changedAt, changes, previousDigest, reason, version } = entry;
  return {
    changeType,
    changedAt,
    changes,
    listingId,
    previousDigest,
    reason,
    type: 'listing_history_entry',
    version,
  };
}

/** A listing's fingerprint at a time; null if its history does not reach back so far. */
export function fingerprintAt(entries: readonly HistoryEntry[], at: string): string | null {
  const set = entries.findLast(
    ({ changedAt, changes }) => changedAt <= at && changes.fingerprint !== undefined,
  );
  const fingerprint = set?.changes.fingerprint?.to;
  return typeof fingerprint === 'string' ? fingerprint : null;
}

export type ChainFault = 'version_gap' | 'broken_link' | 'wrong_digest' | 'unknown_key' | 'wrong_signature';

export type ChainCheck =
  | { readonly valid: true }
  | { readonly valid: false; readonly version: number; readonly fault: ChainFault };

/**
 * Checks every link: versions without gaps, each entry bound to the one before, each signature good. The first entry
 * follows `before`; null: it is version 1.
 */
export async function checkHistory(
  listingId: string,
  entries: readonly HistoryEntry[],
  publicKeyOf: (keyId: string) => Uint8Array | undefined,
  before: HistoryEntry | null = null,
): Promise<ChainCheck> {
  let previousDigest: Digest | null = before?.digest ?? null;
  for (const [index, entry] of entries.entries()) {
    const version = (before?.version ?? 0) + index + 1;
    const fault = await faultOf(listingId, entry, version, previousDigest, publicKeyOf);
    if (fault) return { valid: false, version: entry.version, fault };
    previousDigest = entry.digest;
  }
  return { valid: true };
}

async function faultOf(
  listingId: string,
  entry: HistoryEntry,
  version: number,
  previousDigest: Digest | null,
  publicKeyOf: (keyId: string) => Uint8Array | undefined,
): Promise<ChainFault | null> {
  const { keyId, changedAt, digest, signature } = entry;
  if (entry.version !== version) return 'version_gap';
  if (entry.previousDigest !== previousDigest) return 'broken_link';
  if ((await canonicalDigest(historyStatement(listingId, entry))) !== digest) return 'wrong_digest';
  const publicKey = publicKeyOf(keyId);
  if (!publicKey) return 'unknown_key';
  const fields = { keyId, signedAt: changedAt, digest, signature };
  return (await checkSignatureFields(fields, publicKey)) ? null : 'wrong_signature';
}
