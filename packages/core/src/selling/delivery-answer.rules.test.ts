import { expect, it } from 'vitest';
import { deliveryAnswer } from './delivery-answer.rules.ts';

it.each([
  [{ data: {} }, { data: {} }],
  [{ available: false as const }, { available: false }],
  [{ nonce: '' }, { nonce: '' }],
  [{}, null],
  [{ data: {}, available: false as const }, null],
  [{ data: {}, nonce: 'x' }, null],
  [{ available: false as const, nonce: 'x' }, null],
])('takes exactly one form: %j', (fields, answer) => {
  expect(deliveryAnswer(fields)).toEqual(answer);
});
