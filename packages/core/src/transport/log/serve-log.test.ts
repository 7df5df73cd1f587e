import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { parseLogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { formatNoteKey, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { expect, it } from 'vitest';
import { createSigner } from '../../adapters/keys/keyring.ts';
import { createWindowRateLimiter } from '../../adapters/rate-limit/window-rate-limiter.ts';
import { DEFAULT_RATES } from '../../compose/configuration.ts';
import type { LogFiles } from '../../kernel/ports/transparency/transparency-log.ts';
import { FakeClock } from '../../testing/doubles/fake-clock.ts';
import { TEST_OTHER_SIGNING_KEY, TEST_SIGNING_KEY } from '../../testing/marketplace/test-bindings.ts';
import { serveLog } from './serve-log.ts';

const { key } = await noteSignerOf(createSigner(TEST_OTHER_SIGNING_KEY), 'market.test/api/log', 1);
const { key: nextKey } = await noteSignerOf(createSigner(TEST_SIGNING_KEY), 'market.test/api/log', 1);
const LOGGED = await sha256Digest('logged');
const PROOF = { index: 7, hashes: [], checkpoint: 'market.test/api/log\n8\n…\n', extra: null };
const FILES: Pick<LogFiles, 'read' | 'readCheckpoint'> = {
  read: async (path) => (path === 'tile/0/000.p/3' ? new Uint8Array(96) : null),
  readCheckpoint: async () => ({ text: 'a checkpoint\n', version: 'v' }),
};

function ask(path: string, { method = 'GET', files = FILES, limit = 600 } = {}): Promise<Response> {
  const clock = new FakeClock();
  const rates = { ...DEFAULT_RATES, read: { limit, windowSeconds: 60 } };
  return serveLog(new Request(`https://market.test/api/log${path}`, { method }), '/api/log', {
    keys: [key, nextKey],
    files,
    reader: { proofOf: async (digest) => (digest === LOGGED ? PROOF : null) },
    rateLimiter: createWindowRateLimiter(rates, clock),
  });
}

it('serves the checkpoint, which is never reused unasked, and each key that signs', async () => {
  const checkpoint = await ask('/checkpoint');
  expect(await checkpoint.text()).toBe('a checkpoint\n');
  expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(checkpoint.headers.get('cache-control')).toBe('no-cache');
  expect(checkpoint.headers.get('access-control-allow-origin')).toBe('*');
  const keys = await ask('/key');
  expect(await keys.text()).toBe(`${formatNoteKey(key)}\n${formatNoteKey(nextKey)}\n`);
  // A new key is announced here: who looks must not be shown what was remembered of before.
  expect(keys.headers.get('cache-control')).toBe('no-cache');
});

it('serves tiles by their one path, for good', async () => {
  const tile = await ask('/tile/0/000.p/3');
  expect((await tile.arrayBuffer()).byteLength).toBe(96);
  expect(tile.headers.get('cache-control')).toContain('immutable');
  for (const path of ['/tile/0/0.p/3', '/tile/0/000.p/03', '/tile/0/000', '/tile/entries/1', '/other', ''])
    expect((await ask(path)).status, path).toBe(404);
});

it('serves the proof of a statement, and says when to ask again while there is none', async () => {
  const found = await ask(`/proofs/${LOGGED}`);
  expect(parseLogProof(await found.text())).toMatchObject({ index: 7 });
  const missing = await ask(`/proofs/${await sha256Digest('another')}`);
  expect([missing.status, missing.headers.get('retry-after')]).toEqual([404, '5']);
  // A leaf whose row was deleted stands in the tree as before: the answer must not say that there is none.
  expect(await missing.text()).toMatch(
    /can prove no statement .* lost from its index. All leaves are in the tiles/,
  );
  for (const digest of ['sha256:00', 'x', '%', `${LOGGED}/`])
    expect((await ask(`/proofs/${digest}`)).status).toBe(400);
});

it('a new log, or one whose store cannot be reached, says when to ask again', async () => {
  const empty = await ask('/checkpoint', { files: { ...FILES, readCheckpoint: async () => null } });
  expect([empty.status, empty.headers.get('retry-after')]).toEqual([404, '5']);
  const readCheckpoint = () => Promise.reject(new Error('down'));
  const down = await ask('/checkpoint', { files: { ...FILES, readCheckpoint } });
  expect([down.status, down.headers.get('retry-after')]).toEqual([503, '5']);
});

it('is read with GET, from any page, as often as others are', async () => {
  const head = await ask('/checkpoint', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await ask('/checkpoint', { method: 'OPTIONS' })).status).toBe(204);
  const post = await ask('/checkpoint', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const limited = await ask('/checkpoint', { limit: 0 });
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
});
