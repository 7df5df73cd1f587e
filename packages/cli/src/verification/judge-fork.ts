import { fromBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Checkpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { isSameHash, verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { believeCheckpoint, type LogPolicy } from '@agent-marketplace/sdk';
import { signedSuccessor } from '../frame/read-successor.ts';
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
    if (!(await isOtherPrefix(prefix, small, large))) return unproven(NO_PREFIX);
    return proven(
      `The log of ${a.origin} signed a tree of ${small.size} entries, and one of ${large.size} whose first ${small.size} are others: two histories.`,
    );
  }
  return unproven(
    `Trees of ${small.size} and ${large.size} entries may both be of one log. That it showed the smaller one later is the word of whoever kept this.`,
  );
}

/**
 * Whether a log does not begin with what the one had whose place it took, by the note of that one's key and its own checkpoint. Whoever
 * stole the old key can sign such a note: a policy names it no more then.
 */
export async function judgeSuccession(
  { older: note, newer, prefix }: ForkEvidence,
  policy: LogPolicy,
): Promise<Judgement> {
  const successor = await signedSuccessor(String(note), policy);
  if (successor === null) return unproven('No key of the policy signed which log took the place of another.');
  const believed = await believeCheckpoint(newer, { ...policy, quorum: { atLeast: 0, of: [] } });
  if (!believed.valid) return unproven(`The checkpoint: ${believed.detail}`);
  const { last, key } = successor;
  const { checkpoint } = believed;
  const keys = policy.logs.flatMap((log) =>
    log.key.name === checkpoint.origin ? formatNoteKey(log.key) : [],
  );
  if (!keys.includes(formatNoteKey(key))) return unproven('The checkpoint is of another log.');
  const isOther =
    checkpoint.size < last.size || (prefix !== undefined && (await isOtherPrefix(prefix, last, checkpoint)));
  return isOther
    ? proven(
        `The key of ${last.origin} signed that ${checkpoint.origin} takes its place after ${last.size} entries, and that one signed a tree that does not begin with them.`,
      )
    : unproven(NO_PREFIX);
}

const NO_PREFIX = 'It does not show what the first entries of the larger tree are, or they are the same.';

/** Whether the first leaves of the large tree are shown to be others than the small one has. */
async function isOtherPrefix(prefix: TreePrefix, small: Tree, large: Tree): Promise<boolean> {
  // As it was kept in a file, by whomever.
  const { root: encoded, hashes: texts }: { readonly root?: unknown; readonly hashes?: unknown } = prefix;
  const root = fromBase64(String(encoded));
  const hashes = (Array.isArray(texts) ? texts : []).flatMap((hash) => fromBase64(String(hash)) ?? []);
  const isOfLarge = root !== null && (await verifyConsistency({ size: small.size, root }, large, hashes));
  return isOfLarge && !isSameHash(root, small.root);
}

type Tree = Pick<Checkpoint, 'size' | 'root'>;

const proven = (detail: string): Judgement => ({ isProven: true, detail });
const unproven = (detail: string): Judgement => ({ isProven: false, detail });
