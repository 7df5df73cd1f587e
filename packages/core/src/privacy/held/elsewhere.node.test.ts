import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HELD_ELSEWHERE } from './elsewhere.data.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const SOURCES = ['packages/core/src/adapters/**/*.ts', 'workers/*/src/**/*.ts'];

it('names every table of every Durable Object', () => {
  const created = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g),
    ])
    .map(([, table]) => table);
  expect(created.length).toBeGreaterThan(0);
  expect(created.sort(), 'Add what a new table holds to elsewhere.data.ts.').toEqual(
    HELD_ELSEWHERE.flatMap(({ table }) => table ?? []).sort(),
  );
});
