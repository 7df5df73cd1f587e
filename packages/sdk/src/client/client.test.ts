import { afterAll, describe, expect, test } from 'vitest';
import { failure, problem, startClientBench } from '../testing/client-bench.ts';
import { MarketplaceError } from './errors.ts';

const REGISTERED = { apiKey: 'mkt_live_x', createdAt: '2026-06-01T12:00:00.000Z', id: 'a-1', name: 'n' };

const { party, stub, clientOf } = await startClientBench();
afterAll(() => stub.close());

describe('a call', () => {
  test('goes to its route with the key, and brings the answer with its provenance', async () => {
    stub.answers({ status: 201, body: REGISTERED });
    const answer = await clientOf({ apiKey: 'mkt_live_k' }).registerAgent({ name: 'n' });
    expect(answer).toMatchObject(REGISTERED);
    expect(answer.provenance.receipt.keyId).toBe(party.publicKey.keyId);
    expect(stub.calls).toMatchObject([
      { method: 'POST', path: '/api/agents/register', body: '{"name":"n"}' },
    ]);
    const headers = stub.calls[0]?.headers;
    expect(headers).toMatchObject({ authorization: 'Bearer mkt_live_k', 'content-type': 'application/json' });
    expect(headers?.['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('by the escape hatch: query, further headers, another key, no Idempotency-Key on reads', async () => {
    stub.answers({ body: { ok: true } });
    const client = clientOf({ apiKey: 'mkt_live_k' }).withApiKey('mkt_live_other');
    const answer = await client.request<{ ok: boolean }>('GET', '/anything', {
      query: { q: 'a b&c', limit: 5, filter: { x: 1 }, left: undefined },
      headers: { 'x-further': 'yes' },
    });
    expect(answer.ok).toBe(true);
    expect(stub.calls[0]).toMatchObject({
      method: 'GET',
      path: '/api/anything?q=a+b%26c&limit=5&filter=%7B%22x%22%3A1%7D',
      headers: { authorization: 'Bearer mkt_live_other', 'x-further': 'yes' },
    });
    expect(stub.calls[0]?.headers['idempotency-key']).toBeUndefined();
    await expect(client.request('GET', '@elsewhere.example')).rejects.toThrow(TypeError);
  });

  test('needs no input where all of it is optional, and no Idempotency-Key where nothing changes', async () => {
    stub.answers({ body: { agents: [], total: 0 } });
    const client = clientOf();
    expect((await client.listAgents()).total).toBe(0);
    await client.listAgents({ limit: 5 });
    await client.verifyReceipt({ receipt: { digest: '', keyId: '', signature: '', signedAt: '' } });
    expect(stub.calls.map(({ path }) => path)).toEqual([
      '/api/agents',
      '/api/agents?limit=5',
      '/api/verify-receipt',
    ]);
    for (const { headers } of stub.calls) expect(headers['idempotency-key']).toBeUndefined();
  });

  test('fetches the keys once for many calls', async () => {
    stub.answers({ body: { ok: true } });
    const client = clientOf();
    const before = stub.state.keyFetches;
    await client.request('GET', '/a');
    await client.withApiKey('mkt_live_k').request('GET', '/b');
    expect(stub.state.keyFetches).toBe(before + 1);
  });
});

describe('errors', () => {
  test('a problem is mapped member by member', async () => {
    const refused = problem(400, 'validation_failed', {
      charged: false,
      errors: [{ path: 'price_cents', message: 'Too small.' }],
      requestId: 'r-1',
    });
    stub.answers(refused);
    const error = await failure(clientOf().registerAgent({ name: '' }));
    expect(error).toBeInstanceOf(MarketplaceError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      status: 400,
      retryable: false,
      requestId: 'r-1',
      charged: false,
      fields: [{ path: 'price_cents', message: 'Too small.' }],
      problem: refused.body,
      idempotencyKey: stub.calls[0]?.headers['idempotency-key'],
      message: 'Title. Detail.',
    });
  });

  test('a code of a newer marketplace is none of the closed list, and is kept in the problem', async () => {
    stub.answers(problem(409, 'moon_is_full', { retryable: true }));
    expect(await failure(clientOf({ retries: 0 }).request('GET', '/a'))).toMatchObject({
      code: 'unknown_code',
      status: 409,
      retryable: true,
      problem: { code: 'moon_is_full' },
    });
  });

  test('no answer, no answer in time, and an answer of something in between', async () => {
    stub.answers(null);
    expect(await failure(clientOf({ retries: 0 }).request('GET', '/a'))).toMatchObject({
      code: 'network_error',
      status: 0,
      charged: null,
    });
    const hanging: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const patient = clientOf({ retries: 1, timeoutMs: 20, fetch: hanging });
    expect(await failure(patient.request('GET', '/a'))).toMatchObject({ code: 'timed_out', status: 0 });
    stub.answers({ status: 502, body: '<html>Bad gateway</html>' });
    expect(await failure(clientOf().request('GET', '/a'))).toMatchObject({
      code: 'unexpected_response',
      status: 502,
      retryable: true,
    });
  });
});
