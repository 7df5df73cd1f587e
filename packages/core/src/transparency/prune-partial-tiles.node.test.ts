import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { parseTilePath, rootOfTiles, TILE_WIDTH } from '@agent-marketplace/protocol/log/tiles.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../db/create-database.ts';
import { DAY_MS, HOUR_MS } from '../kernel/time.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '../testing/doubles/memory-log.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { entriesIn, tilesIn } from './grow-tree.ts';
import { prunePartialTiles, sequenceStatements } from './index.ts';
import { checkpointIn } from './publish-checkpoint.ts';

const market = createDatabase(testBindings.DB);
beforeEach(async () => {
  await testBindings.DB.prepare('DELETE FROM log_outbox').run();
});

let statements = 0;

async function newLog() {
  const { ports, files, clock } = await createMemoryLog(market);

  /** What the log's object does every few seconds. */
  async function run(): Promise<void> {
    await sequenceStatements(ports);
    await prunePartialTiles(ports);
  }

  async function grow(count: number): Promise<void> {
    const rows = await Promise.all(
      Array.from({ length: count }, async (_, at) => ({ digest: await sha256Digest(`${statements + at}`) })),
    );
    statements += count;
    await market.commit([
      {
        sql: `INSERT INTO log_outbox (type, digest, key_id, signed_at)
          SELECT 'purchase_receipt', value ->> 'digest', 'key-1', '2026-06-01T12:00:00.000Z' FROM json_each(?)`,
        params: [JSON.stringify(rows)],
      },
    ]);
    await run();
  }

  const published = () => {
    const found = checkpointIn(files.checkpoint ?? '', TEST_LOG_ORIGIN);
    if (found === null) throw new Error('Nothing is published.');
    return found.checkpoint;
  };

  /** A reader that knows no full tile in place of a partial one reads all that a checkpoint leads to. */
  async function reads({ size, root }: ReturnType<typeof published>): Promise<boolean> {
    for (let index = 0; index * TILE_WIDTH < size; index += 1) await entriesIn(files, index, size);
    return toHex(await rootOfTiles(size, tilesIn(files))) === toHex(root);
  }

  const partial = () =>
    [...files.tiles.keys()].filter((path) => (parseTilePath(path)?.width ?? 0) < TILE_WIDTH);
  return { ports, files, clock, run, grow, published, reads, partial };
}

describe('partial tiles that a full one has replaced', () => {
  it('are there for a day, and then no more', async () => {
    const { clock, run, grow, partial, files } = await newLog();
    await grow(255);
    await grow(1);
    const replaced = ['tile/0/000.p/255', 'tile/entries/000.p/255'];
    expect(partial().sort()).toEqual([...replaced, 'tile/1/000.p/1'].sort());
    clock.advance(DAY_MS - 1);
    await run();
    expect(partial()).toEqual(expect.arrayContaining(replaced));
    clock.advance(1);
    await run();
    // The first mark was of 255 leaves: the full tile is in the second.
    await run();
    clock.advance(DAY_MS);
    await run();
    expect(partial()).toEqual(['tile/1/000.p/1']);
    expect([...files.tiles.keys()].sort()).toEqual(['tile/0/000', 'tile/1/000.p/1', 'tile/entries/000']);
  });

  it('are there for whoever read a checkpoint in the last day, however the log grew', async () => {
    const { clock, run, grow, published, reads, partial } = await newLog();
    const shown: { at: number; checkpoint: ReturnType<typeof published> }[] = [];
    const growths = [3, 250, 0, 4, 700, 1, 0, 0, 255, 256, 257, 512, 0, 1, 300];
    let checks = 0;
    for (let step = 0; step < 40; step += 1) {
      clock.advance(5 * HOUR_MS);
      await grow(growths[step % growths.length] ?? 0);
      shown.push({ at: clock.now(), checkpoint: published() });
      clock.advance(HOUR_MS);
      await run();
      for (const { at, checkpoint } of shown.filter((one) => clock.now() - one.at <= DAY_MS)) {
        expect(await reads(checkpoint), `${checkpoint.size} leaves, read at ${at}`).toBe(true);
        checks += 1;
      }
    }
    expect(checks).toBeGreaterThan(150);
    // Of ten days, those of two are left at most; the tile of the level above is not full.
    expect(published().size).toBeGreaterThan(4000);
    expect(partial().filter((path) => !path.startsWith('tile/1/')).length).toBeLessThan(20);
    await expect(reads(shown[1]?.checkpoint ?? published())).rejects.toThrow('is missing');
  });

  it('stay where the full tile is missing', async () => {
    const { ports, clock, grow, files, partial } = await newLog();
    await grow(255);
    await grow(300);
    clock.advance(DAY_MS);
    await prunePartialTiles(ports);
    await prunePartialTiles(ports);
    const before = partial().length;
    const full = files.tiles.get('tile/0/000') as Uint8Array;
    files.tiles.delete('tile/0/000');
    clock.advance(DAY_MS);
    await expect(prunePartialTiles(ports)).rejects.toThrow('tile/0/000 is missing');
    expect(partial()).toContain('tile/0/000.p/255');
    files.tiles.set('tile/0/000', full);
    await prunePartialTiles(ports);
    expect(partial().length).toBeLessThan(before);
  });

  it('a run looks at so many tiles only, and the next goes on', async () => {
    const { ports, clock, grow, partial, published } = await newLog();
    for (let at = 0; at < 80; at += 1) await grow(255);
    const { size } = published();
    expect(Math.floor(size / TILE_WIDTH)).toBeGreaterThan(64);
    let last = -1;
    const left: number[] = [];
    // Two marks, as the first was taken when the log was small.
    for (let day = 0; day < 2; day += 1) {
      clock.advance(DAY_MS);
      for (last = -1; last !== partial().length; ) {
        last = partial().length;
        await prunePartialTiles(ports);
        left.push(partial().length);
      }
      await prunePartialTiles(ports);
    }
    expect(new Set(left).size).toBeGreaterThan(2);
    expect(partial().filter((path) => !path.startsWith('tile/1/'))).toHaveLength(2);
  });
});
