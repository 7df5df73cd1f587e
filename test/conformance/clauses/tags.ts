import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNode, type Node, nameOf, parseSource, type SourceFile } from '../../lint/source-file.ts';

export const REPOSITORY = join(import.meta.dirname, '../../..');

/** What a project of vitest.config.ts runs. Those of test/conformance come first, as on the page. */
const TEST_FILES = [
  'test/{conformance,contract,e2e,fault,sdk,site}/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
];

/** That a clause is proven by a test, or by all tests of a group. */
export interface Tag {
  readonly clause: string;
  readonly file: string;
  /** Groups first: `group > test`, as it stands there, `%s` and all. */
  readonly test: string;
}

export interface Tags {
  readonly tags: readonly Tag[];
  /** What is wrong with how tags stand beside tests. */
  readonly problems: readonly string[];
}

/** The tags of all tests below a folder, by file and as they stand there. */
export async function readTags(root = REPOSITORY): Promise<Tags> {
  const found: Tags[] = [];
  for (const pattern of TEST_FILES) {
    const paths: string[] = [];
    for await (const path of glob(pattern, { cwd: root })) paths.push(path.replaceAll('\\', '/'));
    for (const path of paths.sort()) {
      const text = await readFile(join(root, path), 'utf8');
      if (text.includes('clause(')) found.push(tagsIn(parseSource(path, text)));
    }
  }
  return { tags: found.flatMap(({ tags }) => tags), problems: found.flatMap(({ problems }) => problems) };
}

/** The tags of one file. Each stands right before a test, or a group with a test, that runs whatever happens. */
export function tagsIn({ path: file, body }: SourceFile): Tags {
  const tests: Test[] = [];
  const places: [ids: readonly string[], test: string | null][] = [];
  visit(body, { titles: [], runs: true });

  const runs = (title: string) =>
    tests.some((test) => test.runs && (test.title === title || test.title.startsWith(`${title} > `)));
  const problems = places.flatMap(([ids, test]) => {
    const tag = `${file}: clause(${ids.join(', ')})`;
    if (ids.length === 0) return [`${tag} names nothing, or not by texts`];
    if (test === null) return [`${tag} has no test after it`];
    return runs(test) ? [] : [`${tag} stands before “${test}”, which does not always run`];
  });
  const tags = places.flatMap(([ids, test]) =>
    test === null ? [] : ids.map((clause) => ({ clause, file, test })),
  );
  return { tags, problems };

  function visit(value: unknown, group: Group): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const ids = isNode(item, 'ExpressionStatement') ? idsOf(item.expression) : null;
        if (ids) places.push([ids, testOf(value[index + 1], group)?.title ?? null]);
        else visit(item, group);
      }
    } else if (typeof value === 'object' && value !== null) visitNode(value as Node, group);
  }

  function visitNode(node: Node, group: Group): void {
    const misplaced = idsOf(node);
    if (misplaced) places.push([misplaced, null]);
    const test = testOf(node, group);
    if (test?.isGroup === false) tests.push(test);
    for (const item of Object.values(node)) visit(item, test?.isGroup ? test : withinNode(node, group));
  }
}

/** What stands below a condition may never run. */
function withinNode(node: Node, group: Group): Group {
  return isNode(node, 'IfStatement') ? { ...group, runs: false } : group;
}

interface Group {
  readonly titles: readonly string[];
  readonly runs: boolean;
}

interface Test extends Group {
  readonly isGroup: boolean;
  readonly title: string;
}

const TESTS = new Set(['it', 'test']);
const GROUPS = new Set(['describe', 'suite']);
/** Any other word skips a test, or lets it pass by failing. */
const RUNNING = new Set(['each', 'for', 'only', 'concurrent', 'sequential', 'shuffle']);
const NOT_RUNNING = new Set(['skip', 'todo', 'fails']);

/** The clauses that a call names, if it is a tag. */
function idsOf(call: unknown): string[] | null {
  if (!isNode(call, 'CallExpression') || nameOf(call.callee) !== 'clause') return null;
  const ids = argumentsOf(call).map(textOf);
  return ids.every((id) => id !== null) ? ids : [];
}

/** The test or group that a statement declares. */
function testOf(statement: unknown, group: Group): Test | null {
  if (!isNode(statement, 'ExpressionStatement')) return null;
  const call = statement.expression;
  if (!isNode(call, 'CallExpression')) return null;
  const [first = '', ...modifiers] = wordsOf(call.callee);
  if (!TESTS.has(first) && !GROUPS.has(first)) return null;
  const [title, ...others] = argumentsOf(call);
  const titles = [...group.titles, textOf(title) ?? '…'];
  const options = others.filter((other) => isNode(other, 'ObjectExpression'));
  const optionNames = options.flatMap(({ properties }) =>
    (properties as Node[]).map(({ key }) => nameOf(key)),
  );
  const mayNotRun =
    modifiers.some((word) => !RUNNING.has(word)) || optionNames.some((name) => NOT_RUNNING.has(name ?? ''));
  return {
    isGroup: GROUPS.has(first),
    titles,
    title: titles.join(' > '),
    runs: group.runs && !mayNotRun,
  };
}

/** `it.concurrent.each(rows)` is it, concurrent, each. */
function wordsOf(callee: unknown): string[] {
  if (isNode(callee, 'Identifier')) return [String(callee.value)];
  if (isNode(callee, 'MemberExpression')) return [...wordsOf(callee.object), nameOf(callee.property) ?? ''];
  if (isNode(callee, 'CallExpression')) return wordsOf(callee.callee);
  if (isNode(callee, 'TaggedTemplateExpression')) return wordsOf(callee.tag);
  return [];
}

function argumentsOf({ arguments: given }: Node): Node[] {
  return (given as { readonly expression: Node }[]).map(({ expression }) => expression);
}

/** What a text literal says; of a template, what stands still. */
function textOf(value: unknown): string | null {
  if (isNode(value, 'StringLiteral')) return String(value.value);
  if (!isNode(value, 'TemplateLiteral')) return null;
  return (value.quasis as { readonly cooked: string }[]).map(({ cooked }) => cooked).join('…');
}
