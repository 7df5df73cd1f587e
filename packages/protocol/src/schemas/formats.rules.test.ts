import { expect, it } from 'vitest';
import { FORMATS } from './formats.rules.ts';

it.each<[string, string, boolean]>([
  ['date', '2024-02-29', true],
  ['date', '2023-02-29', false],
  ['date', '1900-02-29', false],
  ['date', '2000-02-29', true],
  ['date', '2024-04-31', false],
  ['date', '2024-13-01', false],
  ['date', '2024-00-01', false],
  ['date', '2024-1-1', false],
  ['date-time', '2024-02-29T23:59:60Z', true],
  ['date-time', '2024-02-29t12:00:00.123456+05:30', true],
  ['date-time', '2024-02-29 12:00:00Z', false],
  ['date-time', '2024-02-29T24:00:00Z', false],
  ['date-time', '2024-02-29T12:00:00', false],
  ['email', 'a.b+c@mail.example.com', true],
  ['email', 'a@localhost', true],
  ['email', 'a..b@example.com', false],
  ['email', 'a@-example.com', false],
  ['email', 'a@b@example.com', false],
  ['email', '@example.com', false],
  ['email', `${'a'.repeat(65)}@example.com`, false],
  ['uri', 'https://example.com/a?b=%20#c', true],
  ['uri', 'urn:isbn:123', true],
  ['uri', '/relative', false],
  ['uri', 'https://example.com/a b', false],
  ['uri', 'https://example.com/%2', false],
  ['uuid', '2EB8AA08-aa98-11ea-b4aa-73b441d16380', true],
  ['uuid', '2eb8aa08aa9811eab4aa73b441d16380', false],
])('%s: %s is %s', (format, text, isGood) => {
  expect(FORMATS[format]?.(text)).toBe(isGood);
});
