import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSource } from '../../lint/source-file.ts';
import { page, summary, withSummary } from './document.ts';
import { type ClauseId, sections } from './index.ts';
import { problemsOf } from './problems.ts';
import { section } from './section.ts';
import { readTags, tagsIn } from './tags.ts';

const FILE = 'test/a.test.ts';
const inFile = (text: string) => tagsIn(parseSource(FILE, text));

it('a test that runs has the tag of every clause, and every tag names one', async () => {
  expect(problemsOf(sections, await readTags())).toEqual([]);
});

it('the compiler knows the clauses', () => {
  const known: ClauseId = 'purchasing.email';
  // @ts-expect-error: no clause has this id.
  const unknown: ClauseId = 'purchasing.none';
  const ids: string[] = sections.flatMap(({ clauses }) => clauses.map(({ id }) => id));
  expect(ids).toContain(known);
  expect(ids).not.toContain(unknown);
});

describe('the check notices', () => {
  type Rows = Parameters<typeof section>[2];
  const problems = (rows: Rows, text: string) => problemsOf([section('s', 'S', rows)], inFile(text));
  const one: Rows = [['one', 'Says.']];
  const two: Rows = [...one, ['two', 'Says.']];

  it('nothing where all is well', () => {
    expect(problems(two, "clause('s.one', 's.two'); it('test', () => {});")).toEqual([]);
    expect(
      problems(
        two,
        "clause('s.one'); describe('group', () => { clause('s.two'); it.each([1])('%s', () => {}); });",
      ),
    ).toEqual([]);
  });

  const TAG = "clause('s.one');";
  const RUNS = `${TAG} it('runs', () => {});`;
  it.each<[string, Rows, string, RegExp]>([
    ['a clause without a test', two, RUNS, /^s\.two: no test has its tag$/],
    [
      'a tag that names no clause',
      one,
      `${RUNS} clause('s.on'); it('test', () => {});`,
      /^test\/a\.test\.ts: clause\(s\.on\) names no clause$/,
    ],
    [
      'one bad among good ones',
      one,
      "clause('s.one', 's.three'); it('test', () => {});",
      /^test.*s\.three\) names no clause$/,
    ],
    ['a tag that names nothing', one, `${RUNS} clause(); it('test', () => {});`, /clause\(\) names nothing/],
    [
      'a name that is no text',
      one,
      `${RUNS} clause(ONE); it('test', () => {});`,
      /clause\(\) names nothing, or not by texts/,
    ],
    ['a tag at the end', one, `${RUNS} ${TAG}`, /clause\(s\.one\) has no test after it/],
    [
      'a tag before something else',
      one,
      `${RUNS} ${TAG} prepare(); it('test', () => {});`,
      /no test after it/,
    ],
    ['a tag before a tag', one, `${TAG} ${RUNS}`, /no test after it/],
    [
      'a tag at the end of a group',
      one,
      `describe('g', () => { ${RUNS} ${TAG} }); it('t', () => {});`,
      /no test/,
    ],
    ['a tag in a test', one, `${RUNS} it('test', () => { ${TAG} check(); });`, /no test after it/],
    [
      'a tag that is no statement',
      one,
      `${RUNS} describe('group', () => ${TAG.slice(0, -1)});`,
      /no test after/,
    ],
    ['an id that is there twice', [...one, ['one', 'More.']], RUNS, /s\.one: is there twice/],
    ['what is no id', [['X y', 'Says.']], RUNS, /is no id/],
    ['a clause that says nothing', [['one', ' ']], RUNS, /says nothing/],
    ['a part without clauses', [], RUNS, /S: has no clause/],
  ])('%s', (_, rows, text, problem) => {
    expect(problems(rows, text).some((one) => problem.test(one))).toBe(true);
  });

  it.each([
    "it.skip('test', () => {});",
    "it.todo('test');",
    "it.fails('test', () => {});",
    "it.skipIf(process.env.SOMETHING)('test', () => {});",
    "it.runIf(process.env.SOMETHING).each([1])('test', () => {});",
    "it('test', { skip: true }, () => {});",
    "describe.skip('group', () => { it('test', () => {}); });",
    "describe('group', { todo: true }, () => { it('test', () => {}); });",
    "describe('group', () => { it.skip('test', () => {}); });",
    "describe('group', () => {});",
  ])('that this does not always run: %s', (test) => {
    for (const text of [`clause('s.one'); ${test}`, `describe('outer', () => { clause('s.one'); ${test} });`])
      expect(problems(one, text)).toEqual([expect.stringContaining('which does not always run')]);
  });

  it('that a group or a condition around it keeps a test from running', () => {
    const runs = "clause('s.one'); it('test', () => {});";
    for (const text of [
      `describe.skip('group', () => { ${runs} });`,
      `if (process.env.SOMETHING) { ${runs} }`,
    ])
      expect(problems(one, text)).toEqual([expect.stringContaining('which does not always run')]);
  });
});

