import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { formatLogEntry, type LogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { parseLogPolicy, verifyCheckpoint } from '@agent-marketplace/protocol/log/log-policy.ts';
import {
  emptyRoot,
  leafHash,
  verifyConsistency,
  verifyInclusion,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { formatNoteKey, parseNote } from '@agent-marketplace/protocol/log/note.ts';
import { consistencyProof, encodeEntries } from '@agent-marketplace/protocol/log/tiles.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../db/create-database.ts';
import type { Witness } from '../kernel/ports/transparency/transparency-log.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '../testing/doubles/memory-log.ts';
import { newMemoryWitness } from '../testing/doubles/memory-witness.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { tilesIn } from './grow-tree.ts';
import { newSinceStart, proveInclusion, sequenceStatements } from './index.ts';
import { checkpointIn } from './publish-checkpoint.ts';

const market = createDatabase(testBindings.DB);
beforeEach(async () => {
  await testBindings.DB.prepare('DELETE FROM log_outbox').run();
  await testBindings.DB.prepare('UPDATE log_state SET stopped_at = NULL').run();
});

const SIGNED_AT = '2026-06-01T12:00:00.000Z';
let statements = 0;

async function newEntries(count: number): Promise<LogEntry[]> {
  const first = statements;
  statements += count;
  return Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      type: 'purchase_receipt',
      digest: await sha256Digest(`statement ${first + at}`),
      keyId: 'key-1',
      signedAt: SIGNED_AT,
    })),
  );
}

async function store(entries: readonly LogEntry[]): Promise<void> {
  await market.commit([
    {
      sql: `INSERT INTO log_outbox (type, digest, key_id, signed_at)
        SELECT value ->> 'type', value ->> 'digest', value ->> 'keyId', value ->> 'signedAt' FROM json_each(?)`,
      params: [JSON.stringify(entries)],
    },
  ]);
}

const waiting = async () =>
  (await market.first<{ count: number }>({ sql: 'SELECT COUNT(*) AS count FROM log_outbox', params: [] }))
    ?.count;

/** What operators are told by. */
const stoppedAt = async () =>
  (await market.first<{ stopped_at: string | null }>({ sql: 'SELECT stopped_at FROM log_state', params: [] }))
    ?.stopped_at ?? null;

type MemoryLog = Awaited<ReturnType<typeof createMemoryLog>>;

const published = ({ files }: MemoryLog) => {
  const found = checkpointIn(files.checkpoint ?? '', TEST_LOG_ORIGIN);
  if (found === null) throw new Error('Nothing is published.');
  return found;
};

async function provenOf({ ports, files }: MemoryLog, entry: LogEntry): Promise<boolean> {
  const proof = await proveInclusion({ tree: ports.tree, files, origin: TEST_LOG_ORIGIN }, entry.digest);
  if (proof === null) return false;
  const checkpoint = checkpointIn(proof.checkpoint, TEST_LOG_ORIGIN)?.checkpoint;
  const hash = await leafHash(formatLogEntry(entry));
  expect(proof.extra && parseLogEntry(proof.extra)).toEqual(entry);
  return checkpoint !== undefined && verifyInclusion({ hash, index: proof.index }, checkpoint, proof.hashes);
}

