import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AdmissionRecord,
  budgetOfShard,
  decideAdmission,
  decideCapacity,
  declaredClass,
  isFresh,
  signedText,
  termsText,
} from './admission.rules.ts';

describe('the signed text', () => {
  const request = {
    ts: 1_760_000_000,
    side: 'buy',
    requestId: 'r"1\\',
    intentClass: 'PILOT',
    berthKey: 'ab',
  };

  it('is key-sorted JSON without whitespace', () => {
    expect(signedText(request)).toBe(
      '{"berthKey":"ab","intentClass":"PILOT","requestId":"r\\"1\\\\","side":"buy","ts":1760000000}',
    );
  });

  it('has the vertical where one is given, and nothing else', () => {
    const more = { ...request, vertical: 'loans', sig: 'x' };
    expect(signedText(more)).toBe(`${signedText(request).slice(0, -1)},"vertical":"loans"}`);
  });
});

describe('the declared class', () => {
  it.each([
    ['COMMERCE', undefined, 'declared'],
    ['COMMERCE', 'COMMERCE', 'declared'],
    ['COMMERCE', 'GUEST', 'invalid'],
    ['COMMERCE', 'LEISURE', 'invalid'],
    [undefined, undefined, 'missing'],
    ['', 'COMMERCE', 'missing'],
    ['LEISURE', undefined, 'missing'],
    ['commerce', undefined, 'missing'],
    ['toString', undefined, 'missing'],
    [null, undefined, 'missing'],
    [5, 'COMMERCE', 'invalid'],
    [['COMMERCE'], undefined, 'invalid'],
  ])('%j in the body, %j in the header: %s', (given, header, kind) => {
    expect(declaredClass(given, header).kind).toBe(kind);
  });
});

describe('the timestamp', () => {
  const NOW = 1_760_000_000_000;
  it.each([
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
    [Number.MAX_SAFE_INTEGER, false],
  ])('%i s away: fresh %s', (seconds, fresh) => {
    expect(isFresh(NOW / 1000 + seconds, NOW)).toBe(fresh);
  });

  it('is measured in whole seconds', () => {
    expect(isFresh(NOW / 1000 - 300, NOW + 999)).toBe(true);
    expect(isFresh(NOW / 1000 - 300, NOW + 1000)).toBe(false);
  });
});

describe('a repeated requestId', () => {
  const terms = { berthKey: 'ab', intentClass: 'PILOT', side: 'buy', vertical: null } as const;
  const record: AdmissionRecord = {
    terms: termsText(terms),
    sessionId: 's',
    text: '{}',
    digest: 'sha256:0',
    keptUntil: 1000,
  };

  it.each([
    [null, terms, 0, 'new'],
    [record, terms, 999, 'replay'],
    [record, terms, 1000, 'new'],
    [record, { ...terms, side: 'sell' as const }, 999, 'conflict'],
    [record, { ...terms, berthKey: 'cd' }, 999, 'conflict'],
    [record, { ...terms, vertical: 'loans' }, 999, 'conflict'],
    [record, { ...terms, intentClass: 'GUEST' }, 999, 'conflict'],
    [record, { ...terms, side: 'sell' as const }, 1000, 'new'],
  ])('is decided by its record, its terms and the time (%#)', (kept, asked, now, decision) => {
    expect(decideAdmission(kept, termsText(asked), now)).toBe(decision);
  });
});

describe('capacity', () => {
  it.each([
    [2, 3, 5000, { admitted: true }],
    [3, 3, 5000, { admitted: false, retryAfterSeconds: 5 }],
    [4, 3, 4001, { admitted: false, retryAfterSeconds: 5 }],
    [3, 3, 0, { admitted: false, retryAfterSeconds: 1 }],
    [0, 0, null, { admitted: false, retryAfterSeconds: 1 }],
  ])('%i live of %i, first expiry %j', (live, budget, next, decision) => {
    expect(decideCapacity(live, budget, next, 0)).toEqual(decision);
  });

  it('is divided among shards without rest', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 64 }), (budget, shards) => {
        const parts = Array.from({ length: shards }, (_, shard) => budgetOfShard(budget, shard, shards));
        expect(parts.reduce((a, b) => a + b)).toBe(budget);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
