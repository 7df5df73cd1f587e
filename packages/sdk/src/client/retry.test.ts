import { afterAll, describe, expect, test } from 'vitest';
import { failure, problem, startClientBench } from '../testing/client-bench.ts';

const REGISTERED = { apiKey: 'mkt_live_x', createdAt: '2026-06-01T12:00:00.000Z', id: 'a-1', name: 'n' };

const AGAIN = { retryable: true };

const { stub, slept, clientOf } = await startClientBench();
afterAll(() => stub.close());

describe('retries', () => {
  test('carry the same Idempotency-Key and body after a lost reply, 503, 429 and an answer in the making', async () => {
    stub.answers(
      null,
      { ...problem(503, 'service_unavailable', AGAIN), headers: { 'retry-after': '2' } },
      { status: 429, body: 'slow down' },
      { ...problem(409, 'idempotency_in_flight', AGAIN), headers: { 'retry-after': '1' } },
      { status: 201, body: REGISTERED },
    );
    const answer = await clientOf({ retries: 4 }).registerAgent({ name: 'n' });
    expect(answer.id).toBe('a-1');
    expect(stub.calls).toHaveLength(5);
    expect(new Set(stub.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(stub.calls.map(({ body }) => body)).size).toBe(1);
    expect(slept).toHaveLength(4);
    expect(slept[1]).toBe(2000);
    expect(slept[3]).toBe(1000);
  });

  test('use the key that the caller stored', async () => {
    stub.answers({ body: REGISTERED });
    await clientOf().registerAgent({ name: 'n' }, { idempotencyKey: 'order-7' });
    expect(stub.calls[0]?.headers['idempotency-key']).toBe('order-7');
  });

  test('that were aborted say by which key the call can be found, and that its outcome is not known', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const client = clientOf({
      sleep: async () => {
        controller.abort(new Error('enough'));
        signal.throwIfAborted();
      },
    });
    const options = { idempotencyKey: 'order-8', signal };
    stub.answers({ ...problem(503, 'service_unavailable', AGAIN) });
    const aborted = {
      name: 'MarketplaceError',
      code: 'aborted',
      status: 0,
      charged: null,
      retryable: true,
      idempotencyKey: 'order-8',
      cause: { message: 'enough' },
    };
    expect(await failure(client.registerAgent({ name: 'n' }, options))).toMatchObject(aborted);
    expect(stub.calls).toHaveLength(1);
    expect(await failure(client.registerAgent({ name: 'n' }, options))).toMatchObject(aborted);
    // What changes nothing has no outcome to find.
    expect(await failure(client.request('GET', '/a', { signal }))).toBe(signal.reason);
  });

  test('end, and the last answer is thrown', async () => {
    stub.answers({ ...problem(503, 'service_unavailable', AGAIN) });
    const error = await failure(clientOf({ retries: 2 }).request('GET', '/a'));
    expect(stub.calls).toHaveLength(3);
    expect(error).toMatchObject({ code: 'service_unavailable', retryable: true });
    for (const delay of slept) expect(delay).toBeLessThan(1000);
  });

  test('are not made for other errors, nor when told to come back much later', async () => {
    stub.answers(problem(409, 'listing_not_active'));
    await failure(clientOf().request('POST', '/a'));
    expect(stub.calls).toHaveLength(1);
    stub.answers(problem(503, 'payments_not_available'));
    await failure(clientOf().request('POST', '/a'));
    expect(stub.calls).toHaveLength(1);
    stub.answers({ ...problem(429, 'rate_limited', AGAIN), headers: { 'retry-after': '3600' } });
    expect(await failure(clientOf().request('GET', '/a'))).toMatchObject({ code: 'rate_limited' });
    expect(stub.calls).toHaveLength(1);
  });

  test('stop when the caller aborts', async () => {
    stub.answers(null);
    const controller = new AbortController();
    const sleep = async () => controller.abort(new Error('enough'));
    const { signal } = controller;
    const error = await failure(clientOf({ sleep }).request('GET', '/a', { signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(stub.calls).toHaveLength(1);
  });
});
