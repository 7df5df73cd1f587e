import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import { textDigestOf } from './blocks/text-digest.ts';
import type { Changes, ChangeType, HistoryEntry } from './history.rules.ts';
import type { Listing } from './listing.ts';
import { updateListingRow } from './listings.store.ts';
import { signHistoryEntry } from './sign-history-entry.ts';

interface Change {
  readonly changeType: ChangeType;
  readonly changedAt: IsoTime;
  readonly changes: Changes;
  readonly reason: string | null;
}

interface NextVersion {
  readonly after: Listing;
  readonly entry: HistoryEntry;
  /** Write both. They abort where the listing was changed since it was read. */
  readonly statements: Statement[];
}

/** The version that follows `before`, with the content of `changed`, and its signed entry in the history. */
export async function nextVersion(
  ports: Pick<Ports, 'ids' | 'signer'>,
  before: Listing,
  changed: Listing,
  change: Change,
): Promise<NextVersion> {
  const entry = await signHistoryEntry(ports, before.id, {
    ...change,
    previousDigest: before.historyDigest as HistoryEntry['previousDigest'],
    version: before.version + 1,
  });
  const { title, description, preview, priceCents, priceMicros, meter, redelivery, status, fingerprint } =
    changed;
  const textDigest = await textDigestOf(changed);
  const written = { version: entry.version, historyDigest: entry.digest, lastModified: change.changedAt };
  const row = {
    title,
    description,
    preview,
    priceCents,
    priceMicros,
    meter,
    redelivery,
    status,
    fingerprint,
    textDigest,
    ...written,
  };
  return { after: { ...changed, ...written }, entry, statements: updateListingRow(before, row, entry) };
}
