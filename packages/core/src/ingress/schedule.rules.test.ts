import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BANDS, CANONICAL_SCHEDULE, classify, SCHEDULE } from './schedule.rules.ts';

it('has bands from 0 upwards without gap or overlap', () => {
  expect(BANDS[0]?.min).toBe(0);
  for (const [index, band] of BANDS.entries()) {
    expect(BANDS[index + 1]?.min ?? null).toBe(band.max === null ? null : band.max + 1);
  }
});

it('is written in its canonical form', () => {
  expect(CANONICAL_SCHEDULE).toBe(canonicalJson(SCHEDULE));
});

it('puts every depth in the one band that holds it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), (live) => {
      const fitting = BANDS.filter(({ min, max }) => live >= min && (max === null || live <= max));
      expect(fitting.map(({ classification }) => classification)).toEqual([classify(live)]);
    }),
  );
});

it.each([
  [0, 'FOUNDING'],
  [1, 'SPARSE'],
  [4, 'SPARSE'],
  [5, 'STANDARD'],
])('classifies %i as %s', (live, classification) => {
  expect(classify(live)).toBe(classification);
});
