import type { Checkpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import {
  formatLogSuccessor,
  type LogSuccessor,
  SUCCESSOR_PATH,
} from '@agent-marketplace/protocol/log/log-successor.ts';
import { formatNote, signNote } from '@agent-marketplace/protocol/log/note.ts';
import { TILE_WIDTH } from '@agent-marketplace/protocol/log/tiles.ts';
import type { LogFiles, TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';
import { takeOver } from './adopt-published.ts';
import { entriesIn, filesOfTree } from './grow-tree.ts';
import { listAgain, setSize } from './log-outbox.store.ts';
import type { FormerLog, LogPorts } from './log-ports.ts';
import { checkpointIn } from './publish-checkpoint.ts';

/** Statements of about the last entry may have been signed in another order than they were logged. */
const OVERLAP_MS = DAY_MS;

/**
 * Begins a log with all leaves that the one before it published: what stands in that one stands in this one at the same place, and
 * its last tree is the beginning of this one's. Then it has the log that ended name this one, and hands over again what
 * was signed since the last entry: some of it may have been lost with it. Returns whether that is done; until then nothing
 * else may be added. It may be cut off anywhere.
 */
export async function beginLog(ports: LogPorts): Promise<boolean> {
  const { market, signers, tree } = ports;
  const former = await newestPublished(ports.formers);
  if (former === null) return true;
  const { files, signer, last } = former;
  const { head } = await tree.read();
  if (head.size < last.size) {
    if (!(await takeOver(ports, head, { files, checkpoint: last })))
      throw new Error('The files of the log before do not lead to its checkpoint.');
    return false;
  }
  if (head.size > last.size) return true;
  if (signer !== null) {
    const successor: LogSuccessor = { last, key: signers[0].key };
    const note = await signNote(formatLogSuccessor(successor), [signer]);
    await files.write(SUCCESSOR_PATH, new TextEncoder().encode(formatNote(note)));
  }
  const since = await lastSignedAt(files, last);
  await market.commit([setSize({ size: last.size }), ...listAgain(since)]);
  return true;
}

/** One that was named and never ran has nothing to hand over: what the log before it published would be lost with it. */
async function newestPublished(
  formers: readonly FormerLog[],
): Promise<(FormerLog & { readonly last: Checkpoint }) | null> {
  for (const former of formers) {
    const stored = await former.files.readCheckpoint();
    const last = (stored && checkpointIn(stored.text, former.origin))?.checkpoint;
    if (last !== undefined && last.size > 0) return { ...former, last };
  }
  return null;
}

/** When the newest of the last entries was signed, less some time. */
async function lastSignedAt(files: LogFiles, { size }: Pick<TreeHead, 'size'>): Promise<IsoTime> {
  if (size === 0) return isoTime(0);
  const index = Math.floor((size - 1) / TILE_WIDTH);
  const entries = await entriesIn(filesOfTree(files, size), index, size);
  const times = entries.flatMap((entry) => {
    const signedAt = parseLogEntry(entry)?.signedAt;
    return signedAt === undefined ? [] : [epochOf(signedAt as IsoTime)];
  });
  return isoTime(Math.max(0, ...times) - OVERLAP_MS);
}
