import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { LogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { parseLogSuccessor, SUCCESSOR_PATH } from '@agent-marketplace/protocol/log/log-successor.ts';
import { isSameHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { noteSignerOf, parseNote, verifyNote } from '@agent-marketplace/protocol/log/note.ts';
import { rootOfTiles } from '@agent-marketplace/protocol/log/tiles.ts';
import { beforeEach, expect, it } from 'vitest';
import { createSigner } from '../adapters/keys/keyring.ts';
import { createDatabase } from '../db/create-database.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '../testing/doubles/memory-log.ts';
import { newMemoryWitness } from '../testing/doubles/memory-witness.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_INGRESS_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { filesOfTree, tilesIn } from './grow-tree.ts';
import { type LogPorts, newSinceStart, proveInclusion, sequenceStatements } from './index.ts';
import { checkpointIn } from './publish-checkpoint.ts';

// A log that cannot go on honestly ends, and another begins with all that it published.

const sales = createSalesMarketplace();
sales.market.sellerEndpoint.script = sellerOf({ answer: 42 });
const market = createDatabase(testBindings.DB);
const SECOND_ORIGIN = `${TEST_LOG_ORIGIN}/2`;
const SIGNED_AT = '2026-06-01T12:00:00.000Z';

type MemoryLog = Awaited<ReturnType<typeof createMemoryLog>>;

let statements = 0;
async function store(count: number): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let n = 0; n < count; n += 1) {
    statements += 1;
    const digest = await sha256Digest(`statement ${statements}`);
    entries.push({ type: 'purchase_receipt', digest, keyId: 'key-1', signedAt: SIGNED_AT });
  }
  await market.commit([
    {
      sql: `INSERT INTO log_outbox (type, digest, key_id, signed_at)
        SELECT value ->> 'type', value ->> 'digest', value ->> 'keyId', value ->> 'signedAt' FROM json_each(?)`,
      params: [JSON.stringify(entries)],
    },
  ]);
  return entries;
}

const publishedOf = ({ files }: MemoryLog, origin: string) => {
  const found = checkpointIn(files.checkpoint ?? '', origin);
  if (found === null) throw new Error('Nothing is published.');
  return found.checkpoint;
};
const stateOf = async () =>
  (
    await sales.rows<{ size: number; stopped_at: string | null; waiting: number }>(
      'SELECT size, stopped_at, (SELECT COUNT(*) FROM log_outbox) AS waiting FROM log_state',
    )
  )[0];

beforeEach(async () => {
  await testBindings.DB.prepare('DELETE FROM log_outbox').run();
  await testBindings.DB.prepare('UPDATE log_state SET stopped_at = NULL, size = 0').run();
});

/** A log that was put back with its bucket behind the back of its witness, which stopped it; and the one in its place. */
async function newSecond({ isStolen = false, size = 1300 } = {}) {
  const { witness } = await newMemoryWitness();
  const ahead = await createMemoryLog(market, [witness]);
  const kept = await store(size);
  const first = await createMemoryLog(market, [witness]);
  await sequenceStatements({ ...first.ports, witnesses: [] });
  const lost = await newSale();
  await sequenceStatements(ahead.ports);
  await market.commit([{ sql: 'UPDATE log_state SET size = 2000', params: [] }]);
  const second = await createMemoryLog(market);
  const ports: LogPorts = {
    ...second.ports,
    signers: [await noteSignerOf(createSigner(TEST_INGRESS_SIGNING_KEY), SECOND_ORIGIN, 1)],
    formers: [
      {
        files: first.files,
        origin: TEST_LOG_ORIGIN,
        signer: isStolen ? null : first.ports.signers[0],
      },
    ],
  };
  return { first, kept, lost, second: { ...second, ports } };
}

/** The receipt of a sale: it is stored in the database. */
async function newSale(): Promise<LogEntry> {
  const { id } = await sales.listing();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const { body } = await sales.buy(id, buyer);
  const receipt = body.receipt as unknown as LogEntry & { statement: { type: string } };
  const { digest, keyId, signedAt, statement } = receipt;
  return { type: statement.type, digest, keyId, signedAt };
}

const placeOf = async ({ ports, files }: MemoryLog, { digest }: LogEntry) =>
  (await proveInclusion({ tree: ports.tree, files, origin: SECOND_ORIGIN }, digest))?.index ?? null;

it('takes the place of the newest that published anything, where another was named meanwhile and never ran', async () => {
  const { first, kept, second } = await newSecond();
  const ended = publishedOf(first, TEST_LOG_ORIGIN);
  const unused = await createMemoryLog(market);
  const skipped = { ...unused.ports, files: unused.files, origin: `${TEST_LOG_ORIGIN}/3`, signer: null };
  const ports = { ...second.ports, formers: [skipped, ...second.ports.formers] };
  await sequenceStatements(ports);
  expect(publishedOf(second, SECOND_ORIGIN).size).toBeGreaterThan(ended.size);
  expect(await placeOf({ ...second, ports }, kept[0] as LogEntry)).toBe(0);
});

