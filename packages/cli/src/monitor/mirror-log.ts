import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import { parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { type Hash, isSameHash, leafHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { parseNote } from '@agent-marketplace/protocol/log/note.ts';
import {
  decodeEntries,
  encodeEntries,
  growTiles,
  hashesOfTile,
  rootOfTiles,
  TILE_WIDTH,
  tilePath,
} from '@agent-marketplace/protocol/log/tiles.ts';
import type { LogReader } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import { readEntries } from '../frame/read-log.ts';

/** Entries that are read before their tiles are written: a whole number of tiles. */
const BATCH = 16 * TILE_WIDTH;

/**
 * Brings a copy of a log up to a checkpoint that was found to be good. Its files are those that the log serves, under the same
 * paths: any web server serves them, and an operator whose own were lost puts them back. The tiles are made of the entries,
 * so that a wrong hash tile of the log is not copied.
 */
export async function mirrorLog(
  reader: Pick<LogReader, 'entries'>,
  folder: string,
  { text, size, root }: { readonly text: string; readonly size: number; readonly root: Uint8Array },
): Promise<void> {
  const readHashes = async (path: string): Promise<Hash[]> => {
    const hashes = hashesOfTile(await readFile(join(folder, path)));
    if (hashes === null) throw new CliFailure('config', `${join(folder, path)} is damaged.`);
    return hashes;
  };
  const readTile = (tile: Parameters<typeof tilePath>[0]) => readHashes(tilePath(tile));
  for (let start = await mirroredSize(folder); start < size; ) {
    const end = Math.min(size, (Math.floor(start / TILE_WIDTH) + BATCH / TILE_WIDTH) * TILE_WIDTH);
    const entries = await readEntries(reader, start, end);
    const tiles = await growTiles(start, await Promise.all(entries.map(leafHash)), readTile);
    for (const [path, hashes] of tiles) await writeWhole(join(folder, path), concatBytes([...hashes]));
    await writeBundles(folder, start, entries);
    start = end;
  }
  if (size > 0 && !isSameHash(await rootOfTiles(size, readTile), root))
    throw new CliFailure(
      'config',
      `The copy in ${folder} is not that of the log: begin it anew in another folder.`,
    );
  // Last: what it names is there.
  await writeWhole(join(folder, 'checkpoint'), text);
}

async function writeBundles(folder: string, start: number, entries: readonly Uint8Array[]): Promise<void> {
  const first = Math.floor(start / TILE_WIDTH);
  const width = start - first * TILE_WIDTH;
  const path = tilePath({ level: 'entries', index: first, width });
  const before = width === 0 ? [] : decodeEntries(await readFile(join(folder, path)));
  if (before === null) throw new CliFailure('config', `${join(folder, path)} is damaged.`);
  const all = [...before, ...entries];
  for (let at = 0; at < all.length; at += TILE_WIDTH) {
    const bundle = all.slice(at, at + TILE_WIDTH);
    const tile = { level: 'entries', index: first + at / TILE_WIDTH, width: bundle.length } as const;
    await writeWhole(join(folder, tilePath(tile)), encodeEntries(bundle));
  }
}

async function mirroredSize(folder: string): Promise<number> {
  const text = await readFile(join(folder, 'checkpoint'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CliFailure('config', `The copy in ${folder} cannot be read (${error.code}).`);
  });
  if (text === null) return 0;
  const checkpoint = parseCheckpoint(parseNote(text)?.text ?? '');
  if (checkpoint === null) throw new CliFailure('config', `${join(folder, 'checkpoint')} is no checkpoint.`);
  return checkpoint.size;
}

/** A program that is killed while it writes leaves no half of a file under its name. */
async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}
