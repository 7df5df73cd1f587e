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
