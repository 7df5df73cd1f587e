import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex, utf8 } from '../crypto/encoding.ts';
import { type Hash, leafHash, rootOfHashes, verifyConsistency, verifyInclusion } from './merkle-tree.ts';
import {
  consistencyProof,
  decodeEntries,
  encodeEntries,
  growTiles,
  hashesOfTile,
  inclusionProof,
  parseTilePath,
  type ReadTile,
  rootOfTiles,
  TILE_WIDTH,
  tilePath,
  tilesOfGrowth,
} from './tiles.ts';

describe('tiles', () => {
  it('are where c2sp.org/tlog-tiles says', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
    expect(tilePath({ level: 'entries', index: 0, width: 1 })).toBe('tile/entries/000.p/1');
    // Its example: a tree of 70,000 has these tiles.
    const tiles = tilesOfGrowth(0, 70_000).filter(({ level }) => level !== 'entries');
    expect(tiles).toHaveLength(273 + 1 + 1 + 1 + 1);
    expect(tiles.filter(({ width }) => width < 256)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect(tilesOfGrowth(255, 256).map(tilePath)).toEqual([
      'tile/entries/000',
      'tile/0/000',
      'tile/1/000.p/1',
    ]);
  });

  it.each([
    'tile/0/67',
    'tile/0/x001',
    'tile/00/001',
    'tile/0/001.p/256',
    'tile/0/001.p/0',
    'tile/64/001',
    'tile/0/x000/001',
    'tile/0/../1',
  ])('are nowhere else: %s', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  it('have one path each', () => {
    fc.assert(
      fc.property(fc.nat(63), fc.maxSafeNat(), fc.integer({ min: 1, max: 256 }), (level, index, width) => {
        expect(parseTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
      }),
    );
  });

  it('carry entries behind their length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (entries) => {
        const bytes = encodeEntries(entries);
        expect(decodeEntries(bytes)?.map(toHex)).toEqual(entries.map(toHex));
        expect(decodeEntries(Uint8Array.of(...bytes, 0))).toBeNull();
      }),
    );
    expect(toHex(encodeEntries([utf8('ab')]))).toBe('00026162');
  });

  it('grow to the same tree whatever the steps, and prove every leaf and earlier tree of it', async () => {
    const leaves = await Promise.all(Array.from({ length: 1100 }, (_, at) => leafHash(utf8(`leaf ${at}`))));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 }),
        async (steps) => {
          const stored = new Map<string, readonly Hash[]>();
          const readTile: ReadTile = async (tile) => {
            const found = stored.get(tilePath(tile));
            if (found === undefined) throw new Error(`no ${tilePath(tile)}`);
            return found;
          };
          let size = 0;
          let old = { size, root: await rootOfHashes([]) };
          for (const step of steps) {
            const next = Math.min(size + step, leaves.length);
            const grown = await growTiles(size, leaves.slice(size, next), readTile);
            const expected = tilesOfGrowth(size, next).filter(({ level }) => level !== 'entries');
            expect([...grown.keys()].sort()).toEqual(expected.map(tilePath).sort());
            for (const [path, hashes] of grown) stored.set(path, hashes);
            size = next;
            const root = await rootOfTiles(size, readTile);
            expect(toHex(root)).toBe(toHex(await rootOfHashes(leaves.slice(0, size))));
            const index = (step * 7919) % size;
            const proof = await inclusionProof(index, size, readTile);
            expect(await verifyInclusion({ hash: leaves[index] as Hash, index }, { size, root }, proof)).toBe(
              true,
            );
            const path = await consistencyProof(old.size, size, readTile);
            expect(await verifyConsistency(old, { size, root }, path)).toBe(true);
            old = { size, root };
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('hold whole hashes', () => {
    expect(hashesOfTile(new Uint8Array(64))).toHaveLength(2);
    expect(hashesOfTile(new Uint8Array(33))).toBeNull();
    expect(TILE_WIDTH).toBe(256);
  });
});