describe('statements become leaves', () => {
  it('a log begins with the checkpoint of an empty tree', async () => {
    const log = await createMemoryLog(market);
    await sequenceStatements(log.ports);
    expect(published(log).checkpoint).toEqual({ origin: TEST_LOG_ORIGIN, size: 0, root: await emptyRoot() });
  });

  it('in their order, each once, and each can be proven', async () => {
    const log = await createMemoryLog(market);
    const sizes = [1, 2, 255, 300, 1300];
    const all: LogEntry[] = [];
    let before = { size: 0, root: await emptyRoot() };
    for (const size of sizes) {
      const entries = await newEntries(size);
      await store(entries);
      await sequenceStatements(log.ports);
      all.push(...entries);
      expect(await waiting()).toBe(0);
      const { checkpoint } = published(log);
      expect(checkpoint.size).toBe(all.length);
      before = checkpoint;
    }
    expect(before.size).toBe(1858);
    for (const [index, entry] of all.entries()) expect(await log.ports.tree.find(entry.digest)).toBe(index);
    for (const index of [0, 1, 2, 255, 256, 511, 1023, 1024, 1857])
      expect(await provenOf(log, all[index] as LogEntry), String(index)).toBe(true);
  });

  it('a statement that is stored again is no second leaf', async () => {
    const log = await createMemoryLog(market);
    const entries = await newEntries(3);
    await store([...entries, ...entries]);
    await sequenceStatements(log.ports);
    await store(entries);
    await sequenceStatements(log.ports);
    expect(published(log).checkpoint.size).toBe(3);
    expect(await waiting()).toBe(0);
  });

  it('adds nothing to tiles that were changed in the store', async () => {
    const log = await createMemoryLog(market);
    await store(await newEntries(5));
    await sequenceStatements(log.ports);
    const before = log.files.checkpoint;
    const tile = log.files.tiles.get('tile/0/000.p/5') as Uint8Array;
    tile[0] = (tile[0] ?? 0) ^ 1;
    await store(await newEntries(1));
    await expect(sequenceStatements(log.ports)).rejects.toThrow('not those of the head');
    expect(log.files.checkpoint).toBe(before);
    expect(await waiting()).toBe(1);
  });

  /** The same bucket, and an object that remembers only the first of its leaves. */
  async function newForgetful(remembered: readonly LogEntry[], count: number) {
    const log = await createMemoryLog(market);
    const entries = [...remembered, ...(await newEntries(count))];
    await store(entries);
    await sequenceStatements(log.ports);
    const restored = await createMemoryLog(market);
    await store(remembered);
    await sequenceStatements(restored.ports);
    const ports = { ...log.ports, tree: restored.ports.tree, sinceStart: newSinceStart() };
    return { log: { ...log, ports }, entries };
  }

  it.each([
    [0, 5],
    [3, 300],
    [256, 4000],
  ])(
    'an object that remembers %i leaves takes over %i more that it published, and goes on',
    async (left, more) => {
      const { log, entries } = await newForgetful(await newEntries(left), more);
      const before = published(log).checkpoint;
      const next = await newEntries(2);
      // Of these, the first is published already.
      await store([entries.at(-1) as LogEntry, ...next]);
      await sequenceStatements(log.ports);
      expect(published(log).checkpoint.size).toBe(before.size + 2);
      const hashes = await consistencyProof(before.size, before.size + 2, tilesIn(log.files));
      expect(await verifyConsistency(before, published(log).checkpoint, hashes)).toBe(true);
      for (const entry of [entries[0], entries.at(-1), ...next])
        expect(await provenOf(log, entry as LogEntry)).toBe(true);
      expect([await waiting(), await stoppedAt()]).toEqual([0, null]);
      expect(new Set(log.errors)).toEqual(new Set(['log_behind']));
    },
  );

  it('takes over nothing that is not its own, and stands still', async () => {
    const entries = await newEntries(3);
    for (const spoil of [
      // Somebody who may write to the bucket has no key of the log.
      ({ files }: MemoryLog) =>
        files.replaceCheckpoint((files.checkpoint ?? '').replace(/\n8\n/, '\n9\n'), 'v1'),
      ({ files }: MemoryLog) =>
        void files.tiles.set('tile/entries/000.p/8', encodeEntries(entries.map(formatLogEntry))),
      ({ files }: MemoryLog) => void files.tiles.delete('tile/entries/000.p/8'),
    ]) {
      await testBindings.DB.prepare('UPDATE log_state SET stopped_at = NULL').run();
      const { log } = await newForgetful(entries, 5);
      await spoil(log);
      const before = log.files.checkpoint;
      await store(await newEntries(2));
      for (let run = 0; run < 2; run += 1) await sequenceStatements(log.ports).catch(() => {});
      expect([log.files.checkpoint, await waiting()]).toEqual([before, 2]);
      expect((await log.ports.tree.read()).head.size).toBe(3);
      expect(await stoppedAt()).toBe('2026-06-01T12:00:00.000Z');
      await testBindings.DB.prepare('DELETE FROM log_outbox').run();
    }
    // A tree of its own that does not lead there.
    const { log } = await newForgetful(entries, 5);
    const other = await createMemoryLog(market);
    await store(await newEntries(2));
    await sequenceStatements(other.ports);
    const forked = { ...log.ports, tree: other.ports.tree, sinceStart: newSinceStart() };
    await store(await newEntries(2));
    await sequenceStatements(forked);
    expect(published(log).checkpoint.size).toBe(8);
    expect([await waiting(), await stoppedAt()]).toEqual([2, '2026-06-01T12:00:00.000Z']);
  });

  it('another tree of the size that is published is not published beside it', async () => {
    const log = await createMemoryLog(market);
    await store(await newEntries(3));
    await sequenceStatements(log.ports);
    const before = log.files.checkpoint;
    const forked = await createMemoryLog(market);
    await store(await newEntries(3));
    await sequenceStatements(forked.ports);
    await sequenceStatements({ ...forked.ports, files: log.files, log: log.ports.log });
    await store(await newEntries(1));
    await sequenceStatements({ ...forked.ports, files: log.files, log: log.ports.log });
    expect(log.files.checkpoint).toBe(before);
    expect(log.errors).toEqual(['log_behind']);
    expect(await waiting()).toBe(1);
  });
});

