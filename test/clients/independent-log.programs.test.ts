import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromHex, toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import {
  PETER_KEY,
  PETER_NOTE,
  PUBLIC_CHECKPOINT,
  PUBLIC_LOG,
  PUBLIC_WITNESSES,
  TREE_ENTRIES,
  TREE_ROOTS,
} from '@agent-marketplace/protocol/testing/log-vectors.data.ts';
import { afterAll, expect, it } from 'vitest';
import { createNoteSigner, createStubLog } from '../../packages/sdk/src/testing/stub-log.ts';
import { logFaultsFound } from '../e2e/independent-log.ts';

// A verifier in another language judges published vectors first, so that its word on our own log counts.

const base64 = (hex: string) => toBase64(fromHex(hex) ?? new Uint8Array());

it('the independent verifier judges published notes, checkpoints and trees', async () => {
  const trees = TREE_ROOTS.map((root, size) => ({
    kind: 'root' as const,
    leaves: TREE_ENTRIES.slice(0, size).map(base64),
    root: base64(root),
  }));
  const given = {
    log: PUBLIC_LOG,
    witnesses: Object.values(PUBLIC_WITNESSES),
    checks: [
      { kind: 'note' as const, text: PETER_NOTE, vkey: PETER_KEY },
      { kind: 'checkpoint' as const, text: PUBLIC_CHECKPOINT, cosignatures: 3 },
      ...trees,
    ],
  };
  expect(await logFaultsFound(given)).toEqual([]);
  const wrong = {
    ...given,
    checks: [
      { kind: 'note' as const, text: PETER_NOTE.replace('answer', 'answar'), vkey: PETER_KEY },
      { kind: 'checkpoint' as const, text: PUBLIC_CHECKPOINT, cosignatures: 4 },
      { kind: 'root' as const, leaves: trees[8]?.leaves ?? [], root: trees[7]?.root ?? '' },
    ],
  };
  expect(await logFaultsFound(wrong)).toEqual([
    '0 note: bad signature of PeterNeumann',
    '1 checkpoint: too few cosignatures',
    '2 root: another root',
  ]);
});

const stub = await createStubLog();
const witness = await createNoteSigner('club.example/w1', 4);
const digestAt = (at: number) => `sha256:${String(at).padStart(64, '0')}`;
stub.entries.push(...Array.from({ length: 600 }, (_, at) => utf8(JSON.stringify({ digest: digestAt(at) }))));
const server = createServer(async (request, response) => {
  const answer = await stub.fetch(`http://localhost${request.url}`);
  response.writeHead(answer.status).end(new Uint8Array(await answer.arrayBuffer()));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`;

it('the independent verifier believes our proofs, and finds what was changed', async () => {
  const cosigners = [witness];
  const older = await stub.publish({ size: 300, cosigners });
  const newer = await stub.publish({ cosigners });
  const hashes = (await stub.consistency(300)).map(toBase64);
  const judge = (checks: Parameters<typeof logFaultsFound>[0]['checks']) =>
    logFaultsFound({ log: stub.vkey, witnesses: [formatNoteKey(witness.key)], checks });
  const leaf = toBase64(stub.entries[599] as Uint8Array);
  const proof = await stub.inclusion(599);
  const surface = { kind: 'surface' as const, url, digests: [0, 255, 256, 599].map(digestAt), older };
  expect(
    await judge([{ kind: 'inclusion', proof, leaf }, { kind: 'consistency', older, newer, hashes }, surface]),
  ).toEqual([]);
  stub.entries[5] = utf8('{"digest":"changed"}');
  await stub.publish({ cosigners });
  expect(
    await judge([
      { kind: 'inclusion', proof: proof.replace('index 599', 'index 598'), leaf },
      { kind: 'consistency', older, newer: stub.published, hashes },
      surface,
    ]),
  ).toEqual([
    '0 inclusion: the leaf is not in the tree',
    '1 consistency: the proof does not lead to both roots',
    '2 surface: the older tree is no beginning',
  ]);
});
