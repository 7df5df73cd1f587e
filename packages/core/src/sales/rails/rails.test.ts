import { expect, it } from 'vitest';
import { PAYMENT_RAILS } from '../../kernel/spend-policy.ts';
import { RAIL_NAMES } from './rails.ts';

it('a policy can name each rail that there is, and no other', () => {
  expect(RAIL_NAMES).toEqual(PAYMENT_RAILS);
});
