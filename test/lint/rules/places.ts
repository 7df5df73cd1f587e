import { folderOf, isNode, isTest, type Node, nameOf, type Rule } from '../source-file.ts';

const MAX_FILES = 24;

/** A folder that takes more than a look to read through is two folders. */
export const folderSize: Rule = {
  name: 'folder-size',
  find: (files) => {
    const counts = new Map<string, number>();
    for (const { path } of files) {
      if (isTest({ path }) || /\/generated\/|\.data\.ts$/.test(path)) continue;
      counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
    }
    return [...counts]
      .filter(([, count]) => count > MAX_FILES)
      .map(([folder, count]) => ({
        rule: 'folder-size',
        subject: folder,
        message: `has ${count} files, ${MAX_FILES} are the most`,
      }));
  },
};

const CORE = 'packages/core/src/';
const RAILS = new Set(['wallet', 'card', 'checkout', 'x402']);
const EQUALITY = new Set(['===', '!==', '==', '!=']);

function isRail(value: unknown): boolean {
  if (isNode(value, 'MemberExpression')) return nameOf(value.property) === 'rail';
  return nameOf(value) === 'rail' && isNode(value, 'Identifier');
}

function isRailLiteral(value: unknown): boolean {
  return isNode(value, 'StringLiteral') && RAILS.has(String(value.value));
}

function decidesByRail(node: Node): boolean {
  const { type, discriminant, operator, left, right } = node;
  if (type === 'SwitchStatement') return isRail(discriminant);
  if (type !== 'BinaryExpression' || !EQUALITY.has(String(operator))) return false;
  return (isRail(left) && isRailLiteral(right)) || (isRail(right) && isRailLiteral(left));
}

/** What differs between ways of paying is one file for each of them; an `if` elsewhere is forgotten by the next. */
export const railsApart: Rule = {
  name: 'rails-apart',
  find: (files) =>
    files
      .filter((file) => file.path.startsWith(CORE) && !isTest(file) && !file.path.includes('/rails/'))
      .filter(({ nodes }) => nodes.some(decidesByRail))
      .map(({ path }) => ({ rule: 'rails-apart', subject: path, message: 'decides by the rail' })),
};

/** What the database refused is told apart in db/; others learn it as a value. */
export const databaseErrors: Rule = {
  name: 'database-errors',
  find: (files) =>
    files
      .filter((file) => !isTest(file) && !file.path.startsWith(`${CORE}db/`))
      .filter(({ nodes }) => nodes.some((node) => nameOf(node) === 'DatabaseError' && !isDeclared(nodes)))
      .map(({ path }) => ({ rule: 'database-errors', subject: path, message: 'knows DatabaseError' })),
};

function isDeclared(nodes: readonly Node[]): boolean {
  return nodes.some(
    (node) => isNode(node, 'ClassDeclaration') && nameOf(node.identifier) === 'DatabaseError',
  );
}
