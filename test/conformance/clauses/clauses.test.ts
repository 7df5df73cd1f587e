import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformance, section, testsOf } from './clause.ts';
import { page, summary, withSummary } from './document.ts';
import { sections } from './index.ts';
import { listTests } from './listed-tests.ts';
import { problemsOf } from './problems.ts';

// vitest is started to list tests.
const STARTED = { timeout: 120_000 };

it('every clause names a test, and every test that is named exists and runs', STARTED, async () => {
  expect(problemsOf(sections, await listTests())).toEqual([]);
});

describe('the check notices', () => {
  const listed = new Map([['test/conformance/a.test.ts', new Set(['group > one', 'group > two', 'alone'])]]);
  const a = conformance('a', 'group');
  const problems = (...rows: Parameters<typeof section>[2]) => problemsOf([section('s', 'S', rows)], listed);

  it('nothing where all is well', () => {
    expect(problems(['one', 'Says.', a('one')], ['all', 'Says.', a(), conformance('a')('alone')])).toEqual(
      [],
    );
  });

  it.each([
    ['a clause without a test', [['x', 'Says.']], /s\.x: names no test/],
    ['a test that does not exist', [['x', 'Says.', a('three')]], /no test “group > three” that runs/],
    ['one bad among good ones', [['x', 'Says.', a('one'), a('three')]], /group > three/],
    ['a part of a title', [['x', 'Says.', a('on')]], /no test “group > on” that runs/],
    ['a file that does not exist', [['x', 'Says.', conformance('b')('one')]], /b\.test\.ts has no test/],
    [
      'an id that is there twice',
      [
        ['x', 'Says.', a('one')],
        ['x', 'More.', a('two')],
      ],
      /s\.x: is there twice/,
    ],
    ['what is no id', [['X y', 'Says.', a('one')]], /is no id/],
    ['a clause that says nothing', [['x', ' ', a('one')]], /says nothing/],
    ['a part without clauses', [], /S: has no clause/],
  ] as [string, Parameters<typeof section>[2], RegExp][])('%s', (_, rows, problem) => {
    expect(problems(...rows).join('\n')).toMatch(problem);
  });
});

describe('the list of tests', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'clauses-sample-'));
    await writeFile(join(root, 'sample.test.ts'), SAMPLE);
  });
  afterAll(() => rm(root, { recursive: true }));

  it('has what runs, and nothing that is skipped, to be done or conditional', STARTED, async () => {
    const tests = await listTests(root);
    expect([...(tests.get('sample.test.ts') ?? [])]).toEqual([
      'group > runs',
      'group > each %s',
      'pair %i > in it',
    ]);
    const sample = testsOf('sample.test.ts');
    for (const left of ['group > is skipped', 'group > is to be done', 'group > depends', 'skipped group']) {
      const clauses = section('s', 'S', [['x', 'Says.', sample(left)]]);
      expect(problemsOf([clauses], tests)).toHaveLength(1);
    }
  });

  const SAMPLE = `
    import { describe, it } from 'vitest';
    describe('group', () => {
      it('runs', () => {});
      it.each([1, 2])('each %s', () => {});
      it.skip('is skipped', () => {});
      it.todo('is to be done');
      it.skipIf(process.env.SOMETHING)('depends', () => {});
      it('is skipped by an option', { skip: true }, () => {});
    });
    describe.each([1])('pair %i', () => {
      it('in it', () => {});
    });
    describe.skip('skipped group', () => {
      it('in it', () => {});
    });`;
});

describe('the pages', () => {
  const odd = [section('s', 'GET /a/{id} (x)', [['x', 'a | b <i> `c`', testsOf('test/a.test.ts')('p | q')]])];

  it('keep any text in its cell', () => {
    const [row] = page(odd).match(/^\| `s\.x`.*$/m) ?? [];
    expect(row).toBe('| `s.x` | a \\| b \\<i\\> \\`c\\` | [a](../test/a.test.ts): p \\| q |');
  });

  it('have a summary between marks, which can be written again', () => {
    const text = `before\n${summary(odd)}\nafter\n`;
    expect(text).toContain('| [GET /a/\\{id\\} (x)](conformance.md#get-aid-x) | 1 |');
    expect(withSummary(text, odd)).toBe(text);
    expect(withSummary(text, sections)).toMatch(/^before\n(.|\n)*\nafter\n$/);
    expect(() => withSummary('no marks', odd)).toThrow('no place');
  });
});
