import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../crypto/encoding.ts';
import { TREE_ENTRIES, TREE_ROOTS } from '../testing/log-vectors.data.ts';
import {
  appendLeaf,
  consistencyRanges,
  EMPTY_FRONTIER,
  emptyRoot,
  type Hash,
  inclusionRanges,
  leafHash,
  nodeHash,
  rootOfFrontier,
  rootOfHashes,
  verifyConsistency,
  verifyInclusion,
} from './merkle-tree.ts';

const hex = (text: string) => fromHex(text) ?? new Uint8Array();

const INCLUSION: [index: number, size: number, proof: string[]][] = [
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
];

const leaves = () => Promise.all(TREE_ENTRIES.map((entry) => leafHash(hex(entry))));
/** Straight from the definition in RFC 6962 section 2.1: shares no code with the proofs. */
async function rootOf(hashes: readonly Hash[]): Promise<Hash> {
  if (hashes.length === 0) return emptyRoot();
  if (hashes.length === 1) return hashes[0] as Hash;
  const middle = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
  return nodeHash(await rootOf(hashes.slice(0, middle)), await rootOf(hashes.slice(middle)));
}
const hashesOf = (hashes: readonly Hash[], ranges: readonly { start: number; end: number }[]) =>
  Promise.all(ranges.map(({ start, end }) => rootOf(hashes.slice(start, end))));
const flipped = (hash: Hash, bit: number) =>
  hash.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte));

describe('the Merkle tree of RFC 6962', () => {
  it('has the roots and inclusion proofs of the reference tree', async () => {
    const hashes = await leaves();
    for (const [size, root] of TREE_ROOTS.entries())
      expect(toHex(await rootOfHashes(hashes.slice(0, size)))).toBe(root);
    for (const [index, size, proof] of INCLUSION) {
      const found = await hashesOf(hashes, inclusionRanges(index, size));
      expect(found.map(toHex)).toEqual(proof);
      const tree = { size, root: hex(TREE_ROOTS[size] ?? '') };
      expect(await verifyInclusion({ hash: hashes[index] as Hash, index }, tree, proof.map(hex))).toBe(true);
    }
  });

  it('has the same roots when it grows leaf by leaf', async () => {
    let frontier = EMPTY_FRONTIER;
    expect(toHex(await rootOfFrontier(frontier))).toBe(TREE_ROOTS[0]);
    for (const [index, leaf] of (await leaves()).entries()) {
      frontier = await appendLeaf(frontier, leaf);
      expect([frontier.size, toHex(await rootOfFrontier(frontier))]).toEqual([
        index + 1,
        TREE_ROOTS[index + 1],
      ]);
    }
  });

  it('has the consistency proofs of the reference tree', async () => {
    const hashes = await leaves();
    const found = await hashesOf(hashes, consistencyRanges(6, 8));
    expect(found.map(toHex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('proves every leaf and every earlier tree, and nothing else', async () => {
    const all = await Promise.all(Array.from({ length: 70 }, (_, at) => leafHash(Uint8Array.of(at))));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.nat(),
        fc.nat(),
        fc.nat(255),
        async (size, a, b, bit) => {
          const tree = { size, root: await rootOf(all.slice(0, size)) };
          const index = a % size;
          const leaf = { hash: all[index] as Hash, index };
          const proof = await hashesOf(all, inclusionRanges(index, size));
          expect(await verifyInclusion(leaf, tree, proof)).toBe(true);
          expect(await verifyInclusion({ ...leaf, hash: flipped(leaf.hash, bit) }, tree, proof)).toBe(false);
          expect(await verifyInclusion(leaf, tree, [...proof, leaf.hash])).toBe(false);
          expect(await verifyInclusion({ ...leaf, index: (index + 1) % (size + 1) }, tree, proof)).toBe(
            false,
          );
          const oldSize = b % (size + 1);
          const old = { size: oldSize, root: await rootOf(all.slice(0, oldSize)) };
          const path = await hashesOf(all, consistencyRanges(oldSize, size));
          expect(await verifyConsistency(old, tree, path)).toBe(true);
          const other = { ...old, root: flipped(old.root, bit) };
          expect(await verifyConsistency(other, tree, path)).toBe(false);
          expect(await verifyConsistency(old, { ...tree, root: flipped(tree.root, bit) }, path)).toBe(
            oldSize === 0,
          );
          expect(await verifyConsistency(old, tree, [...path, old.root])).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });
});
