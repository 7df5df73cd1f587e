import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import { formatLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { type Hash, leafHash, rootOfHashes } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  encodeEntries,
  parseTilePath,
  TILE_WIDTH,
  type Tile,
} from '@agent-marketplace/protocol/log/tiles.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../db/create-database.ts';
import { MINUTE_MS } from '../kernel/time.ts';
import { createMemoryLog } from '../testing/doubles/memory-log.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { compareOldTiles } from './compare-old-tiles.ts';
import { growTree, writeTiles } from './grow-tree.ts';
import { sequenceStatements } from './index.ts';

// Nobody reads an old tile for a long time: what was changed in one is noticed by the log itself.

const market = createDatabase(testBindings.DB);
const stoppedAt = async () =>
  (await market.first<{ stopped_at: string | null }>({ sql: 'SELECT stopped_at FROM log_state', params: [] }))
    ?.stopped_at ?? null;

async function newLog(size: number) {
  const log = await createMemoryLog(market);
  const { files, tree } = log.ports;
  for (let start = 0; start < size; start += 1024) {
    const count = Math.min(1024, size - start);
    const leaves = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const digest = await sha256Digest(`statement ${start + at}`);
        const signedAt = '2026-06-01T12:00:00.000Z';
        const entry = formatLogEntry({ type: 'purchase_receipt', digest, keyId: 'key-1', signedAt });
        return { entry, digest, hash: await leafHash(entry) };
      }),
    );
    const { head } = await tree.read();
    const grown = await growTree(
      files,
      start,
      leaves.map(({ entry }) => entry),
    );
    await tree.append(head, grown.head, leaves);
    await writeTiles(log.ports, grown);
  }
  await sequenceStatements(log.ports);
  return log;
}
type Log = Awaited<ReturnType<typeof newLog>>;

/** In the tiles of a path, the byte in the middle. */
function flip({ files }: Log, path: string): () => void {
  const before = files.tiles.get(path);
  if (before === undefined) throw new Error(`There is no ${path}.`);
  const bytes = concatBytes([before]);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  files.tiles.set(path, bytes);
  return () => files.tiles.set(path, before);
}

/** How many minutes pass until the log stands still; null: it did not. */
async function minutesUntilStopped(log: Log, most: number): Promise<number | null> {
  for (let minute = 1; minute <= most; minute += 1) {
    log.clock.advance(MINUTE_MS);
    await sequenceStatements(log.ports).catch(() => {});
    if ((await stoppedAt()) !== null) return minute;
  }
  return null;
}

beforeEach(() => market.commit([{ sql: 'UPDATE log_state SET stopped_at = NULL', params: [] }]));

describe('a full tile that nobody reads', () => {
  let log: Log;
  beforeAll(async () => {
    log = await newLog(256 * 10 + 7);
  });

  it.each(['tile/0/000', 'tile/0/005', 'tile/0/009', 'tile/entries/000', 'tile/entries/007'])(
    'is compared within the round: %s was changed',
    async (path) => {
      const restore = flip(log, path);
      expect(await minutesUntilStopped(log, 4)).not.toBeNull();
      expect(await stoppedAt()).not.toBeNull();
      await expect(sequenceStatements(log.ports)).rejects.toThrow(path);
      restore();
      await sequenceStatements(log.ports);
      expect(await stoppedAt()).toBeNull();
      expect(await minutesUntilStopped(log, 8)).toBeNull();
    },
  );

  it('is noticed where it is missing', async () => {
    const before = log.files.tiles.get('tile/0/003') as Uint8Array;
    log.files.tiles.delete('tile/0/003');
    expect(await minutesUntilStopped(log, 4)).not.toBeNull();
    log.files.tiles.set('tile/0/003', before);
    await sequenceStatements(log.ports);
  });

  it('is one of three each minute, each in its turn, whatever starts anew meanwhile', async () => {
    const read: string[] = [];
    const files = Object.assign(Object.create(log.files), {
      readCheckpoint: () => log.files.readCheckpoint(),
      read: (path: string) => {
        if (/^tile\/0\/\d{3}$/.test(path)) read.push(path);
        return log.files.read(path);
      },
    });
    for (let minute = 0; minute < 8; minute += 1) {
      log.clock.advance(MINUTE_MS);
      const before = read.length;
      await sequenceStatements({ ...log.ports, files });
      log.clock.advance(5000);
      await sequenceStatements({ ...log.ports, files });
      expect(read.length - before).toBeLessThanOrEqual(3);
    }
    for (let index = 0; index < 10; index += 1)
      expect(read.filter((path) => path === `tile/0/00${index}`).length).toBeGreaterThanOrEqual(2);
  });

  it('is none of a log that has no full tile', async () => {
    const small = await newLog(200);
    expect(await minutesUntilStopped(small, 3)).toBeNull();
  });
});

describe('a full tile of tiles', () => {
  const SIZE = 65_536 * 2 + 300;
  /** All leaves are alike, and so are the tiles of a level: none has to be stored. */
  async function newUniformLog(size = SIZE) {
    const { ports } = await createMemoryLog(market);
    const entry = utf8('{}');
    const row = (hash: Hash) => Array.from({ length: TILE_WIDTH }, () => hash);
    const hashes = [await leafHash(entry)];
    for (let level = 1; level < 3; level += 1)
      hashes.push(await rootOfHashes(row(hashes[level - 1] as Hash)));
    const changed = new Set<string>();
    const reads: string[] = [];
    const files = Object.assign(Object.create(ports.files), {
      async read(path: string) {
        reads.push(path);
        const tile = parseTilePath(path) as Tile;
        if (tile.level === 'entries') return encodeEntries(row(entry).slice(0, tile.width));
        const bytes = concatBytes(row(hashes[tile.level] as Hash).slice(0, tile.width));
        if (changed.has(path)) bytes[32] = (bytes[32] ?? 0) ^ 1;
        return bytes;
      },
    });
    const tree = Object.assign(Object.create(ports.tree), {
      readHashes: async () => row(hashes[0] as Hash),
    });
    const compareFrom = async (index: number) => {
      await ports.tree.setComparedTiles(index);
      await compareOldTiles({ files, tree }, { size });
      return ports.tree.readComparedTiles();
    };
    return { changed, compareFrom, reads };
  }

  it.each([
    ['tile/1/000', 0],
    ['tile/1/001', 256],
    ['tile/2/000.p/2', 256],
  ])('is compared with those below it: %s', async (path, index) => {
    const { changed, compareFrom } = await newUniformLog();
    expect(await compareFrom(index)).toBe(index + 3);
    changed.add(path);
    await expect(compareFrom(index)).rejects.toThrow(path);
  });

  it('costs nine files a minute at most with a million leaves, and all within 22 hours', async () => {
    const { compareFrom, reads } = await newUniformLog(1_000_000);
    const next = await compareFrom(254);
    expect([next, reads.length]).toEqual([257, 9]);
    expect(Math.ceil(Math.floor(1_000_000 / TILE_WIDTH) / (next - 254)) / 60).toBeLessThan(22);
  });
});
