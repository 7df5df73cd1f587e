import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import { formatCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import {
  type Hash,
  leafHash,
  rootOfHashes,
  verifyInclusion,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { formatNote } from '@agent-marketplace/protocol/log/note.ts';
import {
  encodeEntries,
  parseTilePath,
  rootOfTiles,
  TILE_WIDTH,
} from '@agent-marketplace/protocol/log/tiles.ts';
import { expect, it } from 'vitest';
import { tilesIn } from './grow-tree.ts';
import { proveInclusion } from './prove-inclusion.ts';

const ORIGIN = 'market.test/api/log';
const ENTRY = utf8('{"digest":"…"}');

/** A log of so many leaves that are all alike: its tiles are made as they are read. */
async function logOf(size: number) {
  const ofLevel: Hash[] = [await leafHash(ENTRY)];
  for (let level = 0; TILE_WIDTH ** (level + 1) <= size; level += 1)
    ofLevel.push(await rootOfHashes(Array(TILE_WIDTH).fill(ofLevel[level])));
  const reads = { tiles: 0 };
  const read = async (path: string) => {
    const tile = parseTilePath(path);
    if (tile === null) throw new Error(path);
    const items = Array(tile.width).fill(tile.level === 'entries' ? ENTRY : ofLevel[tile.level]);
    reads.tiles += 1;
    return tile.level === 'entries' ? encodeEntries(items) : concatBytes(items);
  };
  const root = await rootOfTiles(size, tilesIn({ read }));
  const text = formatNote({
    text: formatCheckpoint({ origin: ORIGIN, size, root }),
    signatures: [{ name: ORIGIN, keyId: '00000000', signature: new Uint8Array(64) }],
  });
  const files = { read, readCheckpoint: async () => ({ text, version: 'v' }) };
  return { root, reads, files };
}

/** What the most expensive of some proofs reads and holds. */
async function costAt(size: number) {
  const { root, reads, files } = await logOf(size);
  const cost = { tiles: 0, hashes: 0 };
  for (const index of [0, Math.floor(size / 3), Math.floor(size / 2), size - 1]) {
    reads.tiles = 0;
    const proof = await proveInclusion(
      { tree: { find: async () => index }, files, origin: ORIGIN },
      'sha256:…',
    );
    if (proof === null) throw new Error('There is no proof.');
    const leaf = { hash: await leafHash(proof.extra ?? new Uint8Array()), index };
    expect(await verifyInclusion(leaf, { size, root }, proof.hashes), `${index} of ${size}`).toBe(true);
    cost.tiles = Math.max(cost.tiles, reads.tiles);
    cost.hashes = Math.max(cost.hashes, proof.hashes.length);
  }
  return cost;
}

it('a proof grows with the logarithm of the log: docs/performance.md has the figures', async () => {
  const costs = await Promise.all([1e3, 1e6, 1e9].map(costAt));
  expect(costs).toEqual([
    { tiles: 4, hashes: 10 },
    { tiles: 6, hashes: 20 },
    { tiles: 7, hashes: 30 },
  ]);
});

it('there is no proof of what is not published yet', async () => {
  const { files } = await logOf(10);
  const prove = (index: number | null) =>
    proveInclusion({ tree: { find: async () => index }, files, origin: ORIGIN }, 'sha256:…');
  expect([await prove(null), await prove(10), (await prove(9))?.index]).toEqual([null, null, 9]);
  expect(
    await proveInclusion(
      { tree: { find: async () => 1 }, files, origin: 'another.test/api/log' },
      'sha256:…',
    ),
  ).toBeNull();
});