/** The object goes on as it was, and what everybody reads of it was put back to an earlier state. */
describe('a bucket that was put back under a log that runs', () => {
  async function newPutBack() {
    const { witness } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    await store(await newEntries(300));
    await sequenceStatements(log.ports);
    const older = { tiles: new Map(log.files.tiles), checkpoint: log.files.checkpoint ?? '' };
    await store(await newEntries(40));
    await sequenceStatements(log.ports);
    const newer = { tiles: new Map(log.files.tiles), checkpoint: log.files.checkpoint ?? '' };
    return { log, older, newer };
  }
  async function put(
    { files }: MemoryLog,
    { tiles, checkpoint }: { tiles?: Map<string, Uint8Array>; checkpoint: string },
  ) {
    if (tiles !== undefined) {
      files.tiles.clear();
      for (const [path, bytes] of tiles) files.tiles.set(path, bytes);
    }
    const { version = null } = (await files.readCheckpoint()) ?? {};
    await files.replaceCheckpoint(checkpoint, version);
  }

  it('stops an idle log within the minute, which goes on once its files are back', async () => {
    const { log, older, newer } = await newPutBack();
    await put(log, older);
    await sequenceStatements(log.ports);
    expect(await stoppedAt()).toBeNull();
    log.clock.advance(MINUTE_MS);
    await expect(sequenceStatements(log.ports)).rejects.toThrow('is missing');
    expect([log.errors, await stoppedAt()]).toEqual([['log_put_back'], '2026-06-01T12:01:00.000Z']);
    await store(await newEntries(1));
    await expect(sequenceStatements(log.ports)).rejects.toThrow('is missing');
    expect([published(log).checkpoint.size, await waiting()]).toEqual([300, 1]);
    await put(log, newer);
    await sequenceStatements(log.ports);
    expect([published(log).checkpoint.size, await waiting(), await stoppedAt()]).toEqual([341, 0, null]);
  });

  it.each(['checkpoint and tiles', 'tiles'])(
    'stands still as long as the %s of an idle log are those of before',
    async (what) => {
      const { log, older, newer } = await newPutBack();
      await sequenceStatements(log.ports);
      await put(log, what === 'tiles' ? { ...older, checkpoint: newer.checkpoint } : older);
      const { size } = published(log).checkpoint;
      log.clock.advance(MINUTE_MS);
      for (let second = 0; second <= 120; second += 5) {
        await expect(sequenceStatements(log.ports), `after ${second} s`).rejects.toThrow('is missing');
        expect([published(log).checkpoint.size, await stoppedAt()]).toEqual([
          size,
          '2026-06-01T12:01:00.000Z',
        ]);
        log.clock.advance(5000);
      }
      await put(log, newer);
      await sequenceStatements(log.ports);
      expect([published(log).checkpoint.size, await stoppedAt()]).toEqual([340, null]);
    },
  );

  it('where only the checkpoint was, publishes it again, cosigned', async () => {
    const { log, older } = await newPutBack();
    await put(log, { checkpoint: older.checkpoint });
    log.clock.advance(MINUTE_MS);
    await sequenceStatements(log.ports);
    expect([published(log).checkpoint.size, log.errors, await stoppedAt()]).toEqual([
      340,
      ['log_put_back'],
      null,
    ]);
    expect(parseNote(log.files.checkpoint ?? '')?.signatures).toHaveLength(2);
  });

  it.each([
    ['a hash tile', 'tile/0/001.p/84', 'not those of the head'],
    ['the entries at the end', 'tile/entries/001.p/84', 'are not the leaves'],
  ])('notices that %s was changed', async (_, path, message) => {
    const { log } = await newPutBack();
    const bytes = log.files.tiles.get(path) as Uint8Array;
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    log.clock.advance(MINUTE_MS);
    await expect(sequenceStatements(log.ports)).rejects.toThrow(message);
    expect(await stoppedAt()).toBe('2026-06-01T12:01:00.000Z');
  });

  it('reads eight files of an idle log each minute', async () => {
    const { log } = await newPutBack();
    let reads = 0;
    const count = <T>(value: T) => {
      reads += 1;
      return value;
    };
    const files = Object.assign(Object.create(log.files), {
      read: (path: string) => count(log.files.read(path)),
      readCheckpoint: () => count(log.files.readCheckpoint()),
    });
    for (let second = 0; second < 60; second += 5) {
      log.clock.advance(5000);
      await sequenceStatements({ ...log.ports, files });
    }
    // The checkpoint, two tiles, of which one is read for its entries again, and these. Of the one full tile its hashes, its
    // entries and the tile above.
    expect(reads).toBe(8);
  });

  it('is not taken for put back while it cannot be reached', async () => {
    const { log } = await newPutBack();
    log.clock.advance(MINUTE_MS);
    const files = Object.assign(Object.create(log.files), {
      read: () => Promise.reject(new Error('R2 is down.')),
      readCheckpoint: () => log.files.readCheckpoint(),
    });
    await expect(sequenceStatements({ ...log.ports, files })).rejects.toThrow('down');
    expect(await stoppedAt()).toBeNull();
  });

  it('is compared as soon as it can be reached again', async () => {
    const { log, older } = await newPutBack();
    await put(log, older);
    log.clock.advance(MINUTE_MS);
    const readCheckpoint = () => Promise.reject(new Error('R2 is down.'));
    const files = Object.assign(Object.create(log.files), { readCheckpoint });
    await expect(sequenceStatements({ ...log.ports, files })).rejects.toThrow('down');
    log.clock.advance(5000);
    await expect(sequenceStatements(log.ports)).rejects.toThrow('is missing');
    expect(await stoppedAt()).toBe('2026-06-01T12:01:05.000Z');
  });
});

