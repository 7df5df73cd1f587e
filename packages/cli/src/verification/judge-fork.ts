import { fromBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isSameHash, verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { believeCheckpoint, type LogPolicy } from '@agent-marketplace/sdk';
import type { TreePrefix } from '../monitor/follow-log.ts';

/** What a monitor or a witness kept: two checkpoints, in the order in which it saw them. */
export interface ForkEvidence {
  readonly older: string | null;
  readonly newer: string;
  readonly prefix?: TreePrefix;
}

/** What evidence proves to anybody who believes the keys of a policy. */
export interface Judgement {
  readonly isProven: boolean;
  /** One sentence: what is proven, or why nothing is. */
  readonly detail: string;
}

/**
 * Whether two checkpoints cannot both be of a log that only grew. The log's own signatures are what convicts it: no witness and
 * nobody's word is needed, so the quorum of the policy is not asked for.
 */
export async function judgeFork(
  { older, newer, prefix }: ForkEvidence,
  policy: LogPolicy,
): Promise<Judgement> {
  if (older === null)
    return unproven('There is only one checkpoint, and what it was read with is not signed.');
  const alone = { ...policy, quorum: { atLeast: 0, of: [] } };
  const [first, second] = [await believeCheckpoint(older, alone), await believeCheckpoint(newer, alone)];
  if (!first.valid) return unproven(`The older checkpoint: ${first.detail}`);
  if (!second.valid) return unproven(`The newer checkpoint: ${second.detail}`);
  const [a, b] = [first.checkpoint, second.checkpoint];
  if (a.origin !== b.origin) return unproven('The checkpoints are of two logs.');
  if (a.size === b.size)
    return isSameHash(a.root, b.root)
      ? unproven('Both checkpoints are of one tree.')
      : proven(`The log of ${a.origin} signed two trees of ${a.size} entries that differ: two histories.`);
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (prefix !== undefined) {
    const root = fromBase64(prefix.root);
    const hashes = prefix.hashes.flatMap((hash) => fromBase64(hash) ?? []);
    const isOfLarge = root !== null && (await verifyConsistency({ size: small.size, root }, large, hashes));
    if (!isOfLarge || isSameHash(root, small.root))
      return unproven(
        'It does not show what the first entries of the larger tree are, or they are the same.',
      );
    return proven(
      `The log of ${a.origin} signed a tree of ${small.size} entries, and one of ${large.size} whose first ${small.size} are others: two histories.`,
    );
  }
  return unproven(
    `Trees of ${small.size} and ${large.size} entries may both be of one log. That it showed the smaller one later is the word of whoever kept this.`,
  );
}

const proven = (detail: string): Judgement => ({ isProven: true, detail });
const unproven = (detail: string): Judgement => ({ isProven: false, detail });
