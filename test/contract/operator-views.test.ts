import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  OPERATOR_ROLES,
  type OperatorRole,
} from '@agent-marketplace/core/kernel/operation/operators/operator.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { describe, expect, it } from 'vitest';
import { isNode, type Node, nameOf, parseSource } from '../lint/source-file.ts';

// The operator's console shows what a role may do. Which role an operation takes is said by the operation, so what the pages
// say is compared with it: each view's source is followed to the operations that it calls.

const SITE = join(REPOSITORY, 'packages/site/src');
const VIEWS_FILE = 'browser/operator.ts';
const FOLDER = 'browser/operator';

const leastRoles = new Map(
  apiOperations.flatMap(({ name, auth, leastRole }) =>
    auth === 'operator' && leastRole !== undefined ? [[name, leastRole] as const] : [],
  ),
);
const rank = (role: OperatorRole) => OPERATOR_ROLES.indexOf(role);

type Scope = ReadonlyMap<string, Node>;
const parse = (path: string) => parseSource(path, readFileSync(join(SITE, path), 'utf8'));
const files = [VIEWS_FILE, ...readdirSync(join(SITE, FOLDER)).map((name) => `${FOLDER}/${name}`)].map(parse);
const scopes = files.map(({ body }): Scope => new Map(body.flatMap(declarations)));

/** What a file declares at its top. */
function declarations(item: Node): (readonly [string, Node])[] {
  const { type } = item;
  if (type === 'ExportDeclaration') return declarations(item.declaration as Node);
  if (type === 'FunctionDeclaration') return [[nameOf(item.identifier) ?? '', item]];
  if (type !== 'VariableDeclaration') return [];
  return (item.declarations as Node[]).map((one) => [nameOf(one.id) ?? '', one.init as Node] as const);
}

const namedValues = (statement: Node) =>
  isNode(statement, 'VariableDeclaration') ? declarations(statement).filter(([name]) => name !== '') : [];

/** An operation as a page calls it. */
interface Call {
  readonly operation: string;
  readonly leastRole: OperatorRole;
  /** Of the block that shows it; null: everybody who came in sees it. */
  readonly shownTo: OperatorRole | null;
}

function callsOf(node: unknown, scope: Scope, shownTo: OperatorRole | null, seen: Set<unknown>): Call[] {
  if (Array.isArray(node)) return node.flatMap((one) => callsOf(one, scope, shownTo, seen));
  if (typeof node !== 'object' || node === null) return [];
  if (isNode(node, 'CallExpression') && nameOf(node.callee) === 'forRole') {
    const [, role, make] = (node.arguments as { expression: Node }[]).map(({ expression }) => expression);
    return callsOf(make, scope, nameOf(role) as OperatorRole, seen);
  }
  if (isNode(node, 'ConditionalExpression')) {
    const { test } = node;
    const role =
      isNode(test, 'CallExpression') && nameOf(test.callee) === 'mayDo'
        ? (nameOf((test.arguments as { expression: Node }[])[1]?.expression) as OperatorRole)
        : shownTo;
    return [
      ...callsOf(node.test, scope, shownTo, seen),
      ...callsOf(node.consequent, scope, role, seen),
      ...callsOf(node.alternate, scope, shownTo, seen),
    ];
  }
  if (isNode(node, 'BlockStatement', 'FunctionBody')) {
    // What a name stands for is shown where the name is used.
    const inner: Scope = new Map([...scope, ...(node.stmts as Node[]).flatMap(namedValues)]);
    return callsOf(
      (node.stmts as Node[]).filter((one) => namedValues(one).length === 0),
      inner,
      shownTo,
      seen,
    );
  }
  if (isNode(node, 'MemberExpression')) {
    const operation = nameOf(node.property) ?? '';
    const leastRole = leastRoles.get(operation);
    const own = leastRole === undefined ? [] : [{ operation, leastRole, shownTo }];
    return [...own, ...callsOf(node.object, scope, shownTo, seen)];
  }
  const name = isNode(node, 'Identifier') ? nameOf(node) : null;
  const home = name === null ? undefined : [scope, ...scopes].find((one) => one.has(name));
  const declared = name === null ? undefined : home?.get(name);
  if (declared !== undefined && home !== undefined) {
    if (seen.has(declared)) return [];
    return callsOf(declared, home, shownTo, new Set([...seen, declared]));
  }
  return Object.entries(node).flatMap(([field, inner]) =>
    field === 'span' ? [] : callsOf(inner, scope, shownTo, seen),
  );
}

const pairsOf = (object: unknown): (readonly [string, Node])[] =>
  (isNode(object, 'ObjectExpression') ? (object.properties as Node[]) : []).map((one) => [
    nameOf(one.key) ?? '',
    one.value as Node,
  ]);

const [viewScope = new Map()] = scopes;
const views = new Map(
  pairsOf(viewScope.get('VIEWS')).map(([path, draw]) => [path, callsOf(draw, viewScope, null, new Set())]),
);

/** The role that the tab of each view names. */
const tabs = parse('pages/operator/operator-pages.tsx')
  .nodes.filter((node) => isNode(node, 'ObjectExpression'))
  .map((page) => new Map(pairsOf(page)))
  .flatMap((page) => {
    const path = nameOf(page.get('path'));
    const texts = (list: unknown): Node[] =>
      isNode(list, 'ArrayExpression')
        ? (list.elements as { expression: Node }[]).map((one) => one.expression)
        : [];
    if (path === null) return [];
    const named = texts(page.get('views')).map((view) => texts(view).map(nameOf));
    if (named.length === 0) return [{ path, role: 'viewer' }];
    return named.map(([view, , role]) => ({ path: `${path}/${view}`, role: role ?? 'viewer' }));
  });

describe('the operator’s console', () => {
  it('is found: every page and every view of one, with what it calls', () => {
    expect(tabs.map(({ path }) => path).toSorted()).toEqual([...views.keys()].toSorted());
    expect(new Set([...views.values()].flat().map(({ operation }) => operation)).size).toBeGreaterThan(30);
    for (const [path, calls] of views) expect(calls.length, path).toBeGreaterThan(0);
  });

  it('shows nothing that the API would refuse, and hides nothing that it would not', () => {
    const wrong = [...views].flatMap(([path, calls]) =>
      calls
        .filter(({ leastRole, shownTo }) =>
          // What everybody may read stands in any block.
          leastRole === 'viewer' ? false : shownTo !== leastRole,
        )
        .map(
          ({ operation, leastRole, shownTo }) =>
            `${path}: ${operation} takes ${leastRole}, shown to ${shownTo}`,
        ),
    );
    expect([...new Set(wrong)]).toEqual([]);
  });

  it.each(tabs)('offers $path to whoever may do something there: $role', ({ path, role }) => {
    const roles = (views.get(path) ?? []).map(({ leastRole }) => leastRole);
    const [least] = roles.toSorted((a, b) => rank(a) - rank(b));
    expect(role).toBe(least);
  });
});
