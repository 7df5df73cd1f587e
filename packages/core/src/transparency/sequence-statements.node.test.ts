import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { formatLogEntry, type LogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { parseLogPolicy, verifyCheckpoint } from '@agent-marketplace/protocol/log/log-policy.ts';
import { emptyRoot, leafHash, verifyInclusion } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { formatNoteKey, parseNote } from '@agent-marketplace/protocol/log/note.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../db/create-database.ts';
import type { Witness } from '../kernel/ports/transparency/transparency-log.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '../testing/memory-log.ts';
import { newMemoryWitness } from '../testing/memory-witness.ts';
import { testBindings } from '../testing/workers-bindings.ts';
import { proveInclusion, sequenceStatements } from './index.ts';
import { checkpointIn } from './publish-checkpoint.ts';

const market = createDatabase(testBindings.DB);
beforeEach(async () => {
  await testBindings.DB.prepare('DELETE FROM log_outbox').run();
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

  it('a tree that was put back to an earlier state grows no second history', async () => {
    const log = await createMemoryLog(market);
    await store(await newEntries(5));
    await sequenceStatements(log.ports);
    const before = log.files.checkpoint;
    const restored = await createMemoryLog(market);
    await store(await newEntries(2));
    await sequenceStatements({ ...log.ports, tree: restored.ports.tree });
    expect(log.files.checkpoint).toBe(before);
    expect(log.errors).toEqual(['log_behind']);
    expect(await waiting()).toBe(2);
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
    expect(state.oldSizes).toEqual([0]);
    expect(await verdict(log, vkey)).toMatchObject({ valid: true, checkpoint: { size: 2500 } });
  });

  it('one that has cosigned more than the log remembers is asked again from there', async () => {
    const { witness, state, vkey } = await newMemoryWitness();
    const log = await createMemoryLog(market, [witness]);
    await store(await newEntries(3));
    await sequenceStatements(log.ports);
    await log.ports.tree.setWitness(witness.key.id, { size: 0, cosignedAt: 0, askedAt: 0 });
    await store(await newEntries(2));
    await sequenceStatements(log.ports);
    expect(state.oldSizes).toEqual([0, 0, 3]);
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
    log.clock.advance(HOUR_MS - 1);
    await sequenceStatements(log.ports);
    expect(state.asked).toBe(1);
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
