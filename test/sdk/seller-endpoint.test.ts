import { challengeEndpoint } from '@agent-marketplace/core/delivery/challenge-endpoint.ts';
import { deliver as askForData } from '@agent-marketplace/core/delivery/deliver.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import type { Deliver } from '@agent-marketplace/sdk/seller';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { startSellerBench, WANTED } from './seller-bench.ts';

const deliver = vi.fn<Deliver>();
const onError = vi.fn();
const { party, time, open, close, ports, target, lastPost, post } = await startSellerBench(deliver);

afterAll(close);
beforeEach(() => {
  vi.clearAllMocks();
  deliver.mockImplementation(async ({ query }) => ({ z: 1, a: { asked: query } }));
  open({ onError });
});

const marketplace = 'https://market.example/api';
const asData = (content: Uint8Array) => JSON.parse(new TextDecoder().decode(content));

test('answers the challenge', async () => {
  expect(await challengeEndpoint(ports(), target(), 'ab'.repeat(24))).toEqual({
    verified: true,
    namesSeller: false,
    mcpRevision: null,
  });
  expect(deliver).not.toHaveBeenCalled();
});

test('delivers what the integrity check of the marketplace accepts', async () => {
  const outcome = await askForData(ports(), WANTED, target());
  expect(outcome.kind === 'delivered' && asData(outcome.content)).toEqual({
    z: 1,
    a: { asked: { of: 'ü' } },
    __sha256: expect.stringMatching(/^sha256:/),
  });
  const request = { type: 'delivery_request', ...WANTED, issuedAt: '2026-06-01T12:00:00.000Z' };
  expect(deliver).toHaveBeenCalledWith(request, null);
});

test('replaces a digest that deliver made itself, and adds none if not wanted', async () => {
  deliver.mockResolvedValue({ __proto__: null, __sha256: 'sha256:old', a: 1 });
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'delivered' });
  deliver.mockResolvedValue({ a: 1 });
  open({ addSha256: false });
  const outcome = await askForData(ports(), WANTED, target());
  expect(outcome.kind === 'delivered' && asData(outcome.content)).toEqual({ a: 1 });
});

test('null is unavailable', async () => {
  deliver.mockResolvedValue(null);
  expect(await askForData(ports(), WANTED, target())).toEqual({ kind: 'unavailable' });
});

test.each([
  ['throws', () => Promise.reject(new Error('password=hunter2'))],
  ['gives what is no JSON', async () => ({ at: new Date() }) as never],
])('deliver that %s is a failure without details', async (_, fail) => {
  deliver.mockImplementation(fail);
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'failed', retryable: true });
  expect(onError).toHaveBeenCalledOnce();
  open({ onError });
  const { headers, body } = lastPost();
  expect(await post(headers, body)).toEqual({ status: 500, body: { error: 'internal_error' } });
});

clause('provenance.rotation', 'events.receivers');
test('fetches the keys from the marketplace, and again after a rotation', async () => {
  const next = await createSigningParty();
  let document = signingKeyDocument(party);
  const keyFetch = vi.fn<typeof fetch>(async () => Response.json(document));
  open({ marketplace, fetch: keyFetch });
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'delivered' });
  document = signingKeyDocument(next, party);
  time.seller += 60_000;
  expect(await askForData(ports(next), WANTED, target())).toMatchObject({ kind: 'delivered' });
  expect(keyFetch).toHaveBeenCalledTimes(2);
});

test('503 while the keys cannot be fetched: nothing is known of the signature', async () => {
  open({ marketplace, onError, fetch: async () => new Response('', { status: 500 }) });
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'failed', retryable: true });
  const { headers, body } = lastPost();
  expect(await post(headers, body)).toEqual({ status: 503, body: { error: 'keys_unavailable' } });
  expect(deliver).not.toHaveBeenCalled();
});

test('two equal requests signed in one millisecond: the second is told to come again', async () => {
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'delivered' });
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'failed', retryable: true });
  time.marketplace += 1;
  expect(await askForData(ports(), WANTED, target())).toMatchObject({ kind: 'delivered' });
});
