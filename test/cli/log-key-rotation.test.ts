import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSigner, generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import type { Witness as WitnessPort } from '@agent-marketplace/core/kernel/ports/transparency/transparency-log.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { sequenceStatements } from '@agent-marketplace/core/transparency/index.ts';
import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import {
  formatNoteKey,
  type NoteSigner,
  noteSignerOf,
  parseNote,
} from '@agent-marketplace/protocol/log/note.ts';
import { createLogReader, parseLogPolicy, verifyConsistent, verifyLogged } from '@agent-marketplace/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCliHome } from '../../packages/cli/src/testing/run-cli.ts';
import { addCheckpoint } from '../../packages/cli/src/witness/add-checkpoint.ts';
import { openWitnessKey } from '../../packages/cli/src/witness/witness-key.ts';
import { folderTrees } from '../../packages/cli/src/witness/witnessed-trees.ts';
import { serveMemoryLog } from './serve-memory-log.ts';

// A log changes its key. Whoever knows the old and the new one goes on without an alarm, and nobody believes a third.

const URL_OF_LOG = 'https://market.test/api/log';
const SIGNED_AT = '2026-06-01T12:00:00.000Z';
const market = createDatabase(testBindings.DB);
const newKey = async () =>
  noteSignerOf(createSigner((await generateSigningKey()).secretJwk), TEST_LOG_ORIGIN, 1);

/** A log with a witness and a monitor who know the given keys of it. */
async function newWorld(known: readonly NoteSigner[]) {
  await market.commit([{ sql: 'DELETE FROM log_outbox', params: [] }]);
  const home = await createCliHome();
  const signer = await openWitnessKey(join(home.folder, 'key.json'), 'club.example/witness');
  const logs = known.map(({ key }) => key);
  const trees = folderTrees(join(home.folder, 'trees'));
  const refusals: number[] = [];
  const witness: WitnessPort = {
    key: signer.key,
    async addCheckpoint(request) {
      const { status, body } = await addCheckpoint(request, {
        logs,
        signer,
        trees,
        now: () => 1_790_000_000_000,
      });
      if (status === 200) return { kind: 'cosigned', lines: body };
      refusals.push(status);
      return { kind: 'failed', reason: body };
    },
  };
  const log = await createMemoryLog(market, [witness]);
  const { ports, files, clock } = log;
  let signers: readonly [NoteSigner, ...NoteSigner[]] = ports.signers;
  let statements = 0;

  const policyOf = (keys: readonly NoteSigner[]) =>
    [
      ...keys.map(({ key }) => `log ${formatNoteKey(key)}`),
      `witness club ${formatNoteKey(signer.key)}`,
      'quorum club\n',
    ].join('\n');
  await writeFile(join(home.folder, 'policy.txt'), policyOf(known));

  async function run(): Promise<void> {
    // A witness that refused is asked again after a minute.
    clock.advance(60_000);
    await sequenceStatements({ ...ports, signers });
  }
  async function grow(): Promise<{ type: string; digest: string; keyId: string; signedAt: string }> {
    statements += 1;
    const digest = await sha256Digest(`statement ${statements}`);
    const entry = { type: 'purchase_receipt', digest, keyId: 'key-1', signedAt: SIGNED_AT };
    await market.commit([
      {
        sql: 'INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (?, ?, ?, ?)',
        params: [entry.type, digest, entry.keyId, SIGNED_AT],
      },
    ]);
    await run();
    return entry;
  }

  vi.stubGlobal('fetch', (input: string) => serveMemoryLog(log, input, signers));
  return {
    home,
    refusals,
    grow,
    run,
    reader: createLogReader({ url: URL_OF_LOG }),
    signWith: (...next: [NoteSigner, ...NoteSigner[]]) => {
      signers = next;
    },
    policy: (...keys: NoteSigner[]) => parseLogPolicy(policyOf(keys)),
    keyIds: () => parseNote(files.checkpoint ?? '')?.signatures.map(({ keyId }) => keyId),
    witnessId: signer.key.id,
    monitor: () =>
      home.run([
        'monitor',
        ...['--policy', join(home.folder, 'policy.txt'), '--folder', join(home.folder, 'monitor')],
        ...['--log', URL_OF_LOG, '--json'],
      ]),
  };
}

