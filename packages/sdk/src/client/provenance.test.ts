import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { failure, startClientBench } from '../testing/client-bench.ts';
import { ProvenanceError } from './errors.ts';

const REGISTERED = { apiKey: 'mkt_live_x', createdAt: '2026-06-01T12:00:00.000Z', id: 'a-1', name: 'n' };

const { party, stub, clientOf } = await startClientBench();
const stranger = await createSigningParty();
afterAll(() => stub.close());
beforeEach(() => {
  stub.state.keys = signingKeyDocument(party);
});

describe('provenance', () => {
  test.each([
    ['signed by a stranger', 'unknown_key', async () => ({ body: REGISTERED, signedBy: stranger })],
    ['not signed', 'malformed', async () => ({ body: JSON.stringify(REGISTERED) })],
    [
      'changed',
      'digest_mismatch',
      async () => ({ body: (await party.answer(REGISTERED)).replace('a-1', 'a-2') }),
    ],
    ['an unsigned error', 'malformed', async () => ({ status: 403, body: '{"code":"own_listing"}' })],
  ])('an answer that is %s is refused', async (_, reason, reply) => {
    stub.answers(await reply());
    const error = await failure(clientOf().registerAgent({ name: 'n' }));
    expect(error).toBeInstanceOf(ProvenanceError);
    expect(error).toMatchObject({ reason });
  });

  test('is not looked at when switched off', async () => {
    stub.answers({ body: JSON.stringify(REGISTERED) });
    expect(await clientOf({ verify: 'off' }).registerAgent({ name: 'n' })).toMatchObject(REGISTERED);
  });

  test('keys that rotate are followed', async () => {
    let time = 0;
    const client = clientOf({ now: () => time });
    stub.answers({ body: { ok: true } });
    await client.request('GET', '/a');
    stub.answers({ body: { ok: true }, signedBy: stranger });
    stub.state.keys = signingKeyDocument(stranger, party);
    time = 60_000;
    expect((await client.request('GET', '/a')).provenance.receipt.keyId).toBe(stranger.publicKey.keyId);
  });

  test('keys that cannot be fetched are an error of their own', async () => {
    const text = await party.answer(REGISTERED);
    const noKeys: typeof fetch = async (url) =>
      String(url).endsWith('/signing-key') ? new Response('', { status: 500 }) : new Response(text);
    expect(await failure(clientOf({ fetch: noKeys }).request('GET', '/a'))).toMatchObject({
      code: 'keys_unavailable',
      retryable: true,
    });
  });
});
