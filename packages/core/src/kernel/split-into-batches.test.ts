import { expect, it } from 'vitest';
import { splitIntoBatches } from './split-into-batches.ts';

it('keeps every item in its order, in batches of the size and a rest', () => {
  expect(splitIntoBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(splitIntoBatches([1, 2], 2)).toEqual([[1, 2]]);
  expect(splitIntoBatches([], 2)).toEqual([]);
});
