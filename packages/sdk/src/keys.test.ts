import {
  BASE_URL,
  createSigningParty,
  signingKeyDocument,
} from '@agent-marketplace/protocol/testing/signing-party.ts';
import { describe, expect, test } from 'vitest';
import { KeysUnavailableError, remoteKeys } from './key-source.ts';
import { keySetOf } from './keys.ts';

const [current, former, next] = await Promise.all([
  createSigningParty(),
  createSigningParty(),
  createSigningParty(),
]);

describe('keySetOf', () => {
  test('holds the active and the retired keys', () => {
    const keys = keySetOf(signingKeyDocument(current, former));
    expect(keys.keys).toHaveLength(2);
    expect(keys.get(current.publicKey.keyId)).toMatchObject({ status: 'active', raw: current.publicKey.raw });
    expect(keys.get(former.publicKey.keyId)?.status).toBe('retired');
    expect(keys.get('unheard-of')).toBeUndefined();
  });

  test('survives being stored as JSON', () => {
    const stored = JSON.parse(JSON.stringify(signingKeyDocument(current)));
    expect(keySetOf(stored).get(current.publicKey.keyId)?.raw).toEqual(current.publicKey.raw);
  });

  test('makes do with the active key alone', () => {
    const { keyId, publicKeyRaw } = signingKeyDocument(current);
    expect(keySetOf({ keyId, publicKeyRaw }).keys).toHaveLength(1);
  });

  const identity = Buffer.from([1, ...new Array<number>(31).fill(0)]).toString('base64url');
  test.each([
    ['no object', 'text'],
    ['no key', {}],
    ['a short key', { keyId: 'k', publicKeyRaw: 'AAAA' }],
    ['a key of small order', { keyId: 'k', publicKeyRaw: identity }],
    ['keys that are no list', { ...signingKeyDocument(current), keys: {} }],
    [
      'one id for two keys',
      {
        ...signingKeyDocument(current),
        keys: [{ ...signingKeyDocument(former), keyId: current.publicKey.keyId }],
      },
    ],
  ])('refuses %s', (_, document) => {
    expect(() => keySetOf(document)).toThrow(TypeError);
  });

  test('leaves out an unsafe key among the retired ones', () => {
    const document = { ...signingKeyDocument(current), keys: [{ keyId: 'weak', publicKeyRaw: identity }] };
    expect(keySetOf(document).get('weak')).toBeUndefined();
  });
});

describe('remoteKeys', () => {
  function setup() {
    const state = { document: signingKeyDocument(current), fetches: 0, now: 0, down: false };
    const keys = remoteKeys({
      baseUrl: `${BASE_URL}/`,
      now: () => state.now,
      fetch: async (url) => {
        expect(url).toBe(`${BASE_URL}/signing-key`);
        state.fetches++;
        return state.down ? new Response('', { status: 503 }) : Response.json(state.document);
      },
    });
    return { state, keys };
  }

  test('fetches once, and again for a key that it does not know', async () => {
    const { state, keys } = setup();
    await keys.keysFor(current.publicKey.keyId);
    await keys.keysFor(current.publicKey.keyId);
    expect(state.fetches).toBe(1);

    state.document = signingKeyDocument(next, current);
    state.now = 60_000;
    expect((await keys.keysFor(next.publicKey.keyId)).get(next.publicKey.keyId)?.status).toBe('active');
    expect((await keys.keysFor(current.publicKey.keyId)).get(current.publicKey.keyId)?.status).toBe(
      'retired',
    );
    expect(state.fetches).toBe(2);
  });

  test('made-up key ids do not become a flood of fetches', async () => {
    const { state, keys } = setup();
    for (let i = 0; i < 50; i++) await keys.keysFor(`made-up-${i}`);
    expect(state.fetches).toBe(1);
  });

  test('many callers at once all get the keys, with few fetches', async () => {
    const { state, keys } = setup();
    const callers = Array.from({ length: 30 }, () => keys.keysFor(current.publicKey.keyId));
    for (const found of await Promise.all(callers)) {
      expect(found.get(current.publicKey.keyId)?.status).toBe('active');
    }
    expect(state.fetches).toBeLessThanOrEqual(4);
  });

  test('many callers at once while there are no keys: each is told, none waits for good', async () => {
    const { state, keys } = setup();
    state.down = true;
    const callers = Array.from({ length: 30 }, () => keys.keysFor('any'));
    const outcomes = await Promise.allSettled(callers);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  test('tries twice, then says that it cannot tell', async () => {
    const { state, keys } = setup();
    state.down = true;
    await expect(keys.keysFor('any')).rejects.toThrow(KeysUnavailableError);
    expect(state.fetches).toBe(2);
  });
});
