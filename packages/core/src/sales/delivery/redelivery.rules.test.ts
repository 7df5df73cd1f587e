import { expect, it } from 'vitest';
import { epochOf } from '../../kernel/time.ts';
import { newPayment } from '../sales.store.ts';
import type { GivenAnswer } from './answers.store.ts';
import { mayRefresh, wasGiven } from './redelivery.rules.ts';
import type { Redelivery } from './sign-redelivery.ts';

const AT = '2026-06-01T12:00:00.000Z';
const MINUTE_MS = 60_000;
const sale = { contentDigest: 'first', payment: newPayment('p', { redelivery: 'fresh_once' }) };
const first: GivenAnswer = {
  givenAt: AT,
  pushUntil: null,
  endedAt: null,
  redeliveries: 1,
  redelivery: null,
  refreshedAt: null,
};
const second = { ...first, redelivery: { statement: { contentDigest: 'second' } } as Redelivery };

it.each([
  ['15 minutes after the first answer', first, sale, 15 * MINUTE_MS, true],
  ['a millisecond later', first, sale, 15 * MINUTE_MS + 1, false],
  ['after an answer in place of the first', second, sale, 0, false],
  ['after a second answer', { ...second, refreshedAt: AT }, sale, 0, false],
  ['before there is a first', { ...first, givenAt: null }, sale, 0, false],
  ['on other terms', first, { payment: newPayment('p', {}) }, 0, false],
])('a further answer %s', (_, answer, of, afterMs, isAllowed) => {
  expect(mayRefresh(of, answer, epochOf(AT) + afterMs)).toBe(isAllowed);
});

it('what was given is the first answer, the one in its place, or both where the second followed the first', () => {
  const givenDigests = (answer: GivenAnswer) =>
    ['first', 'second', 'third'].filter((digest) => wasGiven(sale, answer, digest));
  expect(givenDigests(first)).toEqual(['first']);
  expect(givenDigests(second)).toEqual(['second']);
  expect(givenDigests({ ...second, refreshedAt: AT })).toEqual(['first', 'second']);
});
