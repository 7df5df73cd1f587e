import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUTHORIZED_USES } from './consent.rules.ts';
import { ATTESTATIONS, INTENDED_USES, isAuthorizedFor, openBoxes } from './intended-use.rules.ts';

const SETS = [0, 1, 2, 3, 4, 5, 6, 7].map((set) => AUTHORIZED_USES.filter((_, place) => set & (1 << place)));

describe('an intended use', () => {
  it.each([
    ['academic_research', (uses: string[]) => uses.includes('research')],
    ['commercial_research', (uses: string[]) => uses.includes('commercial')],
    ['ai_training', (uses: string[]) => uses.includes('ai_training')],
    ['personal_educational', () => true],
    ['other', (uses: string[]) => uses.length === 3],
  ] as const)('%s is covered by what a seller authorized, or not', (use, isCovered) => {
    for (const uses of SETS) expect([uses, isAuthorizedFor(use, uses)]).toEqual([uses, isCovered(uses)]);
  });

  it('is possible for whatever a seller may authorize', () => {
    for (const uses of SETS.filter(({ length }) => length > 0)) {
      const possible = INTENDED_USES.filter(
        (use) => use !== 'personal_educational' && isAuthorizedFor(use, uses),
      );
      expect(possible.length).toBeGreaterThan(0);
    }
  });
});

describe('an attestation', () => {
  it('is open at every box that is not true', () => {
    expect(openBoxes(undefined)).toEqual([...ATTESTATIONS]);
    const box = fc.constantFrom(true, false, undefined);
    fc.assert(
      fc.property(fc.record(Object.fromEntries(ATTESTATIONS.map((name) => [name, box]))), (given) => {
        expect(openBoxes(given)).toEqual(ATTESTATIONS.filter((name) => !given[name]));
      }),
    );
  });
});