/** What a witness holds against an object and a bucket that were put back together: nobody else remembers. */
describe('a log that was put back with all that it stored', () => {
  /** A log of five leaves that a witness cosigned, the objects of an earlier moment, and statements that wait. */
  async function newRestored(leavesBefore: number) {
    const { witness, state } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    const entries = await newEntries(5);
    await store(entries);
    await sequenceStatements(log.ports);
    const restored = await createMemoryLog(market, [witness]);
    if (leavesBefore > 0) {
      await store(entries.slice(0, leavesBefore));
      await sequenceStatements({ ...restored.ports, witnesses: [] });
    }
    const signed: string[] = [];
    const [signer] = restored.ports.signers;
    const recorded = {
      key: signer.key,
      sign: (message: Uint8Array) => {
        signed.push(new TextDecoder().decode(message));
        return signer.sign(message);
      },
    };
    restored.errors.splice(0);
    const ports = { ...restored.ports, signers: [recorded] as const, sinceStart: newSinceStart() };
    return { log, restored: { ...restored, ports }, state, signed, witness };
  }
  const sizesOf = (signed: readonly string[]) =>
    [...new Set(signed)].map((text) => Number(text.split('\n')[1]));

  it.each([0, 3])(
    'adds and signs nothing once a witness knows more: %i leaves were left',
    async (leavesBefore) => {
      const { restored, state, signed } = await newRestored(leavesBefore);
      const before = restored.files.checkpoint;
      await store(await newEntries(4));
      for (let run = 0; run < 3; run += 1) {
        await sequenceStatements(restored.ports);
        restored.clock.advance(MINUTE_MS);
      }
      expect(restored.files.checkpoint).toBe(before);
      expect(new Set(restored.errors)).toEqual(new Set(['log_disputed']));
      expect(sizesOf(signed)).toEqual([leavesBefore]);
      expect((await restored.ports.tree.read()).head.size).toBe(leavesBefore);
      expect([await waiting(), await stoppedAt()]).toEqual([4, '2026-06-01T12:00:00.000Z']);
      expect(state.size).toBe(5);
    },
  );

  it('notices by itself within the hour where nothing waits', async () => {
    const { restored, signed } = await newRestored(3);
    await sequenceStatements(restored.ports);
    expect([restored.errors, await stoppedAt()]).toEqual([['log_disputed'], '2026-06-01T12:00:00.000Z']);
    expect(sizesOf(signed)).toEqual([3]);
  });

  it('notices a witness that did not answer before, as soon as it does', async () => {
    const { restored, state, signed } = await newRestored(3);
    state.isDown = true;
    await store(await newEntries(1));
    await sequenceStatements(restored.ports);
    expect([await waiting(), await stoppedAt()]).toEqual([0, null]);
    state.isDown = false;
    restored.clock.advance(MINUTE_MS);
    await store(await newEntries(1));
    await sequenceStatements(restored.ports);
    expect(restored.errors).toContain('log_disputed');
    expect([await waiting(), await stoppedAt()]).toEqual([1, '2026-06-01T12:01:00.000Z']);
    // What was published while no witness answered is the last that was signed.
    expect(sizesOf(signed)).toEqual([3, 4]);
  });

  it('notices another tree that has grown past the one that was cosigned', async () => {
    const { restored, state } = await newRestored(3);
    await store(await newEntries(9));
    await sequenceStatements({ ...restored.ports, witnesses: [], sinceStart: newSinceStart() });
    const before = restored.files.checkpoint;
    await store(await newEntries(1));
    await sequenceStatements(restored.ports);
    expect([restored.files.checkpoint, state.size, await waiting()]).toEqual([before, 5, 1]);
  });

  it('goes on where its leaves are there again, or the witness is believed no more', async () => {
    const { log, restored } = await newRestored(3);
    await store(await newEntries(2));
    await sequenceStatements(restored.ports);
    expect(await stoppedAt()).not.toBeNull();
    // The object of before: a later state of it was found.
    log.clock.advance(MINUTE_MS);
    await sequenceStatements({ ...log.ports, sinceStart: newSinceStart() });
    expect([await waiting(), await stoppedAt(), published(log).checkpoint.size]).toEqual([0, null, 7]);

    const other = await newRestored(3);
    await store(await newEntries(2));
    await sequenceStatements(other.restored.ports);
    expect(await waiting()).toBe(2);
    await sequenceStatements({ ...other.restored.ports, witnesses: [] });
    expect([await waiting(), await stoppedAt(), published(other.restored).checkpoint.size]).toEqual([
      0,
      null,
      5,
    ]);
  });

  it('goes on once a copy of its files is put back, with what waited meanwhile', async () => {
    const { log, restored, state } = await newRestored(3);
    await store(await newEntries(2));
    await sequenceStatements(restored.ports);
    expect([await waiting(), await stoppedAt()]).toEqual([2, '2026-06-01T12:00:00.000Z']);
    // Anybody's copy: tiles first, the checkpoint last.
    for (const [path, bytes] of log.files.tiles) await restored.files.write(path, bytes);
    const { version } = (await restored.files.readCheckpoint()) ?? { version: null };
    await restored.files.replaceCheckpoint(log.files.checkpoint ?? '', version);
    restored.clock.advance(MINUTE_MS);
    await sequenceStatements(restored.ports);
    expect([await waiting(), await stoppedAt(), published(restored).checkpoint.size]).toEqual([0, null, 7]);
    expect(state.size).toBe(7);
    expect(parseNote(restored.files.checkpoint ?? '')?.signatures).toHaveLength(2);
  });

  it('is not stopped by a witness that is behind, or by a run that another one overtook', async () => {
    const { witness, state } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    await store(await newEntries(2));
    let isFirst = true;
    const overtaken: Witness = {
      key: witness.key,
      async addCheckpoint(request) {
        if (isFirst) {
          isFirst = false;
          await store(await newEntries(2));
          await sequenceStatements({ ...log.ports, witnesses: [witness] });
        }
        return witness.addCheckpoint(request);
      },
    };
    await sequenceStatements({ ...log.ports, witnesses: [overtaken] });
    expect([state.size, await waiting(), await stoppedAt()]).toEqual([4, 0, null]);
    expect(log.errors).not.toContain('log_disputed');
  });
});

