import { concatBytes } from '../json/raw-json.ts';
import {
  consistencyRanges,
  type Hash,
  hashOfRange,
  inclusionRanges,
  type ReadNode,
  rootOfHashes,
} from './merkle-tree.ts';

/** Hashes side by side in a full tile, and entries in a full bundle. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
const HASH_BYTES = 32;
const MAX_ENTRY_BYTES = 0xffff;

/** A tile of c2sp.org/tlog-tiles. `level` is `entries` for a bundle of the leaves themselves. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes or entries in it: 1 to 256; below 256 it is partial. */
  readonly width: number;
}

/** Where a tile is, after the log's prefix: `tile/0/x001/234.p/56`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0');
  const groups = digits.match(/\d{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile that a path names, or null: one tile has one path. */
export function parseTilePath(path: string): Tile | null {
  const [, level = '', place = '', partial] = PATH.exec(path) ?? [];
  if (place === '') return null;
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const index = Number(place.replaceAll(/[x/]/g, ''));
  const tile: Tile = { level: level === 'entries' ? level : Number(level), index, width };
  if (!Number.isSafeInteger(index) || (tile.level !== 'entries' && tile.level > 63)) return null;
  return tilePath(tile) === path ? tile : null;
}

/** How many hashes (or entries) a tree of `size` has in this tile: 0 to 256. */
export function tileWidth(level: Tile['level'], index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** The tiles of a tree of `size` that one of `oldSize` lacks or has narrower, lowest level first. */
export function tilesOfGrowth(oldSize: number, size: number): Tile[] {
  const tiles: Tile[] = [];
  const add = (level: Tile['level']) => {
    const step = TILE_WIDTH ** (level === 'entries' ? 1 : level + 1);
    for (let index = Math.floor(oldSize / step); index * step < size; index++) {
      const width = tileWidth(level, index, size);
      if (width > tileWidth(level, index, oldSize)) tiles.push({ level, index, width });
    }
  };
  add('entries');
  for (let level = 0; size >= TILE_WIDTH ** level; level++) add(level);
  return tiles;
}

/** A tile's bytes are its hashes, one after the other. Null: they are no hashes. */
export function hashesOfTile(bytes: Uint8Array): Hash[] | null {
  if (bytes.length % HASH_BYTES !== 0) return null;
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** A bundle of entries: each behind its length in two bytes, the higher first. */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new RangeError('an entry has at most 65535 bytes');
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** Null: the bytes are no bundle. */
export function decodeEntries(bytes: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [high, low] = bytes.subarray(at, at + 2);
    if (high === undefined || low === undefined) return null;
    const end = at + 2 + high * 256 + low;
    if (end > bytes.length) return null;
    entries.push(bytes.slice(at + 2, end));
    at = end;
  }
  return entries;
}

/** The hashes of a tile, as many as the tree of the given size has there. Rejects where it cannot be had. */
export type ReadTile = (tile: Tile & { readonly level: number }) => Promise<readonly Hash[]>;

/** Reads the nodes of a tree of `size` out of its tiles; each tile is read once. */
function nodesOfTiles(size: number, readTile: ReadTile): ReadNode {
  const tiles = new Map<string, Promise<readonly Hash[]>>();
  return async (height, index) => {
    const level = Math.floor(height / TILE_HEIGHT);
    const span = 2 ** (height % TILE_HEIGHT);
    const tileIndex = Math.floor((index * span) / TILE_WIDTH);
    const key = `${level}/${tileIndex}`;
    const width = tileWidth(level, tileIndex, size);
    const tile = tiles.get(key) ?? readTile({ level, index: tileIndex, width });
    tiles.set(key, tile);
    const at = index * span - tileIndex * TILE_WIDTH;
    const hashes = (await tile).slice(at, at + span);
    if (hashes.length < span) throw new Error(`tile ${key} is shorter than the tree`);
    return rootOfHashes(hashes);
  };
}

/** The root of a tree of `size`, from its tiles. */
export const rootOfTiles = (size: number, readTile: ReadTile): Promise<Hash> =>
  hashOfRange({ start: 0, end: size }, nodesOfTiles(size, readTile));

/** RFC 6962 section 2.1.1, from the tiles of a tree of `size`. */
export function inclusionProof(index: number, size: number, readTile: ReadTile): Promise<Hash[]> {
  const readNode = nodesOfTiles(size, readTile);
  return Promise.all(inclusionRanges(index, size).map((range) => hashOfRange(range, readNode)));
}

/** RFC 6962 section 2.1.2, from the tiles of a tree of `size`. */
export function consistencyProof(oldSize: number, size: number, readTile: ReadTile): Promise<Hash[]> {
  const readNode = nodesOfTiles(size, readTile);
  return Promise.all(consistencyRanges(oldSize, size).map((range) => hashOfRange(range, readNode)));
}

/**
 * The hashes that each tile of a tree grows by, when these leaves follow `oldSize` others: the whole content of every tile of
 * `tilesOfGrowth`, by its path. `readTile` gives the tiles of the old tree.
 */
export async function growTiles(
  oldSize: number,
  leaves: readonly Hash[],
  readTile: ReadTile,
): Promise<Map<string, readonly Hash[]>> {
  const grown = new Map<string, readonly Hash[]>();
  let added = leaves;
  let before = oldSize;
  for (let level = 0; added.length > 0; level++) {
    const completed: Promise<Hash>[] = [];
    const first = Math.floor(before / TILE_WIDTH);
    const oldWidth = before - first * TILE_WIDTH;
    const old = oldWidth === 0 ? [] : await readTile({ level, index: first, width: oldWidth });
    const hashes = [...old.slice(0, oldWidth), ...added];
    for (let at = 0; at < hashes.length; at += TILE_WIDTH) {
      const tile = hashes.slice(at, at + TILE_WIDTH);
      const index = first + at / TILE_WIDTH;
      grown.set(tilePath({ level, index, width: tile.length }), tile);
      if (tile.length === TILE_WIDTH) completed.push(rootOfHashes(tile));
    }
    added = await Promise.all(completed);
    before = first;
  }
  return grown;
}