let world: Awaited<ReturnType<typeof newWorld>>;
let before: NoteSigner;
let next: NoteSigner;
beforeEach(async () => {
  [before, next] = [await newKey(), await newKey()];
});
afterEach(() => world.home.remove());

it('a verifier, a monitor and a witness who know both keys go on across the change', async () => {
  world = await newWorld([before, next]);
  const { grow, run, signWith, policy, reader, monitor, keyIds, witnessId } = world;
  const all = { before: await policy(before), both: await policy(before, next), next: await policy(next) };
  const judge = async (entry: object, proof: string) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(all).map(async ([name, one]) => {
          const verdict = await verifyLogged(entry, proof, one);
          return [name, verdict.valid || verdict.reason] as const;
        }),
      ),
    );
  const proofOf = async ({ digest }: { digest: string }) => (await reader.proof(digest)) ?? '';

  signWith(before);
  const first = await grow();
  const kept = { proof: await proofOf(first), checkpoint: await reader.checkpoint() };
  expect(await judge(first, kept.proof)).toEqual({ before: true, both: true, next: 'log_signature' });
  expect((await monitor()).exitCode).toBe(0);

  // The log is idle: its checkpoint gets the second signature all the same, and keeps its cosignature.
  signWith(before, next);
  await run();
  expect(keyIds()).toEqual([before.key.id, next.key.id, witnessId]);
  const published = await (await fetch(`${URL_OF_LOG}/key`)).text();
  expect(published).toBe(`${formatNoteKey(before.key)}\n${formatNoteKey(next.key)}\n`);
  expect(await judge(first, await proofOf(first))).toEqual({ before: true, both: true, next: true });
  const second = await grow();
  expect(await judge(second, await proofOf(second))).toEqual({ before: true, both: true, next: true });
  expect((await monitor()).exitCode).toBe(0);

  signWith(next);
  await run();
  expect(keyIds()).toEqual([next.key.id, witnessId]);
  const third = await grow();
  expect(await judge(third, await proofOf(third))).toEqual({
    before: 'log_signature',
    both: true,
    next: true,
  });
  expect((await monitor()).exitCode).toBe(0);
  expect(world.refusals).toEqual([]);

  // What was kept of before still convinces whoever knows the old key, and the log is one log.
  expect(await judge(first, kept.proof)).toEqual({ before: true, both: true, next: 'log_signature' });
  const newest = await reader.checkpoint();
  const hashes = await reader.consistencyProof(1, 3);
  expect(await verifyConsistent(kept.checkpoint, newest, hashes, all.both)).toMatchObject({
    valid: true,
    older: { size: 1 },
    newer: { size: 3 },
  });
});

it('a key that nobody announced is refused by a verifier, a monitor and a witness, and a known one again believed', async () => {
  world = await newWorld([before, next]);
  const { grow, run, signWith, policy, reader, monitor, keyIds, witnessId } = world;
  const both = await policy(before, next);
  signWith(before);
  await grow();
  expect((await monitor()).exitCode).toBe(0);

  const stranger = await newKey();
  signWith(stranger);
  const entry = await grow();
  expect(keyIds()).toEqual([stranger.key.id]);
  expect(world.refusals).toEqual([403]);
  const proof = (await reader.proof(entry.digest)) ?? '';
  expect(await verifyLogged(entry, proof, both)).toMatchObject({ valid: false, reason: 'log_signature' });
  const refused = await monitor();
  expect([refused.exitCode, refused.json.error.code]).toEqual([14, 'log_signature']);

  signWith(next);
  await run();
  expect(keyIds()).toEqual([next.key.id, witnessId]);
  expect((await monitor()).exitCode).toBe(0);
  const again = (await reader.proof(entry.digest)) ?? '';
  expect(await verifyLogged(entry, again, both)).toMatchObject({ valid: true, index: 1 });
});
