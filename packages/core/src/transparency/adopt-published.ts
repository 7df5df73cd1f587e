import type { Checkpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { isSameHash, leafHash, verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { verifyNote } from '@agent-marketplace/protocol/log/note.ts';
import { consistencyProof, rootOfTiles, TILE_WIDTH } from '@agent-marketplace/protocol/log/tiles.ts';
import type { LogFiles, NewLeaf, TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { DamagedLogError, entriesIn, filesOfTree, growTree, tilesIn, writeTiles } from './grow-tree.ts';
import type { LogPorts } from './log-ports.ts';
import { readPublished } from './publish-checkpoint.ts';

/** Full bundles that are taken over at once. */
const BUNDLES = 4;

/**
 * Takes over the next leaves of a larger tree that this log published, where the object remembers less, as after it was put
 * back to an earlier state. The log's own signature, and that the head is the beginning of that tree, are what makes them its
 * own: so whoever puts back the files of the log has put back the object as well. False: what is published does not begin so.
 */
export async function adoptPublished(ports: LogPorts, head: TreeHead): Promise<boolean> {
  const { signers } = ports;
  const published = await readPublished(ports);
  if (published === null || published.checkpoint.size <= head.size) return false;
  const { checkpoint, note } = published;
  const verdicts = await Promise.all(signers.map(({ key }) => verifyNote(note, key)));
  if (!verdicts.some(({ kind }) => kind === 'valid')) return false;
  return takeOver(ports, head, { files: ports.files, checkpoint });
}

/** Takes over the next leaves of a larger tree. False: it does not begin with what the object remembers. */
export async function takeOver(
  ports: LogPorts,
  head: TreeHead,
  source: { readonly files: Pick<LogFiles, 'read'>; readonly checkpoint: Checkpoint },
): Promise<boolean> {
  const { tree } = ports;
  const { checkpoint } = source;
  const files = filesOfTree(source.files, checkpoint.size);
  const stored = tilesIn(files);
  if (head.size > 0 && !isSameHash(await rootOfTiles(head.size, stored), head.root)) return false;
  const first = Math.floor(head.size / TILE_WIDTH);
  const end = Math.min(checkpoint.size, (first + BUNDLES) * TILE_WIDTH);
  const entries: Uint8Array[] = [];
  for (let index = first; index * TILE_WIDTH < end; index += 1)
    entries.push(...(await entriesIn(files, index, end)));
  const added = entries.slice(head.size - first * TILE_WIDTH);
  const grown = await growTree(files, head.size, added);
  const hashes = await consistencyProof(grown.head.size, checkpoint.size, stored);
  if (!(await verifyConsistency(grown.head, checkpoint, hashes))) return false;
  if (!(await tree.append(head, grown.head, await Promise.all(added.map(leafOf))))) return true;
  await writeTiles(ports, grown);
  return true;
}

async function leafOf(entry: Uint8Array): Promise<NewLeaf> {
  const { digest } = parseLogEntry(entry) ?? {};
  if (digest === undefined) throw new DamagedLogError('A published entry is no leaf of this log.');
  return { entry, hash: await leafHash(entry), digest };
}
