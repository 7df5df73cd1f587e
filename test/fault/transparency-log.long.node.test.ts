import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import type {
  LogFiles,
  LogTree,
  Witness,
} from '@agent-marketplace/core/kernel/ports/transparency/transparency-log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { newMemoryWitness } from '@agent-marketplace/core/testing/doubles/memory-witness.ts';
import { TEST_INGRESS_SIGNING_KEY } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import {
  type LogPorts,
  newSinceStart,
  proveInclusion,
  prunePartialTiles,
  sequenceStatements,
} from '@agent-marketplace/core/transparency/index.ts';
import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { formatLogEntry, type LogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { parseWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import { leafHash, rootOfHashes, verifyInclusion } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { type NoteSigner, noteSignerOf, parseNote } from '@agent-marketplace/protocol/log/note.ts';
import { decodeEntries, TILE_WIDTH, tilePath, tilesOfGrowth } from '@agent-marketplace/protocol/log/tiles.ts';
import { describe, expect, it } from 'vitest';

// Invariant 33: whatever breaks, a statement is a leaf once, and no two checkpoints that were ever signed contradict each other.

/** A tile is full with two more leaves, so that every run also begins tiles of the level above. */
const BEFORE = TILE_WIDTH - 2;
const market = createDatabase(testBindings.DB);

type Fault = 'lose_request' | 'lose_reply' | undefined;
type Gate = (name: string) => Fault | Promise<Fault>;

class Cut extends Error {}

/** What a run asks of the outside, each call behind a gate. */
function gated<T extends object>(target: T, name: string, gate: Gate, methods: readonly (keyof T)[]): T {
  const behind = methods.map((method) => [
    method,
    async (...params: unknown[]) => {
      const fault = await gate(`${name}.${String(method)}`);
      if (fault === 'lose_request') throw new Cut();
      const result = await (target[method] as (...all: unknown[]) => unknown).apply(target, params);
      if (fault === 'lose_reply') throw new Cut();
      return result;
    },
  ]);
  return Object.assign(Object.create(target), Object.fromEntries(behind));
}

const TREE: (keyof LogTree)[] = [
  'read',
  'selectNew',
  'append',
  'setWritten',
  'setPublished',
  'readWitness',
  'setWitness',
  'readPruning',
  'setPruning',
];
const FILES: (keyof LogFiles)[] = ['read', 'write', 'list', 'delete', 'readCheckpoint', 'replaceCheckpoint'];

/** What receipts promise: their `logBy`. */
const LOGGED_WITHIN_MS = DAY_MS;

let statements = 0;

/** A log with leaves, a witness, and statements that wait. */
async function newWorld() {
  await market.commit([{ sql: 'DELETE FROM log_outbox', params: [] }]);
  const { witness, state } = await newMemoryWitness();
  let { ports, files, clock, errors } = await createMemoryLog(market, [witness]);
  // A key is replaced while all else breaks: the log signs with both.
  const next = await noteSignerOf(createSigner(TEST_INGRESS_SIGNING_KEY), TEST_LOG_ORIGIN, 1);
  const stored: LogEntry[] = [];
  const storedAtMs: number[] = [];
  const cosigned: { readonly size: number; readonly atMs: number }[] = [];
  const signed: string[] = [];
  /** Sizes, and until when they were what anybody reads. */
  const published: { readonly size: number; untilMs: number }[] = [];

  async function store(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      statements += 1;
      storedAtMs.push(clock.now());
      const digest = await sha256Digest(`statement ${statements}`);
      stored.push({ type: 'purchase_receipt', digest, keyId: 'key-1', signedAt: '2026-06-01T12:00:00.000Z' });
    }
    await storeAgain(stored.slice(stored.length - count));
  }

  async function storeAgain(entries: readonly LogEntry[]): Promise<void> {
    await market.commit([
      {
        sql: `INSERT INTO log_outbox (type, digest, key_id, signed_at)
          SELECT value ->> 'type', value ->> 'digest', value ->> 'keyId', value ->> 'signedAt' FROM json_each(?)`,
        params: [JSON.stringify(entries)],
      },
    ]);
  }

  /** One sequencer; what it signs and publishes is written down. */
  function sequencer(gate: Gate = () => undefined): LogPorts {
    const recordedOf = (signer: NoteSigner): NoteSigner => ({
      key: signer.key,
      sign: (message) => {
        signed.push(new TextDecoder().decode(message));
        return signer.sign(message);
      },
    });
    const gatedOf = (signer: NoteSigner) => gated(recordedOf(signer), 'signer', gate, ['sign']);
    const recordedFiles: LogFiles = {
      read: (path) => files.read(path),
      write: (path, bytes) => files.write(path, bytes),
      list: (prefix) => files.list(prefix),
      delete: (paths) => files.delete(paths),
      readCheckpoint: () => files.readCheckpoint(),
      async replaceCheckpoint(text: string, version: string | null) {
        const isReplaced = await files.replaceCheckpoint(text, version);
        if (isReplaced) published.push({ size: sizeOf(text), untilMs: Number.POSITIVE_INFINITY });
        const before = isReplaced ? published.at(-2) : undefined;
        if (before !== undefined) before.untilMs = clock.now();
        return isReplaced;
      },
    };
    const recordedWitness: Witness = {
      key: witness.key,
      async addCheckpoint(request) {
        const reply = await witness.addCheckpoint(request);
        const size = Number(parseWitnessRequest(request)?.checkpoint.split('\n')[1]);
        if (reply.kind === 'cosigned') cosigned.push({ size, atMs: clock.now() });
        return reply;
      },
    };
    return {
      ...ports,
      market: gated(market, 'market', gate, ['all', 'commit']),
      tree: gated(ports.tree, 'tree', gate, TREE),
      files: gated(recordedFiles, 'files', gate, FILES),
      signers: [gatedOf(ports.signers[0]), gatedOf(next)],
      witnesses: [gated(recordedWitness, 'witness', gate, ['addCheckpoint'])],
    };
  }

  /** Nothing that anybody holds contradicts what anybody reads, at this moment. */
  async function audit(): Promise<void> {
    const waiting = new Set(
      (await market.all<{ digest: string }>({ sql: 'SELECT digest FROM log_outbox', params: [] })).map(
        ({ digest }) => digest,
      ),
    );
    const { entries, leaves } = await readLog();
    expect(new Set(entries.map(({ digest }) => digest)).size, 'a statement is a leaf once').toBe(
      entries.length,
    );
    expect(entries, 'in the order in which they were stored').toEqual(stored.slice(0, entries.length));
    for (const { digest } of stored.slice(entries.length))
      expect(waiting.has(digest), 'none is lost').toBe(true);
    const sizes = published.map(({ size }) => size);
    expect(sizes, 'what is published only grows').toEqual(sizes.toSorted((a, b) => a - b));
    for (const { size } of published.filter(({ untilMs }) => clock.now() - untilMs < DAY_MS))
      for (const tile of tilesOfGrowth(0, size))
        expect(await files.read(tilePath(tile)), `a tile of ${size} leaves, read today`).not.toBeNull();
    const all = await Promise.all(stored.map((entry) => leafHash(formatLogEntry(entry))));
    // Each is judged once: what it was signed over never changes.
    for (const text of new Set(signed.splice(0))) {
      const checkpoint = parseCheckpoint(text);
      if (checkpoint === null) throw new Error(text);
      const root = await rootOfHashes(all.slice(0, checkpoint.size));
      expect(toHex(checkpoint.root), `the root of ${checkpoint.size} that was signed`).toBe(toHex(root));
    }
    expect(leaves).toBeLessThanOrEqual(stored.length);
    for (const { size, atMs } of cosigned) {
      const due = storedAtMs.filter((at) => at + LOGGED_WITHIN_MS < atMs).length;
      expect(size, 'no cosigned checkpoint lacks what was promised before').toBeGreaterThanOrEqual(due);
    }
  }

  /** The published log, by what anybody reads. */
  async function readLog() {
    const { size, root } = checkpointOf(files.checkpoint);
    const entries: LogEntry[] = [];
    for (let index = 0; index * TILE_WIDTH < size; index += 1) {
      const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
      const bundle = await files.read(tilePath({ level: 'entries', index, width }));
      for (const bytes of (bundle && decodeEntries(bundle)) ?? [])
        entries.push(parseLogEntry(bytes) as LogEntry);
    }
    expect(entries.length, 'every leaf can be read').toBe(size);
    const hashes = await Promise.all(entries.map((entry) => leafHash(formatLogEntry(entry))));
    expect(toHex(await rootOfHashes(hashes)), 'the leaves lead to the root').toBe(toHex(root));
    return { entries, leaves: size };
  }

  async function provesAll(): Promise<void> {
    const { size, root } = checkpointOf(files.checkpoint);
    expect(size).toBe(stored.length);
    for (const entry of stored.slice(-8)) {
      const proof = await proveInclusion({ tree: ports.tree, files, origin: TEST_LOG_ORIGIN }, entry.digest);
      const leaf = { hash: await leafHash(formatLogEntry(entry)), index: proof?.index ?? -1 };
      expect(await verifyInclusion(leaf, { size, root }, proof?.hashes ?? [])).toBe(true);
    }
  }

  /** The object and its bucket as they were with fewer leaves. What others were shown since stays with them. */
  async function putBack(size: number): Promise<void> {
    ({ ports, files, clock, errors } = await createMemoryLog(market, [witness]));
    await market.commit([{ sql: 'DELETE FROM log_outbox', params: [] }]);
    await storeAgain(stored.slice(0, size));
    await sequenceStatements({ ...sequencer(), witnesses: [] });
    ports = { ...ports, sinceStart: newSinceStart() };
    signed.splice(0);
  }

  /** The object alone, as it was with fewer leaves. */
  async function forget(size: number): Promise<void> {
    const older = await createMemoryLog(market);
    await market.commit([{ sql: 'DELETE FROM log_outbox', params: [] }]);
    await storeAgain(stored.slice(0, size));
    await sequenceStatements(older.ports);
    ports = { ...ports, tree: older.ports.tree, sinceStart: newSinceStart() };
  }

  await store(BEFORE);
  await sequenceStatements({ ...sequencer(), signers: ports.signers });
  await store(5);
  return {
    store,
    sequencer,
    audit,
    provesAll,
    putBack,
    forget,
    clock,
    errors,
    witness: state,
    files,
    signed,
  };
}

function checkpointOf(text: string | null) {
  const checkpoint = parseCheckpoint(parseNote(text ?? '')?.text ?? '');
  if (checkpoint === null) throw new Error('No checkpoint is published.');
  return checkpoint;
}
const sizeOf = (text: string) => checkpointOf(text).size;

/** The calls of one run that is not disturbed. */
async function callsOfRun(): Promise<string[]> {
  const { sequencer } = await newWorld();
  const calls: string[] = [];
  await sequenceStatements(
    sequencer((name) => {
      calls.push(name);
      return undefined;
    }),
  );
  return calls;
}

const faultAt = (at: number, fault: Fault): Gate => {
  let call = 0;
  return () => (call++ === at ? fault : undefined);
};

describe('the sequencer of the log', () => {
  it.each(['lose_request', 'lose_reply'] as const)(
    'killed at every await (%s): no fork, no lost leaf',
    async (fault) => {
      const calls = await callsOfRun();
      expect(new Set(calls).size, 'every kind of call is met').toBeGreaterThan(11);
      for (const [at, name] of calls.entries()) {
        const { store, sequencer, audit, provesAll, clock, witness } = await newWorld();
        await expect(sequenceStatements(sequencer(faultAt(at, fault))), `${at} ${name}`).rejects.toThrow(Cut);
        await audit();
        // What was signed and never published must be the beginning of what follows.
        await store(3);
        await sequenceStatements(sequencer());
        await audit();
        clock.advance(MINUTE_MS);
        await sequenceStatements(sequencer());
        await audit();
        await provesAll();
        expect(witness.size, `${at} ${name}`).toBe(BEFORE + 8);
      }
    },
  );

  it('stores before it signs, has the tiles where they are read before the checkpoint, and forgets what waits last', async () => {
    const calls = await callsOfRun();
    const order = [
      'tree.append',
      'files.write',
      'signer.sign',
      'witness.addCheckpoint',
      'files.replaceCheckpoint',
    ];
    const places = [...order, 'tree.setPublished', 'market.commit'].map((name) => [
      calls.indexOf(name),
      calls.lastIndexOf(name),
    ]);
    expect(places.flat()).toEqual(places.flat().toSorted((a = 0, b = 0) => a - b));
    expect(places.flat()).not.toContain(-1);
    expect(calls.at(-1)).toBe('market.commit');
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    'put back with its bucket, and killed at every await (%s): it signs no second history, and loses nothing',
    async (fault) => {
      const left = BEFORE - 5;
      const newPutBack = async () => {
        const world = await newWorld();
        await world.putBack(left);
        await world.store(3);
        return world;
      };
      const calls: string[] = [];
      const whole = await newPutBack();
      await sequenceStatements(whole.sequencer((name) => void calls.push(name)));
      expect(calls).toContain('witness.addCheckpoint');
      for (const [at, name] of calls.entries()) {
        const { sequencer, signed } = await newPutBack();
        await expect(sequenceStatements(sequencer(faultAt(at, fault))), `${at} ${name}`).rejects.toThrow(Cut);
        await sequenceStatements(sequencer());
        const sizes = signed.map((text) => parseCheckpoint(text)?.size);
        expect(new Set(sizes), `${at} ${name}`).toEqual(new Set([left]));
        const outbox = { sql: 'SELECT COUNT(*) AS count FROM log_outbox', params: [] };
        expect(await market.first(outbox), `${at} ${name}`).toEqual({ count: 3 });
      }
    },
  );

  it.each(['lose_request', 'lose_reply'] as const)(
    'put back without its bucket, and killed at every await (%s): it takes over what it published, and goes on',
    async (fault) => {
      const newForgetful = async () => {
        const world = await newWorld();
        await sequenceStatements(world.sequencer());
        await world.forget(BEFORE - 20);
        await world.store(3);
        return world;
      };
      const calls: string[] = [];
      await sequenceStatements((await newForgetful()).sequencer((name) => void calls.push(name)));
      for (const [at, name] of calls.entries()) {
        const { sequencer, audit, provesAll } = await newForgetful();
        await expect(sequenceStatements(sequencer(faultAt(at, fault))), `${at} ${name}`).rejects.toThrow(Cut);
        await audit();
        await sequenceStatements(sequencer());
        await audit();
        await provesAll();
      }
    },
  );

  it('two at once, one of which stands still at every await while the other runs', async () => {
    const calls = await callsOfRun();
    for (const [at] of calls.entries()) {
      const { store, sequencer, audit, provesAll } = await newWorld();
      let call = 0;
      const moved = sequencer(async () => {
        if (call++ !== at) return undefined;
        await sequenceStatements(sequencer());
        await store(2);
        await sequenceStatements(sequencer());
        await audit();
        return undefined;
      });
      // It may be refused where the other is ahead: then nothing of it may be left.
      await sequenceStatements(moved).catch(() => {});
      await audit();
      await sequenceStatements(sequencer());
      await audit();
      await provesAll();
    }
  });

  it('many at once', async () => {
    const { store, sequencer, audit, provesAll } = await newWorld();
    for (let round = 0; round < 10; round += 1) {
      await store(30);
      await Promise.allSettled(Array.from({ length: 4 }, () => sequenceStatements(sequencer())));
      await audit();
    }
    await sequenceStatements(sequencer());
    await audit();
    await provesAll();
  });

  it('an hour without the bucket: statements wait, and follow in their order', async () => {
    const { store, sequencer, audit, provesAll, clock } = await newWorld();
    const isDown: Gate = (name) => (name.startsWith('files.') ? 'lose_request' : undefined);
    for (let passed = 0; passed < HOUR_MS; passed += 5 * MINUTE_MS) {
      await store(20);
      await expect(sequenceStatements(sequencer(isDown))).rejects.toThrow(Cut);
      await audit();
      clock.advance(5 * MINUTE_MS);
    }
    await sequenceStatements(sequencer());
    await audit();
    await provesAll();
  });

  it.each(['market', 'files', 'tree'])(
    'two days without its %s, and more that waits than one run takes: no false proof of an omission',
    async (part) => {
      const { store, sequencer, audit, provesAll, clock, errors } = await newWorld();
      const isDown: Gate = (name) => (name.startsWith(`${part}.`) ? 'lose_request' : undefined);
      for (let passed = 0; passed < 2 * DAY_MS; passed += 4 * HOUR_MS) {
        await store(300);
        await expect(sequenceStatements(sequencer(isDown))).rejects.toThrow(Cut);
        clock.advance(4 * HOUR_MS);
      }
      await audit();
      await sequenceStatements(sequencer());
      await audit();
      await provesAll();
      expect(errors).toEqual([]);
    },
  );

  it('a bucket that takes some files and refuses others', async () => {
    for (let refused = 0; refused < 6; refused += 1) {
      const { sequencer, audit, provesAll } = await newWorld();
      let writes = 0;
      const refusing: Gate = (name) =>
        name === 'files.write' && writes++ === refused ? 'lose_request' : undefined;
      await sequenceStatements(sequencer(refusing)).catch(() => {});
      await audit();
      await sequenceStatements(sequencer());
      await audit();
      await provesAll();
    }
  });

  /** Tiles of one day are due, and those of the next are not. */
  async function newPrunable() {
    const world = await newWorld();
    const grow = async (count: number) => {
      await world.store(count);
      await sequenceStatements(world.sequencer());
    };
    for (const count of [0, 300, 40]) await grow(count);
    await prunePartialTiles(world.sequencer());
    await grow(300);
    world.clock.advance(DAY_MS);
    await grow(3);
    return world;
  }
  const replacedIn = ({ files }: Awaited<ReturnType<typeof newWorld>>) =>
    [...files.tiles.keys()].filter(
      (path) => files.tiles.has(path.replace(/\.p\/.*/, '')) && path.includes('.p/'),
    );

  it.each(['lose_request', 'lose_reply'] as const)(
    'killed at every await while it deletes partial tiles (%s): nothing is lost that is promised, nothing stays that is not',
    async (fault) => {
      const calls: string[] = [];
      const whole = await newPrunable();
      expect(replacedIn(whole)).toHaveLength(8);
      await prunePartialTiles(whole.sequencer((name) => void calls.push(name)));
      expect(new Set(calls)).toEqual(
        new Set(['tree.readPruning', 'files.list', 'files.delete', 'tree.setPruning']),
      );
      const left = replacedIn(whole);
      expect(left.sort()).toEqual(
        ['87', '47'].flatMap((width) => [`tile/0/002.p/${width}`, `tile/entries/002.p/${width}`]).sort(),
      );
      for (const [at, name] of calls.entries()) {
        const world = await newPrunable();
        const dying = prunePartialTiles(world.sequencer(faultAt(at, fault)));
        await expect(dying, `${at} ${name}`).rejects.toThrow(Cut);
        await world.audit();
        await world.store(2);
        await sequenceStatements(world.sequencer());
        await prunePartialTiles(world.sequencer());
        await world.audit();
        await world.provesAll();
        expect(replacedIn(world).sort(), `${at} ${name}`).toEqual(left);
      }
    },
  );

  it('two that delete at once, one of which stands still at the first and the last call of each kind while the log grows on', async () => {
    const calls: string[] = [];
    await prunePartialTiles((await newPrunable()).sequencer((name) => void calls.push(name)));
    const isEnd = (name: string, at: number) => [calls.indexOf(name), calls.lastIndexOf(name)].includes(at);
    for (const [at] of [...calls.entries()].filter(([at, name]) => isEnd(name, at))) {
      const world = await newPrunable();
      let call = 0;
      const slow = world.sequencer(async () => {
        if (call++ !== at) return undefined;
        for (let half = 0; half < 2; half += 1) {
          await world.store(290);
          await sequenceStatements(world.sequencer());
          await prunePartialTiles(world.sequencer());
          world.clock.advance(DAY_MS / 2);
          await world.audit();
        }
        return undefined;
      });
      await prunePartialTiles(slow);
      await world.audit();
      await sequenceStatements(world.sequencer());
      await prunePartialTiles(world.sequencer());
      await world.audit();
      await world.provesAll();
    }
  });
});
