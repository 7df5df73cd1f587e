import { parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import type { Hash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { parseNote } from '@agent-marketplace/protocol/log/note.ts';
import {
  consistencyProof,
  decodeEntries,
  hashesOfTile,
  inclusionProof,
  TILE_WIDTH,
  type Tile,
  tilePath,
} from '@agent-marketplace/protocol/log/tiles.ts';

const TIMEOUT_MS = 30_000;

/** The log did not answer, or with something else than asked for. `status` is null where there was no answer. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
  readonly status: number | null;

  constructor(path: string, status: number | null, fault: string) {
    super(`${path}: ${fault}`);
    this.status = status;
  }
}

/** Reads a log over HTTP (c2sp.org/tlog-tiles). Nothing that it gives was verified. */
export interface LogReader {
  /** The newest checkpoint: the text of a signed note. */
  checkpoint(): Promise<string>;
  /** The note by which a log that has ended names the one in its place; null: there is none. */
  successor(): Promise<string | null>;
  /** The proof of a statement's digest (`sha256:<hex>`); null: it is not in the log (yet). */
  proof(digest: string): Promise<string | null>;
  /** The leaves from `start` to before `size`, which is the size of a checkpoint. */
  entries(start: number, size: number): AsyncGenerator<Uint8Array, void>;
  /** RFC 6962 section 2.1.1, made of the tiles of a tree of `size`. */
  inclusionProof(index: number, size: number): Promise<Hash[]>;
  /** RFC 6962 section 2.1.2, made of the tiles of a tree of `size`. */
  consistencyProof(oldSize: number, size: number): Promise<Hash[]>;
}

export interface LogReaderOptions {
  /** The prefix of the log, which ends in `/log`. */
  readonly url: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** All methods reject with `LogUnavailableError`. */
export function createLogReader({ url, fetch = globalThis.fetch }: LogReaderOptions): LogReader {
  const prefix = url.replace(/\/+$/, '');

  async function ask(path: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${prefix}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch {
      throw new LogUnavailableError(path, null, 'no answer');
    }
    if (response.ok) return response;
    throw new LogUnavailableError(path, response.status, `answered with ${response.status}`);
  }

  async function askIfThere(path: string): Promise<string | null> {
    try {
      return await (await ask(path)).text();
    } catch (error) {
      if (error instanceof LogUnavailableError && error.status === 404) return null;
      throw error;
    }
  }

  /** A log may delete a partial tile once the full one is there, which then begins with it. */
  async function readTile<T>(tile: Tile, decode: (bytes: Uint8Array) => readonly T[] | null): Promise<T[]> {
    const isMissing = (error: unknown) => error instanceof LogUnavailableError && error.status === 404;
    const response = await ask(tilePath(tile)).catch((error: unknown) => {
      if (tile.width === TILE_WIDTH || !isMissing(error)) throw error;
      return ask(tilePath({ ...tile, width: TILE_WIDTH }));
    });
    const found = decode(new Uint8Array(await response.arrayBuffer()));
    if (found !== null && found.length >= tile.width) return found.slice(0, tile.width);
    throw new LogUnavailableError(tilePath(tile), response.status, 'is no tile of this width');
  }

  const readHashes = (tile: Tile) => readTile(tile, hashesOfTile);
  return {
    async checkpoint() {
      const text = await (await ask('checkpoint')).text();
      const note = parseNote(text);
      if (note !== null && parseCheckpoint(note.text) !== null) return text;
      throw new LogUnavailableError('checkpoint', 200, 'is no signed note of a log');
    },
    proof: (digest) => askIfThere(`proofs/${digest}`),
    successor: () => askIfThere('successor'),
    async *entries(start, size) {
      for (let at = start; at < size; ) {
        const index = Math.floor(at / TILE_WIDTH);
        const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
        const found = await readTile({ level: 'entries', index, width }, decodeEntries);
        yield* found.slice(at - index * TILE_WIDTH);
        at = index * TILE_WIDTH + width;
      }
    },
    inclusionProof: (index, size) => inclusionProof(index, size, readHashes),
    consistencyProof: (oldSize, size) => consistencyProof(oldSize, size, readHashes),
  };
}
