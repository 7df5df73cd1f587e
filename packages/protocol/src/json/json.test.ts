import { expect, it } from 'vitest';
import { isJsonObject } from './json.ts';

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [0, false],
])('isJsonObject(%j) is %s', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});
