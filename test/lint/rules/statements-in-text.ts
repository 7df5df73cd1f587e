import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  isNode,
  isTest,
  type Node,
  nameOf,
  type Problem,
  type Rule,
  type SourceFile,
} from '../source-file.ts';
import { STATEMENTS_IN_TEXT } from './statements-in-text.data.ts';

const CORE = 'packages/core/src/';
const SOURCES = join(import.meta.dirname, '../../..', CORE);
const STATEMENT = /^\s*(INSERT|UPDATE|DELETE|SELECT|WITH)\b/i;

/** `sql`…``, and `sql<Row>`…``, that begin as a statement does. */
function isStatement(node: Node): boolean {
  const { tag, template } = node;
  if (!isNode(node, 'TaggedTemplateExpression') || nameOf(tag) !== 'sql') return false;
  const [first] = (template as { readonly quasis: readonly { readonly raw: string }[] }).quasis;
  return STATEMENT.test(first?.raw ?? '');
}

const hasText = ({ nodes }: SourceFile): boolean => nodes.some(isStatement);

/** The builder types names, values and rows; text is for what it cannot say, and stands in a list with its reason. */
export const statementsInText: Rule = {
  name: 'statements-in-text',
  find: (files) => {
    const sources = files.filter(
      (file) =>
        file.path.startsWith(CORE) &&
        !file.path.startsWith(`${CORE}adapters/`) &&
        !isTest(file) &&
        hasText(file),
    );
    const inText = new Set(sources.map(({ path }) => path.slice(CORE.length)));
    const read = new Set(files.map(({ path }) => path.slice(CORE.length)));
    const isStale = (path: string) =>
      !existsSync(join(SOURCES, path)) || (read.has(path) && !inText.has(path));
    return [
      ...[...inText]
        .filter((path) => !(path in STATEMENTS_IN_TEXT))
        .map((path) => problemOf(path, 'has a statement in text: say it with the builder (db/build.ts)')),
      ...Object.keys(STATEMENTS_IN_TEXT)
        .filter(isStale)
        .map((path) => problemOf(path, 'has no statement in text: take it off statements-in-text.data.ts')),
    ];
  },
};

const problemOf = (path: string, message: string): Problem => ({
  rule: 'statements-in-text',
  subject: path,
  message,
});
