import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type Changes, type HistoryEntry, historyStatement, type UnsignedEntry } from './history.rules.ts';

/** Fields of a listing that its seller writes. */
const TEXT_FIELDS: readonly string[] = ['title', 'description'];

/**
 * Signs an entry; its time of change is the time of the signature. Texts are signed as digests with a random salt, so that
 * an erasure can drop both: nobody finds the text of a digest by trying, and the entry still verifies.
 */
export async function signHistoryEntry(
  { ids, signer }: Pick<Ports, 'ids' | 'signer'>,
  listingId: string,
  entry: Omit<UnsignedEntry, 'reasonDigest' | 'texts' | 'isErased'>,
): Promise<HistoryEntry> {
  const { changeType, changedAt, previousDigest, reason, version } = entry;
  const written = Object.entries(entry.changes).filter(([field]) => TEXT_FIELDS.includes(field));
  const salt = toHex(ids.randomBytes(16));
  const covered: Changes = {
    ...entry.changes,
    ...Object.fromEntries(
      await Promise.all(
        written.map(
          async ([field, { from, to }]) =>
            [
              field,
              { from: await textDigest(field, from, salt), to: await textDigest(field, to, salt) },
            ] as const,
        ),
      ),
    ),
  };
  const texts =
    written.length === 0 && reason === null ? null : { changes: Object.fromEntries(written), salt };
  const unsigned = {
    changeType,
    changedAt,
    changes: covered,
    previousDigest,
    reason,
    reasonDigest: await textDigest('reason', reason, salt),
    texts,
    version,
  };
  const { digest, keyId, signature } = await signer.signDigest(
    await canonicalDigest(historyStatement(listingId, unsigned)),
    changedAt,
  );
  return { ...unsigned, digest, keyId, signature };
}

/** Of `{<field>: text, salt}`, as `docs/protocol.md` says. */
const textDigest = async (field: string, text: Json, salt: string): Promise<Digest | null> =>
  text === null ? null : canonicalDigest({ [field]: text, salt });
