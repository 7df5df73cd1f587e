import { expect, test } from 'vitest';
import { ReplayCache } from './replay-cache.ts';

test('notes each signature once until it expires', () => {
  const cache = new ReplayCache();
  expect(cache.add('a', 1000, 0)).toBe(true);
  expect(cache.add('a', 1000, 500)).toBe(false);
  expect(cache.add('b', 3000, 1000)).toBe(true);
  expect(cache.add('a', 1000, 1000)).toBe(false);
  expect(cache.add('c', 3000, 1001)).toBe(true);
  expect(cache.add('a', 2000, 1001)).toBe(true);
});

test('is bounded: the oldest goes', () => {
  const cache = new ReplayCache(2);
  for (const signature of ['a', 'b', 'c']) cache.add(signature, 1000, 0);
  expect(cache.add('c', 1000, 0)).toBe(false);
  expect(cache.add('a', 1000, 0)).toBe(true);
});
