import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import { type Hash, leafHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  decodeEntries,
  encodeEntries,
  growTiles,
  hashesOfTile,
  parseTilePath,
  type ReadTile,
  rootOfTiles,
  TILE_WIDTH,
  tilePath,
  tilesOfGrowth,
  tileWidth,
} from '@agent-marketplace/protocol/log/tiles.ts';
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts';
import type { LogFiles, TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import type { LogPorts } from './log-ports.ts';

/** A Worker has six connections open at once. */
const WRITES_AT_ONCE = 5;

/** A head that leaves lead to, and the tiles that they change, by path. */
export interface GrownTree {
  readonly head: TreeHead;
  readonly tiles: ReadonlyMap<string, Uint8Array>;
}

/** The bucket does not hold what the log put there. Nothing else than putting it back helps. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/** Tiles as they are stored. Rejects where one is missing or cut. */
export function tilesIn(files: Pick<LogFiles, 'read'>): ReadTile {
  return async (tile) => {
    const path = tilePath(tile);
    const hashes = hashesOfTile(await readTile(files, path));
    if (hashes?.length !== tile.width) throw new DamagedLogError(`${path} is damaged.`);
    return hashes;
  };
}

async function readTile(files: Pick<LogFiles, 'read'>, path: string): Promise<Uint8Array> {
  const bytes = await files.read(path);
  if (bytes === null) throw new DamagedLogError(`${path} is missing.`);
  return bytes;
}

/** What the tree of the first `size` leaves becomes with these entries after them. */
export async function growTree(
  files: Pick<LogFiles, 'read'>,
  size: number,
  entries: readonly Uint8Array[],
): Promise<GrownTree> {
  const stored = tilesIn(files);
  const leaves = await Promise.all(entries.map(leafHash));
  const grown = await growTiles(size, leaves, stored);
  const newSize = size + entries.length;
  const read: ReadTile = async (tile) => grown.get(tilePath(tile)) ?? stored(tile);
  const tiles = new Map<string, Uint8Array>();
  for (const [path, hashes] of grown) tiles.set(path, concatBytes(hashes as Hash[]));
  for (const tile of tilesOfGrowth(size, newSize)) {
    if (tile.level !== 'entries') continue;
    const start = tile.index * TILE_WIDTH;
    const before = size > start ? await entriesIn(files, tile.index, size) : [];
    const added = entries.slice(Math.max(0, start - size), start + tile.width - size);
    tiles.set(tilePath(tile), encodeEntries([...before, ...added]));
  }
  return { head: { size: newSize, root: await rootOfTiles(newSize, read) }, tiles };
}

export async function writeTiles(
  { tree, files }: Pick<LogPorts, 'tree' | 'files'>,
  { head, tiles }: GrownTree,
): Promise<void> {
  await forEachConcurrently([...tiles], WRITES_AT_ONCE, ([path, bytes]) => files.write(path, bytes));
  await tree.setWritten(head.size);
}

/** The entries of a bundle, as many as a tree of `size` has there. */
export async function entriesIn(
  files: Pick<LogFiles, 'read'>,
  index: number,
  size: number,
): Promise<Uint8Array[]> {
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  const path = tilePath({ level: 'entries', index, width });
  const entries = decodeEntries(await readTile(files, path));
  if (entries?.length !== width) throw new DamagedLogError(`${path} is damaged.`);
  return entries;
}

/** Tiles of any smaller tree, out of those of a tree of `size`: narrower ones may have been deleted since. */
export function filesOfTree(files: Pick<LogFiles, 'read'>, size: number): Pick<LogFiles, 'read'> {
  return {
    async read(path) {
      const tile = parseTilePath(path);
      if (tile === null) return null;
      const width = tileWidth(tile.level, tile.index, size);
      const bytes = await files.read(tilePath({ ...tile, width }));
      if (bytes === null || tile.level !== 'entries') return bytes?.slice(0, tile.width * 32) ?? null;
      const entries = decodeEntries(bytes);
      return entries && encodeEntries(entries.slice(0, tile.width));
    },
  };
}
