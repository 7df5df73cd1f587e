import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from './repository.ts';

// docs/operate.md says of every logged event what it means and what to do: none is missing, none is left over.

const CALL = /\b(?:console)?[lL]og\??\.(info|error)\(\s*([^,)]+)/g;

const calls = globSync('{packages/core,packages/site,workers/*}/src/**/*.{ts,tsx}', { cwd: REPOSITORY })
  .filter((path) => !/\.test\.|\/testing\//.test(path))
  .flatMap((path) =>
    [...readFileSync(join(REPOSITORY, path), 'utf8').matchAll(CALL)].map(([, level = '', first = '']) => ({
      path,
      level,
      events: [...first.matchAll(/'([a-z_0-9]+)'/g)].map(([, event = '']) => event),
    })),
  );

const operate = readFileSync(join(REPOSITORY, 'docs/operate.md'), 'utf8');
const table = /^\| event \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(operate)?.[1] ?? '';
const rows = table
  .trim()
  .split('\n')
  .flatMap((row) => {
    const cell = row.split('|')[1] ?? '';
    return [...cell.matchAll(/`([a-z_0-9]+)`(?: \(([a-z]+)\))?/g)].map(([, event = '', level = 'error']) => ({
      event,
      level,
    }));
  });

describe('the table of logged events', () => {
  it('has every event, with its level', () => {
    const logged = new Map(calls.flatMap(({ events, level }) => events.map((event) => [event, level])));
    expect(logged.size).toBeGreaterThan(40);
    expect(Object.fromEntries(rows.map(({ event, level }) => [event, level]))).toEqual(
      Object.fromEntries(logged),
    );
  });

  it('says of every alarm what to do', () => {
    const alarms = table
      .trim()
      .split('\n')
      .filter((row) => !/^\| (`[a-z_0-9]+` \(info\),? ?)+/.test(row));
    expect(alarms.filter((row) => (row.split('|').at(-2) ?? '').trim() === '')).toEqual([]);
  });

  it('has each once', () => {
    expect(new Set(rows.map(({ event }) => event)).size).toBe(rows.length);
  });

  it('can be complete, since events are named where they are logged', () => {
    expect(calls.filter(({ events }) => events.length === 0).map(({ path }) => path)).toEqual([]);
  });
});
