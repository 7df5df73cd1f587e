import { type Checkpoint, parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { parseWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import { emptyRoot, isSameHash, verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  cosignNote,
  formatSignature,
  type NoteKey,
  type NoteSigner,
  parseNote,
  verifyNote,
} from '@agent-marketplace/protocol/log/note.ts';
import type { WitnessedTrees } from './witnessed-trees.ts';

export interface Witness {
  /** The logs that it cosigns. */
  readonly logs: readonly NoteKey[];
  readonly signer: NoteSigner;
  readonly trees: WitnessedTrees;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a request is answered with (c2sp.org/tlog-witness, add-checkpoint). */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422 | 503;
  readonly body: string;
  /** `text/x.tlog.size` where the body is the size of the last tree that was cosigned. */
  readonly contentType: 'text/plain; charset=utf-8' | 'text/x.tlog.size';
  /** Two checkpoints of the log that cannot both be true, where the request shows that. */
  readonly fork?: { readonly older: string; readonly newer: string };
}

/**
 * Cosigns a checkpoint if its tree begins with the one that was cosigned last. The tree is stored before it is signed: a
 * witness that is killed, or asked twice at once, cosigns no two trees that contradict each other.
 */
export async function addCheckpoint(
  body: string,
  { logs, signer, trees, now }: Witness,
): Promise<WitnessAnswer> {
  const request = parseWitnessRequest(body);
  const note = request && parseNote(request.checkpoint);
  const checkpoint = note && parseCheckpoint(note.text);
  if (!(request && note && checkpoint)) return refusal(400, 'This is no add-checkpoint request.');
  const keys = logs.filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) return refusal(404, 'This witness does not cosign a log of this origin.');
  const verdicts = await Promise.all(keys.map((key) => verifyNote(note, key)));
  const isSigned =
    verdicts.some(({ kind }) => kind === 'valid') && verdicts.every(({ kind }) => kind !== 'invalid');
  if (!isSigned) return refusal(403, 'The checkpoint is not signed by a key of this log.');
  if (request.oldSize > checkpoint.size) return refusal(400, 'The old size is larger than the checkpoint.');

  const last = await trees.read(checkpoint.origin);
  // Whatever size the caller took it to grow from: two trees of one size are a fork.
  if (last.size === checkpoint.size && last.version > 0 && !isSameHash(checkpoint.root, last.root))
    return {
      ...refusal(409, 'Another tree of this size was cosigned.'),
      fork: { older: last.checkpoint, newer: request.checkpoint },
    };
  if (last.size !== request.oldSize) return sizeConflict(last.size);
  const fault = await faultOf(checkpoint, last, request.hashes);
  if (fault !== null) return refusal(422, fault);
  const seconds = Math.floor(now() / 1000);
  // A cosignature says that no larger tree was seen until then, so its time must not go back.
  if (seconds < last.seconds) return refusal(503, 'The clock of this witness went back.');
  const { size, root, origin } = checkpoint;
  const next = { version: last.version + 1, size, root, seconds, checkpoint: request.checkpoint };
  if (!(await trees.store(origin, next))) return sizeConflict((await trees.read(origin)).size);
  const cosignature = await cosignNote(note.text, signer, seconds);
  return { status: 200, body: formatSignature(cosignature), contentType: 'text/plain; charset=utf-8' };
}

async function faultOf(
  { size, root }: Checkpoint,
  last: { readonly size: number; readonly root: Uint8Array; readonly version: number },
  hashes: readonly Uint8Array[],
): Promise<string | null> {
  if (size === 0 && !isSameHash(root, await emptyRoot())) return 'A tree without leaves has another root.';
  return (await verifyConsistency(last, { size, root }, hashes))
    ? null
    : 'The proof does not show that the tree only grew.';
}

function refusal(status: Exclude<WitnessAnswer['status'], 200>, text: string): WitnessAnswer {
  return { status, body: `${text}\n`, contentType: 'text/plain; charset=utf-8' };
}

const sizeConflict = (size: number): WitnessAnswer => ({
  status: 409,
  body: `${size}\n`,
  contentType: 'text/x.tlog.size',
});
