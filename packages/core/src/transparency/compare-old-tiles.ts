import {
  type Hash,
  isSameHash,
  leafHash,
  rootOfHashes,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  type ReadTile,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tileWidth,
} from '@agent-marketplace/protocol/log/tiles.ts';
import type { TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { DamagedLogError, entriesIn, tilesIn } from './grow-tree.ts';
import type { LogPorts } from './log-ports.ts';

/** A million leaves are 3,906 full tiles: at so many a minute, each is read within 22 hours. */
const TILES_AT_ONCE = 3;

/**
 * Compares the next few full tiles of leaves, over and over from the first to the last, with the hashes that the object holds:
 * the entries, their hashes, and the place of each tile in those above it. Rejects with `DamagedLogError`, and looks at the same
 * ones again until they are back.
 */
export async function compareOldTiles(
  { files, tree }: Pick<LogPorts, 'files' | 'tree'>,
  { size }: Pick<TreeHead, 'size'>,
): Promise<void> {
  const count = Math.floor(size / TILE_WIDTH);
  if (count === 0) return;
  const first = (await tree.readComparedTiles()) % count;
  const end = Math.min(first + TILES_AT_ONCE, count);
  const readTile = readOnce(tilesIn(files));
  for (let index = first; index < end; index += 1) {
    const hashes = await readTile({ level: 0, index, width: TILE_WIDTH });
    const entries = await entriesIn(files, index, size);
    const known = await tree.readHashes(index * TILE_WIDTH, TILE_WIDTH);
    const [path, pathOfEntries] = ([0, 'entries'] as const).map((level) =>
      tilePath({ level, index, width: TILE_WIDTH }),
    );
    requireSame(hashes, known, `${path} is not what the log put there.`);
    const leaves = await Promise.all(entries.map(leafHash));
    requireSame(leaves, known, `${pathOfEntries} is not what the log put there.`);
    await requireAbove(readTile, { index, size }, hashes);
  }
  await tree.setComparedTiles(end);
}

/** That the tiles above a full one have its hash, up to the first that is not full: that is at the edge of the tree. */
async function requireAbove(
  readTile: ReadTile,
  { index, size }: { readonly index: number; readonly size: number },
  hashes: readonly Hash[],
): Promise<void> {
  let [below, hashesBelow]: [Tile, readonly Hash[]] = [{ level: 0, index, width: TILE_WIDTH }, hashes];
  for (let level = 1; below.width === TILE_WIDTH; level += 1) {
    const place = below.index % TILE_WIDTH;
    const at = Math.floor(below.index / TILE_WIDTH);
    const tile = { level, index: at, width: tileWidth(level, at, size) };
    const above = await readTile(tile);
    const fault = `${tilePath(below)} and ${tilePath(tile)} do not agree.`;
    requireSame(above.slice(place, place + 1), [await rootOfHashes(hashesBelow)], fault);
    [below, hashesBelow] = [tile, above];
  }
}

function requireSame(hashes: readonly Hash[], known: readonly Hash[], fault: string): void {
  const isSame =
    hashes.length === known.length &&
    hashes.every((hash, at) => isSameHash(hash, known[at] ?? new Uint8Array()));
  if (!isSame) throw new DamagedLogError(fault);
}

/** Tiles above are those of several. */
function readOnce(readTile: ReadTile): ReadTile {
  const tiles = new Map<string, ReturnType<ReadTile>>();
  return (tile) => {
    const path = tilePath(tile);
    const reading = tiles.get(path) ?? readTile(tile);
    tiles.set(path, reading);
    return reading;
  };
}
