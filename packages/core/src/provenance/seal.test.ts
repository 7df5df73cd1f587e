import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import { RawJson } from '@agent-marketplace/protocol/json/raw-json.ts';
import { describe, expect, it } from 'vitest';
import { createSigner } from '../adapters/keys/keyring.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';

const signer = createSigner(TEST_SIGNING_KEY);
const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const BODIES: Record<string, object> = {
  'an empty object': {},
  'an object': { b: 'ü', a: 1 },
  'a raw member': { content: new RawJson(utf8('{"x":"€"}')), z: null },
};

async function signedText(body: object, signed: 'once' | 'repeatedly', baseUrl = 'http://x/api') {
  return new TextDecoder().decode(await sign(await serialise(body, signed), signer, NOW, baseUrl));
}

describe.each(Object.entries(BODIES))('%s', (_, body) => {
  it('is the same whether it is signed in place or not', async () => {
    const once = await signedText(body, 'once');
    expect(once).toBe(await signedText(body, 'repeatedly'));
    await readSigned(new Response(once));
  });

  it('can be signed as often as one likes if that was said', async () => {
    const unsigned = await serialise(body);
    const texts = await Promise.all(
      [1, 2, 3].map(async () => new TextDecoder().decode(await sign(unsigned, signer, NOW, 'http://x/api'))),
    );
    expect(new Set(texts).size).toBe(1);
    await readSigned(new Response(texts[0] as string));
  });

  it('may have a provenance of any length', async () => {
    await readSigned(new Response(await signedText(body, 'once', `http://x/${'y'.repeat(5000)}`)));
  });
});
