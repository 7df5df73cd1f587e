import { expect, it } from 'vitest';
import { noUse } from '../../kernel/ports/metrics/metrics.ts';
import { createMetrics } from './analytics-engine.ts';

const REQUEST = {
  operation: 'getMeta',
  outcome: 'ok',
  code: '',
  rail: '',
  latencyMs: 3,
  database: noUse(),
} as const;

it('waits for a stand-in in another Worker, whose call returns no instance of Promise', async () => {
  const tasks: Promise<unknown>[] = [];
  let isWritten = false;
  const call = {
    // biome-ignore lint/suspicious/noThenProperty: this is what a call of another Worker returns.
    then(resolve: () => void) {
      isWritten = true;
      resolve();
    },
  };
  createMetrics({ writeDataPoint: () => call }, { run: (task) => tasks.push(task) }).record(REQUEST);
  await Promise.all(tasks);
  expect([tasks.length, isWritten]).toEqual([1, true]);
});

it('waits for nothing where a dataset takes the point itself', () => {
  const tasks: Promise<unknown>[] = [];
  createMetrics({ writeDataPoint: () => undefined }, { run: (task) => tasks.push(task) }).record(REQUEST);
  expect(tasks).toEqual([]);
});
