import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryAfter, isLive, parseSessionId, sessionIdOf, shardOf } from './session.rules.ts';
import { INTENT_CLASSES } from './vocabulary.rules.ts';

describe('a session', () => {
  it.each([
    [119_999, true],
    [120_000, false],
    [120_001, false],
  ])('%i ms after its last sign of life: live %s', (ageMs, live) => {
    expect(isLive({ expiresAt: expiryAfter(1000) }, 1000 + ageMs)).toBe(live);
  });
});

describe('a session id', () => {
  it('says where the session is kept', () => {
    const place = fc.record({ intentClass: fc.constantFrom(...INTENT_CLASSES), shard: fc.nat({ max: 63 }) });
    fc.assert(
      fc.property(place, fc.uuid(), (at, token) => {
        expect(parseSessionId(sessionIdOf(at, token))).toEqual({ ...at, token });
      }),
    );
  });

  it.each([
    '',
    'COMMERCE-0',
    'LEISURE-0-00000000-0000-4000-8000-000000000000',
    'COMMERCE-100-00000000-0000-4000-8000-000000000000',
    'COMMERCE--1-00000000-0000-4000-8000-000000000000',
    'COMMERCE-0-00000000-0000-4000-8000-000000000000 ',
    'commerce-0-00000000-0000-4000-8000-000000000000',
  ])('"%s" is none', (text) => {
    expect(parseSessionId(text)).toBeNull();
  });
});

describe('shards', () => {
  it('are chosen by the key alone, within their number', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (key, shards) => {
        const shard = shardOf(key, shards);
        expect(shard).toBe(shardOf(key, shards));
        expect(Number.isInteger(shard) && shard >= 0 && shard < shards).toBe(true);
      }),
    );
  });

  it('fill evenly, also from keys that are alike', () => {
    const filled = new Array<number>(32).fill(0);
    for (let n = 0; n < 32_000; n++) {
      const shard = shardOf(`request-${n}`, 32);
      filled[shard] = (filled[shard] ?? 0) + 1;
    }
    expect(Math.min(...filled)).toBeGreaterThan(800);
    expect(Math.max(...filled)).toBeLessThan(1200);
  });
});