describe('witnesses', () => {
  const policyOf = (vkey: string, log: MemoryLog) =>
    parseLogPolicy(`log ${formatNoteKey(log.ports.signers[0].key)}\nwitness w ${vkey}\nquorum w\n`);
  const verdict = async (log: MemoryLog, vkey: string, notBefore = 0) =>
    verifyCheckpoint(log.files.checkpoint ?? '', await policyOf(vkey, log), notBefore);

  it('cosign each checkpoint before it is published', async () => {
    const { witness, state, vkey } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    for (const count of [0, 3, 300]) {
      await store(await newEntries(count));
      await sequenceStatements(log.ports);
      expect(await verdict(log, vkey)).toMatchObject({ valid: true, cosigned: [{ name: 'w' }] });
    }
    expect(state.oldSizes).toEqual([0, 0, 3]);
  });

  it('are asked once what waits was taken: a cosignature would show that what follows is missing', async () => {
    const { witness, state, vkey } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    await store(await newEntries(2500));
    await sequenceStatements(log.ports);
    // Once before anything is added, and once after all of it.
    expect(state.oldSizes).toEqual([0, 0]);
    expect(await verdict(log, vkey)).toMatchObject({ valid: true, checkpoint: { size: 2500 } });
  });

  it('one that has cosigned more than the log remembers is asked again from there', async () => {
    const { witness, state, vkey } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    await store(await newEntries(3));
    await sequenceStatements(log.ports);
    await log.ports.tree.setWitness(witness.key.id, {
      size: 0,
      cosignedAt: 0,
      askedAt: 0,
      disputedSize: null,
    });
    await store(await newEntries(2));
    await sequenceStatements(log.ports);
    expect(state.oldSizes).toEqual([0, 0, 0, 3]);
    expect(await verdict(log, vkey)).toMatchObject({ valid: true, checkpoint: { size: 5 } });
  });

  it('one that is down holds up no statement, and cosigns once it is back', async () => {
    const { witness, state, vkey } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    state.isDown = true;
    await store(await newEntries(2));
    await sequenceStatements(log.ports);
    expect(await waiting()).toBe(0);
    expect(await verdict(log, vkey)).toEqual({ valid: false, reason: 'quorum' });
    await store(await newEntries(2));
    await sequenceStatements(log.ports);
    expect(state.asked).toBe(1);
    state.isDown = false;
    log.clock.advance(MINUTE_MS);
    await sequenceStatements(log.ports);
    expect(await verdict(log, vkey)).toMatchObject({ valid: true, checkpoint: { size: 4 } });
  });

  it('cosign an idle log anew every hour, and a cosignature of before stays until then', async () => {
    const { witness, state, vkey } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    await store(await newEntries(2));
    await sequenceStatements(log.ports);
    const first = state.seconds;
    const { asked } = state;
    log.clock.advance(HOUR_MS - 1);
    await sequenceStatements(log.ports);
    expect(state.asked).toBe(asked);
    log.clock.advance(1);
    state.isDown = true;
    await sequenceStatements(log.ports);
    expect(await verdict(log, vkey)).toMatchObject({ valid: true, cosigned: [{ seconds: first }] });
    state.isDown = false;
    state.seconds += 3700;
    log.clock.advance(MINUTE_MS);
    await sequenceStatements(log.ports);
    expect(await verdict(log, vkey, first + 3600)).toMatchObject({ valid: true, checkpoint: { size: 2 } });
    expect(parseNote(log.files.checkpoint ?? '')?.signatures).toHaveLength(2);
  });

  it('signatures of other keys in a reply are not published', async () => {
    const { witness } = await newMemoryWitness();
    const forged: Witness = {
      key: witness.key,
      addCheckpoint: async () => ({
        kind: 'cosigned',
        lines: `\u2014 other.test ${btoa('\u0001\u0002\u0003\u0004signature')}\n`,
      }),
    };
    const log = await createMemoryLog(market, [forged]);
    await sequenceStatements(log.ports);
    expect(parseNote(log.files.checkpoint ?? '')?.signatures).toHaveLength(1);
    expect(log.errors).toEqual(['witness_failed']);
  });
});

it('a leaf is the RFC 8785 form of what it says, and nothing else is a leaf', async () => {
  const [entry] = (await newEntries(1)) as [LogEntry];
  const bytes = formatLogEntry(entry);
  expect(new TextDecoder().decode(bytes)).toBe(
    `{"digest":"${entry.digest}","keyId":"key-1","signedAt":"${SIGNED_AT}","type":"purchase_receipt"}`,
  );
  expect(parseLogEntry(bytes)).toEqual(entry);
  for (const text of ['', '{}', `${new TextDecoder().decode(bytes)} `, '{"digest":"x"}'])
    expect(parseLogEntry(utf8(text))).toBeNull();
});
