import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from '../repository.ts';
import { EventQueue } from './event-queue.ts';
import { report } from './report.ts';
import { reportIn, withReport } from './scale-page.ts';
import { type Layout, type Load, simulate } from './simulate.ts';

const ONE: Layout = { name: '', shards: 1, indexes: 1, readsNear: true, eventsByAgent: false };
const LOAD: Load = { seed: 7, purchasesPerSecond: 200, seconds: 5, agents: 10_000, sellers: 1000 };

describe('the simulation', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(simulate(ONE, LOAD)).toEqual(simulate(ONE, LOAD));
    expect(simulate(ONE, { ...LOAD, seed: 8 })).not.toEqual(simulate(ONE, LOAD));
  });

  it('has one database do all the work of all purchases', () => {
    // 200 purchases a second of 4 calls of 0.55 ms on average.
    expect(simulate(ONE, LOAD)).toMatchObject({ busiestName: 'market 0' });
    expect(simulate(ONE, LOAD).busiest).toBeCloseTo(200 * 4 * 0.00055, 1);
    // Five looks at details besides.
    expect(simulate({ ...ONE, readsNear: false }, LOAD).busiest).toBeCloseTo(200 * 9 * 0.00055, 0);
  });

  it('waits as a queue of one server does', () => {
    const { busiest, p50WaitMs } = simulate(ONE, { ...LOAD, purchasesPerSecond: 50 });
    expect(busiest).toBeLessThan(0.2);
    expect(p50WaitMs).toBeLessThan(0.1);
    expect(simulate(ONE, { ...LOAD, purchasesPerSecond: 2000 }).p50WaitMs).toBeGreaterThan(1000);
  });

  it('spreads purchases over shards, and counts those across', () => {
    const two = simulate({ ...ONE, shards: 2 }, LOAD);
    expect(two.acrossShards).toBeGreaterThan(0.4);
    expect(two.acrossShards).toBeLessThan(0.6);
    expect(simulate(ONE, LOAD).acrossShards).toBe(0);
  });
});

it('events come in the order of their times, and of their addition', () => {
  const queue = new EventQueue<{ atMs: number; name: string }>();
  for (const [atMs, name] of [
    [3, 'd'],
    [1, 'a'],
    [2, 'c'],
    [1, 'b'],
  ] as const)
    queue.add({ atMs, name });
  const names = [];
  for (let event = queue.next(); event !== null; event = queue.next()) names.push(event.name);
  expect(names.join('')).toBe('abcd');
});

it('docs/scale.md has what `pnpm simulate` prints', async () => {
  const page = await readFile(join(REPOSITORY, 'docs/scale.md'), 'utf8');
  const text = report();
  expect(reportIn(page)).toBe(text);
  expect(withReport(withReport(page, 'other'), text)).toBe(page);
});
