import { describe, expect, test } from 'vitest';
import { oneLine, safeLink, visibleText } from './text.ts';

describe('visibleText', () => {
  test.each([
    ['plain', 'plain'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['a\u0000b\u001b[31mc\u0085d', 'a\ufffdb\ufffd[31mc\ufffdd'],
    ['\u202egnp.exe\u202c', '\ufffdgnp.exe\ufffd'],
    ['\u2066\u2067\u2068\u2069\u200e\u200f\u061c', '\ufffd'.repeat(7)],
    ['zero\u200bwidth\ufeff', 'zero\ufffdwidth\ufffd'],
    ['tag\u{e0041}', 'tag\ufffd'],
    ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
    ['👩‍🚀 and نمی‌خواهم', '👩‍🚀 and نمی‌خواهم'],
    ['', ''],
  ])('%j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

test('oneLine: one line, cut between characters', () => {
  expect(oneLine('  a \n\n b\t')).toBe('a b');
  expect(oneLine('😀😀😀', 2)).toBe('😀…');
  expect(oneLine('abc', 3)).toBe('abc');
});

describe('safeLink', () => {
  test.each(['https://a.example/b?c#d'])('%s', (address) => {
    expect(safeLink(address)).toBe(address);
  });

  test.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'http://a.example/',
    'https://a.example@b.example/',
    'https://:secret@b.example/',
    '/listings',
    '//a.example',
    '',
  ])('%j is no link', (address) => {
    expect(safeLink(address)).toBeNull();
  });
});

test('marks that are piled up on a letter do not reach into other lines', () => {
  const pile = '\u0301'.repeat(40);
  expect(visibleText(`a${pile}b`)).toBe(`a${'\u0301'.repeat(6)}\ufffdb`);
  // Hebrew with vowels and cantillation, Vietnamese in parts, an emoji of several.
  for (const text of ['בְּרֵאשִׁ֖ית', 'Tie\u0302\u0301ng Vie\u0323\u0302t', '👩🏽\u200d🚒\ufe0f'])
    expect(visibleText(text)).toBe(text);
});
