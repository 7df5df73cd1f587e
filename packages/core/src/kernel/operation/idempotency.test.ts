import { expect, it } from 'vitest';
import { createKeyedHash } from '../../adapters/keys/keyed-hash.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { TEST_VARIABLES } from '../../testing/marketplace/test-bindings.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { DAY_MS, MINUTE_MS } from '../time.ts';

// Registration stands for all operations whose answer holds a secret: it is never kept, nor given twice.

const market = createTestMarketplace();

async function register(key: string, body: object, at = market, address = '192.0.2.1') {
  const response = await at.request('POST', '/agents/register', {
    body,
    headers: { 'idempotency-key': key, 'cf-connecting-ip': address },
  });
  return { status: response.status, headers: response.headers, ...(await readSigned(response)) };
}

const agentCount = () => testBindings.DB.prepare('SELECT count(*) AS n FROM agents').first('n');

it('the same key and body: one effect, and the secret is not given again', async () => {
  const before = Number(await agentCount());
  expect((await register('first', { name: 'Ada' })).status).toBe(201);
  const { status, body, text } = await register('first', { name: 'Ada' });
  expect([status, body.code]).toEqual([409, 'idempotency_not_replayable']);
  expect(text).not.toContain('mkt_live_');
  expect(await agentCount()).toBe(before + 1);
});

it('members in another order are the same body', async () => {
  await register('order', { name: 'Ada', displayName: 'A' });
  expect((await register('order', { displayName: 'A', name: 'Ada' })).status).toBe(409);
});

it('the same key with another body is 422', async () => {
  await register('body', { name: 'Ada' });
  const { status, body } = await register('body', { name: 'Bea' });
  expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
});

it('a key is its caller’s own', async () => {
  await register('caller', { name: 'Ada' }, market, '192.0.2.1');
  expect((await register('caller', { name: 'Bea' }, market, '192.0.2.2')).status).toBe(201);
});

it('while the first is being worked on, the second is 409 and may be sent again', async () => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const keyedHash = createKeyedHash(TEST_VARIABLES.APP_SECRET);
  const slow = createTestMarketplace({
    overrides: {
      keyedHash: {
        ...keyedHash,
        async hex(purpose, text) {
          entered.resolve();
          await gate.promise;
          return keyedHash.hex(purpose, text);
        },
      },
    },
  });
  const first = register('flight', { name: 'Ada' }, slow);
  await entered.promise;
  const second = await register('flight', { name: 'Ada' }, market);
  expect([second.status, second.body.code]).toEqual([409, 'idempotency_in_flight']);
  expect([second.body.retryable, second.headers.get('retry-after')]).toEqual([true, '1']);
  gate.resolve();
  expect((await first).status).toBe(201);
});

it('of two at once with one key, one happens', async () => {
  const answers = await Promise.all([register('race', { name: 'Ada' }), register('race', { name: 'Ada' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('a refused request gives its key back', async () => {
  expect((await register('again', { name: 'Ada', displayName: 'admin' })).status).toBe(409);
  await market.background.settled();
  expect((await register('again', { name: 'Ada', displayName: 'Ada' })).status).toBe(201);
});

it('a request that died gives its key back after a minute, to the same request only', async () => {
  const dying = createTestMarketplace({
    overrides: {
      keyedHash: { ...createKeyedHash(TEST_VARIABLES.APP_SECRET), hex: () => new Promise<string>(() => {}) },
    },
  });
  void register('dead', { name: 'Ada' }, dying);
  while (!(await testBindings.DB.prepare("SELECT 1 FROM idempotency_keys WHERE key = 'dead'").first())) {}
  expect((await register('dead', { name: 'Ada' })).status).toBe(409);
  market.clock.advance(MINUTE_MS);
  expect((await register('dead', { name: 'Bea' })).status).toBe(422);
  expect((await register('dead', { name: 'Ada' })).status).toBe(201);
});

it('a key is free again after a day', async () => {
  await register('day', { name: 'Ada' });
  market.clock.advance(DAY_MS - 1);
  expect((await register('day', { name: 'Bea' })).status).toBe(422);
  market.clock.advance(1);
  expect((await register('day', { name: 'Bea' })).status).toBe(201);
});

it('a reply lost after the commit, then a retry: one effect (invariant 3)', async () => {
  const lossy = createTestMarketplace();
  const before = Number(await agentCount());
  lossy.market.fault = (sql) =>
    sql.some((one) => /insert into "?agents/i.test(one)) ? 'lose_reply' : undefined;
  expect((await register('lost', { name: 'Ada' }, lossy)).status).toBe(503);
  await lossy.background.settled();
  lossy.market.fault = () => undefined;
  const { status, body } = await register('lost', { name: 'Ada' }, lossy);
  expect([status, body.code]).toEqual([409, 'idempotency_not_replayable']);
  expect(await agentCount()).toBe(before + 1);
});

it.each(['', 'k'.repeat(256), 'käy'])('%j is no key', async (key) => {
  const { status, body } = await register(key, { name: 'Ada' });
  expect(status).toBe(400);
  expect(body.errors).toEqual([expect.objectContaining({ path: 'Idempotency-Key' })]);
});

it('255 characters are one', async () => {
  expect((await register('k'.repeat(255), { name: 'Ada' })).status).toBe(201);
});
