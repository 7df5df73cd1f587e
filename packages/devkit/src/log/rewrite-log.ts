import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import { formatCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { type Hash, leafHash, rootOfHashes } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { formatNote, type NoteSigner, signNote } from '@agent-marketplace/protocol/log/note.ts';
import {
  encodeEntries,
  growTiles,
  TILE_WIDTH,
  tilePath,
  tilesOfGrowth,
} from '@agent-marketplace/protocol/log/tiles.ts';
import type { Miniflare } from 'miniflare';
import { LOG_WORKER } from '../marketplace.ts';

const BUCKET = 'LOG';

/** The copy of an operator who changed it. */
export interface RewrittenLog {
  /** What the operator signed: the text of a note without cosignatures. */
  readonly checkpoint: string;
  /** Puts back what was there before. */
  restore(): Promise<void>;
}

/**
 * What a dishonest operator would do, who has the key and the storage of the log: other entries in place of those that are
 * there, every hash computed anew, and a signed checkpoint.
 */
export async function rewriteLog(
  miniflare: Miniflare,
  signer: NoteSigner,
  entries: readonly Uint8Array[],
): Promise<RewrittenLog> {
  const bucket = await miniflare.getR2Bucket(BUCKET, LOG_WORKER);
  const size = entries.length;
  const leaves = await Promise.all(entries.map(leafHash));
  const files = new Map<string, Uint8Array>();
  const noOlderTile = async (): Promise<never> => {
    throw new Error('A tree that grows from nothing has no older tiles.');
  };
  for (const [path, hashes] of await growTiles(0, leaves, noOlderTile))
    files.set(path, concatBytes(hashes as Hash[]));
  for (const tile of tilesOfGrowth(0, size)) {
    if (tile.level !== 'entries') continue;
    const start = tile.index * TILE_WIDTH;
    files.set(tilePath(tile), encodeEntries(entries.slice(start, start + tile.width)));
  }
  const root = await rootOfHashes(leaves);
  const note = await signNote(formatCheckpoint({ origin: signer.key.name, size, root }), [signer]);
  const checkpoint = formatNote(note);
  files.set('checkpoint', new TextEncoder().encode(checkpoint));
  const before = new Map<string, ArrayBuffer>();
  for (const [path, bytes] of files) {
    const stored = await bucket.get(path);
    if (stored !== null) before.set(path, await stored.arrayBuffer());
    await bucket.put(path, bytes as Uint8Array<ArrayBuffer>);
  }
  return {
    checkpoint,
    async restore() {
      for (const [path, bytes] of before) await bucket.put(path, bytes);
    },
  };
}
