import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchExpression } from './search.rules.ts';

describe('matchExpression', () => {
  it.each([
    ['weather', '"weather"*'],
    ['current weather dat', '"current" "weather" "dat"*'],
    ['  "AND" OR (x*) NEAR/2 ', '"AND" "OR" "x" "NEAR" "2"*'],
    ["o'brien title:x", '"o" "brien" "title" "x"*'],
    ['żółć 東京', '"żółć" "東京"*'],
  ])('%s', (text, expression) => {
    expect(matchExpression(text)).toBe(expression);
  });

  it.each(['', '   ', '"""', '*', '-- ;', '()'])('has nothing to look for in %j', (text) => {
    expect(matchExpression(text)).toBeNull();
  });

  it('holds nothing but quoted words, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(matchExpression(text) ?? '"x"*').toMatch(
          /^"[\p{L}\p{N}\p{M}]+"(?: "[\p{L}\p{N}\p{M}]+")*\*$/u,
        );
      }),
    );
  });
});
