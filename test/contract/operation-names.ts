import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNode, isTest, type Node, nameOf, parseSource } from '../lint/source-file.ts';
import { namesOperation } from './tool-names.ts';

/** A text in the source that names an operation by its method and path, or by a path alone. */
export interface NamingText {
  /** Below packages/core/src. */
  readonly file: string;
  readonly text: string;
  /** The calls, members, functions and constants around it, outer ones first. */
  readonly around: readonly string[];
}

const SOURCES = join(import.meta.dirname, '../../packages/core/src');

/** Every text of the product's code that names an operation; what is put into it is `{}`. */
export async function textsThatNameOperations(): Promise<NamingText[]> {
  const found: NamingText[] = [];
  for await (const path of glob('**/*.ts', { cwd: SOURCES })) {
    const file = path.replaceAll('\\', '/');
    if (isTest({ path: `packages/core/src/${file}` })) continue;
    for (const text of textsIn(await readFile(join(SOURCES, path), 'utf8'), file)) found.push(text);
  }
  return found;
}

export function textsIn(source: string, file: string): NamingText[] {
  const found: NamingText[] = [];
  visit(parseSource(file, source).body, [], (text, around) => {
    if (namesOperation(text)) found.push({ file, text, around });
  });
  return found;
}

function visit(
  value: unknown,
  around: readonly string[],
  take: (text: string, at: readonly string[]) => void,
) {
  if (Array.isArray(value)) for (const one of value) visit(one, around, take);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
  const node = value as Node;
  if (node.type === 'ImportDeclaration') return;
  const text = textOf(node);
  if (text !== null) return take(text, around);
  const place = placeOf(node);
  const inside = place === null ? around : [...around, place];
  for (const [field, inner] of Object.entries(node)) if (field !== 'span') visit(inner, inside, take);
}

function textOf(node: unknown): string | null {
  if (isNode(node, 'StringLiteral')) return String(node.value);
  if (isNode(node, 'TemplateLiteral')) return (node.quasis as Node[]).map(({ cooked }) => cooked).join('{}');
  if (!isNode(node, 'BinaryExpression') || node.operator !== '+') return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null && right === null ? null : `${left ?? '{}'}${right ?? '{}'}`;
}

function placeOf(node: Node): string | null {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression': {
      const { callee } = node;
      return `${isNode(callee, 'MemberExpression') ? `.${nameOf(callee.property)}` : nameOf(callee)}()`;
    }
    case 'KeyValueProperty':
      return `${nameOf(node.key)}:`;
    case 'VariableDeclarator':
      return `const ${nameOf(node.id)}`;
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'MethodProperty':
      return 'function';
    default:
      return null;
  }
}
