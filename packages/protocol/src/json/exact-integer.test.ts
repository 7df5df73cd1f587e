import { expect, it } from 'vitest';
import { isExactInteger } from './exact-integer.ts';

it.each<[string, boolean]>([
  ['0', true],
  ['999999999999999', true],
  ['9007199254740991', true],
  ['9007199254740992', true],
  ['9007199254740993', false],
  ['-9007199254740993', false],
  ['9007199254740994', true],
  ['100000000000000000000', true],
  ['123456789012345680000', false],
  ['123456789012345680000.0', true],
  ['1.0000000000000000001', true],
  ['123456789012345678e3', true],
  [String(2n ** 1023n), true],
  [String(2n ** 1023n + 1n), false],
  [String(2n ** 1024n), false],
  ['1'.repeat(1_000_000), false],
])('%s: %s', (literal, isExact) => {
  expect(isExactInteger(literal)).toBe(isExact);
});
