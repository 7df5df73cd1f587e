import { expect, it } from 'vitest';
import { dollarsOf } from './dollars.ts';

it('writes cents as dollars, with two digits and one sign', () => {
  expect([0, 5, 1205, -5, -1205, 1_000_000_000].map(dollarsOf)).toEqual([
    '0.00',
    '0.05',
    '12.05',
    '-0.05',
    '-12.05',
    '10000000.00',
  ]);
});
