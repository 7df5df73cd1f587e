import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import { formatCheckpoint, parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { formatLogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { formatLogSuccessor, SUCCESSOR_PATH } from '@agent-marketplace/protocol/log/log-successor.ts';
import {
  consistencyRanges,
  type Hash,
  inclusionRanges,
  leafHash,
  rootOfHashes,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  cosignNote,
  formatNote,
  formatNoteKey,
  type NoteSigner,
  noteSignerOf,
  parseNote,
  parseNoteKey,
  signNote,
} from '@agent-marketplace/protocol/log/note.ts';
import { encodeEntries, parseTilePath, TILE_WIDTH } from '@agent-marketplace/protocol/log/tiles.ts';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';

/** A log that says whatever a test wants: its whole content may be replaced at any time. */
export interface StubLog {
  readonly vkey: string;
  /** The leaves; change them as you like. */
  readonly entries: Uint8Array[];
  /** The newest checkpoint, as it was published last. */
  published: string;
  /** Says that it ended as it was published last, and what takes its place. */
  end(successorVkey: string): Promise<string>;
  /** Signs a checkpoint of the entries as they are (or the first `size` of them) and publishes it. */
  publish(options?: { size?: number; cosigners?: readonly NoteSigner[]; seconds?: number }): Promise<string>;
  consistency(oldSize: number, size?: number): Promise<Hash[]>;
  inclusion(index: number, checkpoint?: string): Promise<string>;
  /** Its HTTP surface, below the prefix `/log`. */
  readonly fetch: typeof globalThis.fetch;
}

export async function createNoteSigner(name: string, type: 1 | 4): Promise<NoteSigner> {
  return noteSignerOf((await createSigningParty()).signer, name, type);
}

export async function createStubLog(origin = 'market.example/api/log'): Promise<StubLog> {
  const signer = await createNoteSigner(origin, 1);
  const entries: Uint8Array[] = [];
  const hashes = () => Promise.all(entries.map(leafHash));
  const rootsOf = (leaves: readonly Hash[], ranges: readonly { start: number; end: number }[]) =>
    Promise.all(ranges.map(({ start, end }) => rootOfHashes(leaves.slice(start, end))));
  const sizeOf = (checkpoint: string) => Number(checkpoint.split('\n')[1]);

  let successor: string | null = null;

  const log: StubLog = {
    async end(successorVkey) {
      const last = parseCheckpoint(parseNote(log.published)?.text ?? '');
      const key = await parseNoteKey(successorVkey);
      if (last === null || key === null) throw new Error('It was never published, or that is no key.');
      successor = formatNote(await signNote(formatLogSuccessor({ last, key }), [signer]));
      return successor;
    },
    vkey: formatNoteKey(signer.key),
    entries,
    published: '',
    async publish({ size = entries.length, cosigners = [], seconds = 1_780_000_000 } = {}) {
      const root = await rootOfHashes((await hashes()).slice(0, size));
      const note = await signNote(formatCheckpoint({ origin, size, root }), [signer]);
      const cosigned = await Promise.all(cosigners.map((one) => cosignNote(note.text, one, seconds)));
      log.published = formatNote({ ...note, signatures: [...note.signatures, ...cosigned] });
      return log.published;
    },
    consistency: async (oldSize, size = entries.length) =>
      rootsOf((await hashes()).slice(0, size), consistencyRanges(oldSize, size)),
    async inclusion(index, checkpoint = log.published) {
      const size = sizeOf(checkpoint);
      const proof = await rootsOf((await hashes()).slice(0, size), inclusionRanges(index, size));
      return formatLogProof({ index, hashes: proof, checkpoint, extra: entries[index] ?? null });
    },
    async fetch(input) {
      const path = new URL(String(input)).pathname.replace(/^.*?\/log\//, '');
      const size = parseNote(log.published) === null ? 0 : sizeOf(log.published);
      if (path === 'checkpoint') return new Response(log.published);
      if (path === SUCCESSOR_PATH && successor !== null) return new Response(successor);
      if (path.startsWith('proofs/')) {
        const digest = path.slice('proofs/'.length);
        const index = entries.findIndex((entry) => new TextDecoder().decode(entry).includes(digest));
        return index < 0 || index >= size
          ? new Response('pending\n', { status: 404, headers: { 'retry-after': '5' } })
          : new Response(await log.inclusion(index));
      }
      const tile = parseTilePath(path);
      if (tile === null) return new Response('', { status: 404 });
      const span = tile.level === 'entries' ? 1 : TILE_WIDTH ** tile.level;
      const start = tile.index * TILE_WIDTH;
      if ((start + tile.width) * span > size) return new Response('', { status: 404 });
      if (tile.level === 'entries')
        return new Response(
          encodeEntries(entries.slice(start, start + tile.width)) as Uint8Array<ArrayBuffer>,
        );
      const leaves = await hashes();
      const row = Array.from({ length: tile.width }, (_, at) =>
        rootOfHashes(leaves.slice((start + at) * span, (start + at + 1) * span)),
      );
      return new Response(concatBytes(await Promise.all(row)) as Uint8Array<ArrayBuffer>);
    },
  };
  return log;
}

/** Leaves that say nothing. */
export const fillers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => utf8(`{"filler":${from + at}}`));