it('begins with every leaf of the one that ended, takes again what was lost with it, and is named by its key', async () => {
  const { first, kept, lost, second } = await newSecond();
  const before = { checkpoint: first.files.checkpoint, tiles: first.files.tiles.size };
  const ended = publishedOf(first, TEST_LOG_ORIGIN);
  await sequenceStatements(second.ports);

  const begun = publishedOf(second, SECOND_ORIGIN);
  expect(begun.size).toBeGreaterThan(ended.size);
  // Its beginning is the last tree of the other.
  const root = await rootOfTiles(ended.size, tilesIn(filesOfTree(second.files, begun.size)));
  expect(isSameHash(root, ended.root)).toBe(true);
  for (const [index, entry] of [
    [0, kept[0]],
    [1299, kept[1299]],
  ] as const)
    expect(await placeOf(second, entry as LogEntry)).toBe(index);
  expect(await placeOf(second, lost)).toBeGreaterThanOrEqual(ended.size);
  expect(await stateOf()).toEqual({ size: begun.size, stopped_at: null, waiting: 0 });

  // Of the log that ended nothing changed, but that it says so.
  expect(first.files.checkpoint).toBe(before.checkpoint);
  expect(first.files.tiles.size).toBe(before.tiles + 1);
  const note = parseNote(new TextDecoder().decode(first.files.tiles.get(SUCCESSOR_PATH)));
  if (note === null) throw new Error('There is no note.');
  expect(await verifyNote(note, first.ports.signers[0].key)).toMatchObject({ kind: 'valid' });
  expect(await parseLogSuccessor(note.text)).toMatchObject({
    last: { origin: TEST_LOG_ORIGIN, size: ended.size },
    key: { name: SECOND_ORIGIN, id: second.ports.signers[0].key.id },
  });
  await store(3);
  await sequenceStatements(second.ports);
  expect(publishedOf(second, SECOND_ORIGIN).size).toBe(begun.size + 3);
});

it('is named by nobody where the key of the one before was stolen', async () => {
  const { first, second } = await newSecond({ isStolen: true });
  await sequenceStatements(second.ports);
  expect(first.files.tiles.has(SUCCESSOR_PATH)).toBe(false);
  expect(publishedOf(second, SECOND_ORIGIN).size).toBeGreaterThan(1300);
});

it('does not begin where the files of the one before do not lead to its checkpoint', async () => {
  const { first, second } = await newSecond();
  const tile = first.files.tiles.get('tile/entries/002') as Uint8Array;
  tile[60] = (tile[60] ?? 0) ^ 1;
  await expect(sequenceStatements(second.ports)).rejects.toThrow('do not lead to its checkpoint');
  expect([second.files.checkpoint, (await stateOf())?.waiting]).toEqual([null, 0]);
});

it('cut off at any call, it goes on in the next run, with no leaf lost and none twice', async () => {
  const { first, lost, second } = await newSecond({ size: 300 });
  const ended = publishedOf(first, TEST_LOG_ORIGIN);
  for (let limit = 1; ; limit += 1) {
    let calls = 0;
    const cutting = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(of, name) {
          const value = Reflect.get(of, name);
          if (typeof value !== 'function') return value;
          return async (...params: unknown[]) => {
            calls += 1;
            const call = calls;
            const result = await value.apply(of, params);
            if (call === limit) throw new Error('It was cut off.');
            return result;
          };
        },
      });
    const again = await createMemoryLog(market);
    const { tree, files } = again.ports;
    const formers = second.ports.formers.map((former) => ({ ...former, files: cutting(first.files) }));
    const own = { ...second.ports, tree, files };
    const isCut = await sequenceStatements({
      ...own,
      market: cutting(own.market),
      tree: cutting(tree),
      files: cutting(files),
      formers,
      sinceStart: newSinceStart(),
    }).then(
      () => false,
      (error: unknown) => {
        if (String(error).includes('cut off')) return true;
        throw error;
      },
    );
    await sequenceStatements({ ...own, sinceStart: newSinceStart() });
    const begun = publishedOf(again, SECOND_ORIGIN);
    const root = await rootOfTiles(ended.size, tilesIn(filesOfTree(files, begun.size)));
    expect([limit, isSameHash(root, ended.root)]).toEqual([limit, true]);
    expect(await placeOf({ ...again, ports: own }, lost), `cut ${limit}`).not.toBeNull();
    expect(await stateOf()).toEqual({ size: begun.size, stopped_at: null, waiting: 0 });
    if (!isCut) {
      expect(limit).toBeGreaterThan(20);
      return;
    }
  }
});
