import { describe, expect, it } from 'vitest';
import { CanonicalJsonError } from '../json/canonical-json.ts';
import { canonicalDigest, sha256Digest, sha256Hex } from './digest.ts';
import { utf8 } from './encoding.ts';

// FIPS 180-4 example.
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('sha256', () => {
  it('of text and of its UTF-8 bytes is the same', async () => {
    expect(await sha256Hex('abc')).toBe(ABC);
    expect(await sha256Hex(utf8('abc'))).toBe(ABC);
    expect(await sha256Digest('abc')).toBe(`sha256:${ABC}`);
  });

  it('of a view covers only the view', async () => {
    expect(await sha256Hex(utf8('xabcx').subarray(1, 4))).toBe(ABC);
  });
});

describe('canonicalDigest', () => {
  it('is over the RFC 8785 bytes', async () => {
    expect(await canonicalDigest({ b: '€', a: -0 })).toBe(await sha256Digest('{"a":0,"b":"€"}'));
  });

  it('tells apart what a careless canonicaliser merges (invariant 22)', async () => {
    const texts = [
      '{}',
      '{"__proto__":{}}',
      '{"__proto__":null}',
      '{"1":0}',
      '{"01":0}',
      '{"1":"0"}',
      '[]',
      'null',
    ];
    const digests = await Promise.all(texts.map((text) => canonicalDigest(JSON.parse(text))));
    expect(new Set(digests).size).toBe(texts.length);
  });

  it.each(['1e400', String.raw`"\ud800"`, String.raw`{"\ud800":1}`])('rejects %s', async (text) => {
    await expect(canonicalDigest(JSON.parse(text))).rejects.toBeInstanceOf(CanonicalJsonError);
  });
});
