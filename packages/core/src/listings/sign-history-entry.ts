import { canonicalDigest } from '../kernel/crypto/digest.ts';
import type { Signer } from '../kernel/ports/signer.ts';
import { type HistoryEntry, historyStatement, type UnsignedEntry } from './history.rules.ts';

/** Signs an entry; its time of change is the time of the signature. */
export async function signHistoryEntry(
  signer: Signer,
  listingId: string,
  entry: UnsignedEntry,
): Promise<HistoryEntry> {
  const unsigned = await canonicalDigest(historyStatement(listingId, entry));
  const { digest, keyId, signature } = await signer.signDigest(unsigned, entry.changedAt);
  const { changeType, changedAt, changes, previousDigest, reason, version } = entry;
  return { changeType, changedAt, changes, digest, keyId, previousDigest, reason, signature, version };
}
