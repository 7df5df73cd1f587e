import { expect, it } from 'vitest';
import { comparableText } from './comparable-text.rules.ts';

const TEXT = { title: 'Forged Straße passports', description: 'Of any country.' };

it.each([
  ['another case', { title: 'FORGED STRASSE PASSPORTS', description: 'of any COUNTRY.' }],
  ['other spaces', { title: 'Forged\u00a0Straße  passports ', description: ' Of any\n\ncountry.' }],
  [
    'characters that nobody sees',
    { title: 'For\u200bged Stra\u00adße pass\ufeffports', description: 'Of any\u2060 country.' },
  ],
  ['wide letters', { title: 'Ｆｏｒｇｅｄ Straße passports', description: 'Of any country.' }],
  ['words moved to the other field', { title: 'Forged Straße', description: 'passports Of any country.' }],
])('%s make the same text', (_, other) => {
  expect(comparableText(other)).toBe(comparableText(TEXT));
});

it('another letter, another digit or another sign makes another text', () => {
  for (const description of ['Of any county.', 'Of any country', 'Of 2 countries.']) {
    expect(comparableText({ ...TEXT, description })).not.toBe(comparableText(TEXT));
  }
});

/** By their names in Unicode: blank, filler, joiner, null, and viramas that only stack. */
const BLANKS =
  '2800 3164 ffa0 115f 1160 17b4 17b5 180e 034f 16fe4 1d159 13441 13442 1107f fffc 1039 17d2 1a60 1bab aaf6 10a3f 11133 ' +
  '113d0 1193e 11a47 11a99 11d45 11d97 11f42 1d173 1d17a e0001 e0020 e007f e01ef fe0f';

it('no character that shows nothing makes another text', () => {
  const unseen = BLANKS.split(' ').map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
  const hasNothing = /[\p{White_Space}\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const one = String.fromCodePoint(code);
    if (hasNothing.test(one)) unseen.push(one);
  }
  expect(unseen.length).toBeGreaterThan(900_000);
  for (let at = 0; at < unseen.length; at += 10_000) {
    const title = TEXT.title.replace('pass', `pass${unseen.slice(at, at + 10_000).join('')}`);
    expect(comparableText({ ...TEXT, title }), `from ${unseen[at]?.codePointAt(0)}`).toBe(
      comparableText(TEXT),
    );
  }
});
