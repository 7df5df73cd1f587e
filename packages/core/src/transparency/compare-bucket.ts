import { isSameHash, leafHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { rootOfTiles, TILE_WIDTH, tileWidth } from '@agent-marketplace/protocol/log/tiles.ts';
import type { TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { MINUTE_MS } from '../kernel/time.ts';
import { compareOldTiles } from './compare-old-tiles.ts';
import { DamagedLogError, entriesIn, tilesIn } from './grow-tree.ts';
import type { LogPorts } from './log-ports.ts';

/** Of an idle log as well: a bucket that was put back must be noticed before somebody reads it for long. */
const COMPARED_EVERY_MS = MINUTE_MS;

/** Whether it is time to compare the bucket of an idle log with what was published. */
export const isBucketDue = ({ clock, sinceStart: { comparedAt } }: LogPorts): boolean =>
  comparedAt === null || clock.now() - comparedAt >= COMPARED_EVERY_MS;

/**
 * That the bucket holds the tree of a head: the tiles along its edge, whose hashes its root is made of, and the entries at its
 * end; and once a minute some of the older ones. A few files, which grow with the logarithm of the log. Rejects with `DamagedLogError`: a tile that was changed in the
 * store would become part of the next root.
 */
export async function requireStored(ports: LogPorts, head: TreeHead): Promise<void> {
  const { clock, files, sinceStart } = ports;
  const isDue = isBucketDue(ports);
  if (head.size > 0) await requireEdge(files, head);
  if (!isDue) return;
  await compareOldTiles(ports, head);
  // Only now: a bucket that could not be read, or lacks something, is compared anew by the next run.
  sinceStart.comparedAt = clock.now();
}

async function requireEdge(files: LogPorts['files'], head: TreeHead): Promise<void> {
  const tiles = tilesIn(files);
  if (!isSameHash(await rootOfTiles(head.size, tiles), head.root))
    throw new DamagedLogError('The stored tiles are not those of the head of the log.');
  const index = Math.floor((head.size - 1) / TILE_WIDTH);
  const width = tileWidth(0, index, head.size);
  const [entries, hashes] = await Promise.all([
    entriesIn(files, index, head.size),
    tiles({ level: 0, index, width }),
  ]);
  const leaves = await Promise.all(entries.map(leafHash));
  if (!leaves.every((leaf, at) => hashes[at] !== undefined && isSameHash(leaf, hashes[at])))
    throw new DamagedLogError('The stored entries are not the leaves of the log.');
}
