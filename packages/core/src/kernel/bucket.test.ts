import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FakeIds } from '../testing/doubles/fake-ids.ts';
import { inBucketOf, shardOf } from './bucket.ts';

const ids = new FakeIds();
const many = Array.from({ length: 4000 }, () => ids.uuid());

describe('an id in the bucket of its owner', () => {
  it('is a v4 UUID that begins like it and differs from every other', () => {
    const [owner = ''] = many;
    const owned = many.slice(1).map((id) => inBucketOf(owner, id));
    expect(owned.every((id) => z.uuidv4().safeParse(id).success)).toBe(true);
    expect(owned.every((id) => id.startsWith(owner.slice(0, 3)))).toBe(true);
    expect(new Set(owned).size).toBe(owned.length);
  });

  it.each([1, 2, 3, 64, 4096])('is in the database of its owner, whichever of %i that is', (shards) => {
    for (const owner of many.slice(0, 200)) {
      const shard = shardOf(owner, shards);
      expect(shardOf(inBucketOf(owner, ids.uuid()), shards)).toBe(shard);
      expect(shard >= 0 && shard < shards).toBe(true);
    }
  });
});

it('agents are spread evenly', () => {
  const counts = Map.groupBy(many, (id) => shardOf(id, 8));
  expect(counts.size).toBe(8);
  for (const [, some] of counts) expect(Math.abs(some.length - 500)).toBeLessThan(100);
});

it('to split a database in two moves no row to another than its own two', () => {
  for (const id of many) expect(Math.floor(shardOf(id, 16) / 2)).toBe(shardOf(id, 8));
});
