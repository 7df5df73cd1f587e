import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { claimHolds, deliverableBytes } from './integrity.rules.ts';

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const DIGEST = `sha256:${'0a'.repeat(32)}`;

describe('deliverableBytes', () => {
  test('both forms are those of whole canonicalisations', () => {
    const key = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('__proto__', '10', '9', '_', 'é', '__sha25', '__sha2567'),
    );
    const json = fc.jsonValue() as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(
        fc.dictionary(key, json, { maxKeys: 8 }),
        fc.option(json, { nil: undefined }),
        (members, claim) => {
          const entries = Object.entries(members).filter(([name]) => name !== '__sha256');
          const unclaimed: JsonObject = Object.fromEntries(entries);
          const data: JsonObject =
            claim === undefined ? unclaimed : Object.fromEntries([['__sha256', claim], ...entries]);
          const bytes = deliverableBytes(data);
          expect(text(bytes.content)).toBe(canonicalJson(data));
          expect(bytes.claim?.value).toEqual(claim);
          if (claim !== undefined) expect(text(bytes.claim?.bytes)).toBe(canonicalJson(unclaimed));
        },
      ),
    );
  });

  test('only the top-level member is a claim', () => {
    const data = { a: { __sha256: 'x' }, b: '"__sha256":"y"', __sha256: 'x', z: [{ __sha256: 'x' }] };
    expect(text(deliverableBytes(data).claim?.bytes)).toBe(
      '{"a":{"__sha256":"x"},"b":"\\"__sha256\\":\\"y\\"","z":[{"__sha256":"x"}]}',
    );
    expect(deliverableBytes({ a: { __sha256: 'x' } }).claim).toBeUndefined();
  });

  test('a claim alone is over the empty object', () => {
    expect(text(deliverableBytes({ __sha256: 'x' }).claim?.bytes)).toBe('{}');
  });
});

describe('claimHolds', () => {
  clause('events.sha256');
  test.each([DIGEST, DIGEST.toUpperCase().replace('SHA256', 'sha256')])('%s', (claim) => {
    expect(claimHolds(claim, DIGEST)).toBe(true);
  });

  test.each([
    undefined,
    null,
    7,
    '',
    DIGEST.slice(7),
    `${DIGEST} `,
    `${DIGEST}\n`,
    DIGEST.slice(0, -1),
    [DIGEST],
    { [DIGEST]: 1 },
  ])('malformed: %j', (claim) => {
    expect(claimHolds(claim, DIGEST)).toBe(false);
  });

  test('the digest of something else', () => {
    expect(claimHolds(`sha256:${'0b'.repeat(32)}`, DIGEST)).toBe(false);
  });
});