describe('the tags', () => {
  const SAMPLE = `
    clause('s.alone');
    it('alone', () => {});
    clause('s.group', 's.again');
    describe('group', () => {
      clause('s.each');
      it.concurrent.each([1, 2])('each %s', () => {});
      it('has no tag', () => {});
      for (const word of WORDS) {
        clause('s.template');
        test(\`of \${word}\`, () => {});
      }
    });
    describe.each([1])('pair %i', () => {
      clause("s.quoted");
      it("its 'title'", { timeout: 1 }, () => {});
    });`;
  const OF_SAMPLE = [
    ['s.alone', 'alone'],
    ['s.group', 'group'],
    ['s.again', 'group'],
    ['s.each', 'group > each %s'],
    ['s.template', 'group > of …'],
    ['s.quoted', "pair %i > its 'title'"],
  ];

  it('name the test after them with its groups, placeholders and all', () => {
    const { tags, problems } = inFile(SAMPLE);
    expect(tags).toEqual(OF_SAMPLE.map(([clause, test]) => ({ clause, file: FILE, test })));
    expect(problems).toEqual([]);
  });

  it('are read of every test, those of test/conformance first', async () => {
    const root = await mkdtemp(join(tmpdir(), 'clauses-sample-'));
    try {
      const files = [
        'packages/a/src/b/c.test.ts',
        'test/e2e/d.test.ts',
        'test/conformance/e.workers.test.ts',
      ];
      for (const file of [...files, 'packages/a/src/b/no-test.ts']) {
        await mkdir(join(root, file, '..'), { recursive: true });
        await writeFile(join(root, file), SAMPLE);
      }
      const { tags } = await readTags(root);
      expect([...new Set(tags.map(({ file }) => file))]).toEqual(files.toReversed());
      expect(tags).toHaveLength(files.length * OF_SAMPLE.length);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe('the pages', () => {
  const odd = [section('s', 'GET /a/{id} (x)', [['x', 'a | b <i> `c`']])];
  const tags = [{ clause: 's.x', file: FILE, test: 'p | q' }];

  it('keep any text in its cell', () => {
    const [row] = page(odd, tags).match(/^\| `s\.x`.*$/m) ?? [];
    expect(row).toBe('| `s.x` | a \\| b \\<i\\> \\`c\\` | [a](../test/a.test.ts): p \\| q |');
  });

  it('have a summary between marks, which can be written again', () => {
    const text = `before\n${summary(odd, tags)}\nafter\n`;
    expect(text).toContain('| [GET /a/\\{id\\} (x)](conformance.md#get-aid-x) | 1 |');
    expect(withSummary(text, odd, tags)).toBe(text);
    expect(withSummary(text, sections, [])).toMatch(/^before\n(.|\n)*\nafter\n$/);
    expect(() => withSummary('no marks', odd, tags)).toThrow('no place');
  });
});
