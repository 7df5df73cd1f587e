import { createHash } from 'node:crypto';
import { challengeEndpoint } from '@agent-marketplace/core/delivery/challenge-endpoint.ts';
import { deliver as askForData } from '@agent-marketplace/core/delivery/deliver.ts';
import { createSigningParty, NOW } from '@agent-marketplace/protocol/testing/signing-party.ts';
import type { Deliver } from '@agent-marketplace/sdk/seller';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { startSellerBench, WANTED } from './seller-bench.ts';

const deliver = vi.fn<Deliver>();
const bench = await startSellerBench(deliver);
const { time, callbackUrl, open, close, ports, target, lastPost, post } = bench;

afterAll(close);
beforeEach(() => {
  vi.clearAllMocks();
  deliver.mockResolvedValue({ a: 1 });
  open();
});

/** A good message of the marketplace, which the seller has not seen yet. */
async function captured() {
  await askForData(ports(), WANTED, target());
  open();
  deliver.mockClear();
  return lastPost();
}

clause('events.receivers');
test('a tampered body', async () => {
  const { headers, body } = await captured();
  const reply = await post(headers, body.replace('l-1', 'l-2'));
  expect(reply).toEqual({ status: 401, body: { error: 'body_mismatch' } });
});

test('a tampered body with its hash', async () => {
  const { headers, body } = await captured();
  const forged = body.replace('l-1', 'l-2');
  headers.set('x-mkt-body-sha256', createHash('sha256').update(forged).digest('hex'));
  expect(await post(headers, forged)).toEqual({ status: 401, body: { error: 'bad_signature' } });
});

test.each([
  ['x-mkt-signature', 'A'.repeat(86), 'bad_signature'],
  ['x-mkt-signature', 'not base64url!', 'not_signed'],
  ['x-mkt-key-id', 'key-of-nobody', 'unknown_key'],
  ['x-mkt-timestamp', '2026-06-01T12:00:00.001Z', 'bad_signature'],
  ['x-mkt-timestamp', 'yesterday', 'not_signed'],
  ['x-mkt-signature-alg', 'none', 'not_signed'],
])('%s: %s', async (name, value, error) => {
  const { headers, body } = await captured();
  headers.set(name, value);
  expect(await post(headers, body)).toEqual({ status: 401, body: { error } });
  expect(deliver).not.toHaveBeenCalled();
});

test('an unsigned request', async () => {
  const reply = await post(new Headers(), '{"type":"delivery_request"}');
  expect(reply).toEqual({ status: 401, body: { error: 'not_signed' } });
});

test('a message signed by a stranger', async () => {
  const outcome = await askForData(ports(await createSigningParty()), WANTED, target());
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'call_refused' });
});

test('what is asked of another seller who registered this URL', async () => {
  open({ sellerId: 's-2' });
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ reason: 'call_refused' });
  expect(await challengeEndpoint(ports(), target(), 'ab'.repeat(24))).toEqual({
    verified: false,
    reason: 'bad_status',
  });
  open({ sellerId: 's-1' });
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'delivered' });
  expect(await challengeEndpoint(ports(), target(), 'ab'.repeat(24))).toEqual({
    verified: true,
    namesSeller: true,
    mcpRevision: null,
  });
});

test('a message for another URL of the same server', async () => {
  const other = callbackUrl.replace('seller=1', 'seller=2');
  expect(await askForData(ports(), WANTED, target(other))).toMatchObject({ reason: 'call_refused' });
  const { headers, body } = lastPost();
  expect(await post(headers, body)).toEqual({ status: 401, body: { error: 'bad_signature' } });
});

clause('events.freshness');
test.each([
  [301_000, 401],
  [-301_000, 401],
  [299_000, 200],
  [-299_000, 200],
])('a clock that is %i ms ahead gives %i', async (ahead, status) => {
  const { headers, body } = await captured();
  time.seller = NOW + ahead;
  expect((await post(headers, body)).status).toBe(status);
});

test('a replay, until it is stale anyway', async () => {
  const { headers, body } = await captured();
  expect((await post(headers, body)).status).toBe(200);
  expect(await post(headers, body)).toEqual({ status: 429, body: { error: 'replayed' } });
  time.seller = NOW + 300_000;
  expect((await post(headers, body)).status).toBe(429);
  time.seller += 1;
  expect((await post(headers, body)).status).toBe(401);
  expect(deliver).toHaveBeenCalledOnce();
});

test.each([
  ['{"type":"something_else"}', 'unknown_message'],
  ['{"type":"delivery_request","type":"delivery_request"}', 'malformed_json'],
  ['[]', 'unknown_message'],
  ['', 'malformed_json'],
])('signed nonsense: %s', async (nonsense, error) => {
  await ports().sellerEndpoint.post({ url: callbackUrl, body: nonsense, timeoutMs: 1000, maxBytes: 1000 });
  open();
  const { headers, body } = lastPost();
  expect(await post(headers, body)).toEqual({ status: 400, body: { error } });
});

test('other methods and large bodies', async () => {
  expect(await post(new Headers(), null, 'GET')).toMatchObject({ status: 405 });
  expect(await post(new Headers(), 'a'.repeat(3 * 1024 * 1024))).toMatchObject({ status: 413 });
});
