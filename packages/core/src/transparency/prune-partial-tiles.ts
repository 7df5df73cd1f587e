import { TILE_WIDTH, tilePath, tilesOfGrowth } from '@agent-marketplace/protocol/log/tiles.ts';
import type { LogFiles } from '../kernel/ports/transparency/transparency-log.ts';
import { DAY_MS } from '../kernel/time.ts';
import type { LogPorts } from './log-ports.ts';

/** Whoever read a checkpoint has so long to read the partial tiles that it leads to. */
const KEPT_MS = DAY_MS;
/** Two listings for each: a run stays far below the calls that a Worker may make. */
const MAX_TILES = 64;

/**
 * Deletes partial tiles that a full one has replaced for a day (c2sp.org/tlog-tiles allows it). A reader's checkpoint of the
 * last day has all of its tiles: it is no smaller than the size that is pruned, so its partial tiles are not full there.
 * It may be cut off anywhere, and any number may run at once. Rejects where something cannot be reached.
 */
export async function prunePartialTiles({
  clock,
  files,
  tree,
}: Pick<LogPorts, 'clock' | 'files' | 'tree'>): Promise<void> {
  const { prunedSize, markedSize, markedAt } = await tree.readPruning();
  if (prunedSize < markedSize) {
    if (clock.now() - markedAt < KEPT_MS) return;
    const end = Math.min(markedSize, prunedSize + MAX_TILES * TILE_WIDTH);
    for (const tile of tilesOfGrowth(prunedSize, end))
      if (tile.width === TILE_WIDTH) await deletePartial(files, tilePath(tile));
    return tree.setPruning({ prunedSize: end, markedSize, markedAt });
  }
  const { head, publishedBy } = await tree.read();
  if (publishedBy !== null && head.size > markedSize)
    await tree.setPruning({ prunedSize, markedSize: head.size, markedAt: clock.now() });
}

async function deletePartial(files: LogFiles, fullPath: string): Promise<void> {
  const paths = await files.list(fullPath);
  // Were it missing, its partial tiles would be all that is left of it.
  if (!paths.includes(fullPath)) throw new Error(`${fullPath} is missing: its partial tiles are kept.`);
  const partial = paths.filter((path) => path.startsWith(`${fullPath}.p/`));
  if (partial.length > 0) await files.delete(partial);
}
