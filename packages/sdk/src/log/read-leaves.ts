import { type LogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import {
  appendLeaf,
  EMPTY_FRONTIER,
  isSameHash,
  leafHash,
  rootOfFrontier,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import type { BelievedCheckpoint } from './log-verification.ts';

/** A statement in the log. */
export interface Leaf extends LogEntry {
  /** Its place: 0 for the first. */
  readonly index: number;
}

/**
 * The leaves of a checkpoint that are wanted, by digest.
 *
 * @param entries from the first on.
 * @returns null: the entries are not all leaves of the checkpoint.
 */
export async function readLeaves(
  entries: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { size, root }: Pick<BelievedCheckpoint, 'size' | 'root'>,
  isWanted: (entry: LogEntry) => boolean,
): Promise<ReadonlyMap<string, Leaf> | null> {
  const leaves = new Map<string, Leaf>();
  let frontier = EMPTY_FRONTIER;
  for await (const bytes of entries) {
    const entry = parseLogEntry(bytes);
    if (entry !== null && isWanted(entry) && !leaves.has(entry.digest))
      leaves.set(entry.digest, { ...entry, index: frontier.size });
    frontier = await appendLeaf(frontier, await leafHash(bytes));
  }
  return frontier.size === size && isSameHash(await rootOfFrontier(frontier), root) ? leaves : null;
}
