import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctText, matchExpression, spellingsOf, wordsOf } from './search.rules.ts';

const IN_TEXT = '{title description} : ';

describe('matchExpression', () => {
  it.each([
    ['weather', '("weather"*)'],
    ['current weather dat', '("current" AND "weather" AND "dat"*)'],
    ['  "AND" OR (x*) NEAR/2 ', '("AND" AND "OR" AND "x" AND "NEAR" AND "2"*)'],
    ["o'brien title:x", '("o" AND "brien" AND "title" AND "x"*)'],
    ['żółć 東京', '("żółć" AND "東京"*)'],
  ])('%s', (text, expression) => {
    expect(matchExpression(text)).toBe(IN_TEXT + expression);
  });

  it.each(['', '   ', '"""', '*', '-- ;', '()'])('has nothing to look for in %j', (text) => {
    expect(matchExpression(text)).toBeNull();
  });

  it('holds nothing but quoted words, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(matchExpression(text) ?? `${IN_TEXT}("x"*)`).toMatch(
          /^\{title description\} : \("[\p{L}\p{N}\p{M}]+"(?: AND "[\p{L}\p{N}\p{M}]+")*\*\)$/u,
        );
      }),
    );
  });
});

it('passes over words that say nothing of what is looked for', () => {
  const words = wordsOf('What TIME is it in Málaga?');
  expect(words.filter(({ isCommon }) => !isCommon).map(({ word }) => word)).toEqual(['TIME', 'Málaga']);
  expect(words.at(-1)).toEqual({
    word: 'Málaga',
    plain: 'malaga',
    swapped: ['amlaga', 'mlaaga', 'maalga', 'malgaa', 'malaag'],
    isCommon: false,
    isLast: true,
  });
});

it('replaces whole words only, whatever they are called', () => {
  expect(correctText('curency, Curency and curencyx', { curency: 'currency' })).toBe(
    'currency, Curency and curencyx',
  );
  expect(correctText('constructor toString', {})).toBe('constructor toString');
});

it('lists words of letters once, without accents, and none that are too short or too long', () => {
  expect(spellingsOf(['Żółw Café, café', `PM10 the ${'x'.repeat(25)} Café`])).toEqual(['cafe', 'zołw']);
});
