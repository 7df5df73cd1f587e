import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { apiOperations } from '../../operations/api.ts';
import { HOSTILE, sampleOperations } from '../../testing/fixtures/sample-operations.ts';
import { allErrors, errorsOf } from '../openapi/errors.ts';
import { problemPage, problemsPage, unknownProblemPage } from './problem-pages.ts';

const BASE_URL = 'https://marketplace.example/api';
const VOID = new Set(['meta', 'link']);

async function pagesOf(operations: readonly AnyOperation[]): Promise<Map<string, string>> {
  const pages = new Map([
    ['problems', await problemsPage(operations)],
    ['problems/unknown', await unknownProblemPage()],
  ]);
  for (const { code } of allErrors(operations)) {
    pages.set(`problems/${code}`, (await problemPage(code, operations, BASE_URL)) ?? '');
  }
  return pages;
}

const idsOf = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

describe.each([
  ['the marketplace', apiOperations],
  ['operations with hostile texts', sampleOperations],
])('the pages of %s', async (_, operations) => {
  const pages = await pagesOf(operations);

  it.each([...pages])('%s: every text is escaped', (_, page) => {
    expect(page).not.toMatch(/<script|<!--|<style| style=| on\w+=/i);
    expect(page).not.toContain(HOSTILE);
  });

  it.each([...pages])('%s: tags are balanced and ids unique', (_, page) => {
    const open: string[] = [];
    for (const [, close, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*>/g)) {
      if (close) expect(open.pop()).toBe(name);
      else if (!VOID.has(name)) open.push(name);
    }
    expect(open).toEqual([]);
    expect(idsOf(page)).toEqual([...new Set(idsOf(page))]);
  });

  it.each([...pages])('%s: one first heading, none skipped', (_, page) => {
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    levels.reduce((before, level) => {
      expect(level).toBeLessThanOrEqual(before + 1);
      return level;
    }, 0);
  });

  it.each([...pages])('%s: every link leads somewhere', (name, page) => {
    const others = new Set(['docs', 'docs.css', 'openapi.json']);
    for (const [, href = ''] of page.matchAll(/ href="([^"]*)"/g)) {
      const { pathname, hash } = new URL(href, `https://x/${name}`);
      const target = pathname.slice(1);
      const found = pages.get(target);
      expect(found !== undefined || others.has(target), href).toBe(true);
      if (hash && found !== undefined) expect(idsOf(found), href).toContain(hash.slice(1));
    }
  });

  it('tell of each error of every operation', () => {
    for (const { code } of operations.flatMap(errorsOf)) {
      expect(pages.get('problems')).toContain(`href="problems/${code}"`);
      expect(pages.get(`problems/${code}`)).toContain(`<code>${code}</code>`);
    }
  });
});

it('an unknown error has no page', () => {
  expect(problemPage('nope', apiOperations, BASE_URL)).toBeNull();
});
