import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OVERDUE_KINDS, operationsThatMend } from '@agent-marketplace/core/admin/overdue/overdue.rules.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from './repository.ts';

// What the documentation tells an operator to call exists, and what is overdue has a section with the command that mends it.

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const underAdmin = apiOperations.filter(({ http }) => http.path.startsWith('/admin/'));
const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The operation of a path, with a value or the name of one in its place. */
const operationsOf = (path: string) =>
  underAdmin.filter(({ http }) => patternOf(http.path).test(path)).map(({ name }) => name);

const sections = new Map(
  read('docs/overdue.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
);

/** What the commands of a section call. */
const calledIn = (section: string) =>
  [...section.matchAll(/^admin (\S+)/gm)].map(([, path = '']) => `/admin/${path.replace('$ID', 'id')}`);

describe('the page of what is overdue', () => {
  it.each(OVERDUE_KINDS)('%s has a section with the command of each operation that mends it', (kind) => {
    const called = calledIn(sections.get(kind) ?? '').flatMap(operationsOf);
    const mending = operationsThatMend(kind);
    // Any other is in the text, as a second choice.
    expect(called[0]).toBe(mending[0]);
    const named = [...(sections.get(kind) ?? '').matchAll(/admin ([^\s`]+)/g)].flatMap(([, path = '']) =>
      operationsOf(`/admin/${path.replace('$ID', 'id')}`),
    );
    expect([...new Set(named)].sort()).toEqual([...mending].sort());
  });

  it('has no section of a kind that there is not', () => {
    const kinds: readonly string[] = OVERDUE_KINDS;
    expect([...sections.keys()].filter((name) => /^[a-z_]+$/.test(name) && !kinds.includes(name))).toEqual(
      [],
    );
  });
});

describe('what the documentation tells an operator to call', () => {
  const calls = globSync('docs/*.md', { cwd: REPOSITORY }).flatMap((page) =>
    [
      ...read(page).matchAll(
        /(?:(?:\b(GET|POST|PATCH|DELETE)\s+|\$BASE)\/admin\/|^admin )(?!\$1)([A-Za-z0-9_$/{}.-]+)/gm,
      ),
    ].map(([, method, path = '']) => ({ page, method, path: `/admin/${path.replace(/[.]$/, '')}` })),
  );

  it('exists', () => {
    expect(calls.length).toBeGreaterThan(20);
    const unknown = calls.filter(({ method, path }) => {
      const known = underAdmin.filter(
        ({ http }) =>
          patternOf(http.path).test(path) && (method === undefined || http.method === method.toLowerCase()),
      );
      return known.length === 0;
    });
    expect(unknown).toEqual([]);
  });
});
