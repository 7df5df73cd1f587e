import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { describe, expect, it } from 'vitest';
import { requestDigest } from './request-digest.ts';

const long = (end: string) => `${'a'.repeat(100_000)}${end}`;

describe('the digest of a request', () => {
  it('is that of its canonical form where all texts are short', async () => {
    const fields = { b: [1, { c: 'x' }], a: null };
    expect(await requestDigest('buy', fields)).toBe(await sha256Hex(`buy ${canonicalJson(fields)}`));
    expect(await requestDigest('buy', { a: null, b: [1, { c: 'x' }] })).toBe(
      await requestDigest('buy', fields),
    );
  });

  it('tells apart what differs at the end of a long text, wherever it stands', async () => {
    const wraps: ((text: string) => unknown)[] = [
      (text) => text,
      (text) => ({ a: text }),
      (text) => ({ list: [{ deep: text }] }),
      (text) => JSON.parse(`{"__proto__":${JSON.stringify(text)}}`),
    ];
    for (const wrap of wraps) {
      const digests = await Promise.all(
        [long('x'), long('y'), long('x')].map((text) => requestDigest('send', wrap(text))),
      );
      expect(digests[0]).not.toBe(digests[1]);
      expect(digests[0]).toBe(digests[2]);
    }
  });

  it('depends on the operation', async () => {
    expect(await requestDigest('a', {})).not.toBe(await requestDigest('b', {}));
  });
});
