import { parseSync } from '@swc/core';

/** A node of the syntax tree, as @swc/core gives it: a record with a type, and more nodes in its fields. */
export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly body: readonly Node[];
  /** Every node of the file, outer ones first. */
  readonly nodes: readonly Node[];
}

export interface Problem {
  readonly rule: string;
  /** What offends: a file, a folder or a table. */
  readonly subject: string;
  readonly message: string;
}

export interface Rule {
  readonly name: string;
  find(files: readonly SourceFile[]): Problem[];
}

/** What is read of a tree: one with the name of each file and its text. */
export function parseSource(path: string, text: string): SourceFile {
  const { body } = parseSync(text, { syntax: 'typescript', tsx: path.endsWith('.tsx'), target: 'es2024' });
  const nodes: Node[] = [];
  collectNodes(body, nodes);
  return { path, body: body as unknown as readonly Node[], nodes };
}

function collectNodes(value: unknown, nodes: Node[]): void {
  if (Array.isArray(value)) for (const item of value) collectNodes(item, nodes);
  else if (isRecord(value)) {
    if (typeof value.type === 'string') nodes.push(value as Node);
    for (const [field, inner] of Object.entries(value)) if (field !== 'span') collectNodes(inner, nodes);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isNode(value: unknown, ...types: string[]): value is Node {
  return isRecord(value) && typeof value.type === 'string' && types.includes(value.type);
}

/** The name of an identifier or of a key that is one. */
export function nameOf(value: unknown): string | null {
  if (isNode(value, 'Identifier', 'StringLiteral', 'PrivateName')) return String(value.value);
  return null;
}

/** `getFeeSchedule`, `GetFeeSchedule`, `GET_FEE_SCHEDULE` and `get-fee-schedule` are one name. */
export function plainName(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

const TESTS = /\.test\.tsx?$|^packages\/[^/]+\/src\/testing\/|^test\/|^vitest\.config\.ts$/;

export function isTest({ path }: Pick<SourceFile, 'path'>): boolean {
  return TESTS.test(path);
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
