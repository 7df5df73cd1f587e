import { describe, expect, it } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.ts';

describe('forEachConcurrently', () => {
  it('visits every item once, at most so many at a time', async () => {
    const visited: number[] = [];
    let running = 0;
    let most = 0;
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      visited.push(item);
      running -= 1;
    });
    expect(visited.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('begins the next item as soon as one has ended, without waiting for a slow one', async () => {
    const finish = Promise.withResolvers<void>();
    const visited: number[] = [];
    const all = forEachConcurrently([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) await finish.promise;
      visited.push(item);
      if (item === 4) finish.resolve();
    });
    await all;
    expect(visited).toEqual([2, 3, 4, 1]);
  });

  it('throws the first failure and begins no further item', async () => {
    const visited: number[] = [];
    const all = forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      visited.push(item);
      await Promise.resolve();
      if (item === 2) throw new Error('broken');
    });
    await expect(all).rejects.toThrow('broken');
    await new Promise((resolve) => setTimeout(resolve));
    expect(visited).toEqual([1, 2, 3]);
  });

  it('ends at once without items', async () => {
    await forEachConcurrently([], 2, () => Promise.reject(new Error('never')));
  });
});
