import {
  isNode,
  isTest,
  type Node,
  nameOf,
  type Problem,
  type Rule,
  type SourceFile,
} from '../source-file.ts';

const CORE = 'packages/core/src/';
const TABLES = `${CORE}db/tables/`;
/** A guard aborts the transaction it stands in: no row of it is ever kept. */
const WRITTEN_BY_ALL = new Set(['guards']);

const WRITE = '(?:INSERT(?: OR \\w+)? INTO|REPLACE INTO|(?<!DO )UPDATE(?: OR \\w+)?|DELETE FROM)';
const WRITE_OF_NEXT = new RegExp(`${WRITE}\\s+$`, 'i');
const WRITE_OF_NAME = new RegExp(`${WRITE}\\s+([a-z_]+)`, 'g');
/** `insertInto(table, …)`, `build.update(table)`, `.delete(table)`. */
const WRITER = /^(insert|update|delete|upsert|replace|remove)([A-Z]|$)/;

/** The exported name of each table by its name in SQL. */
function tablesOf(files: readonly SourceFile[]): Map<string, string> {
  const tables = new Map<string, string>();
  for (const { nodes } of files.filter(({ path }) => path.startsWith(TABLES))) {
    for (const node of nodes) {
      const { init } = node;
      if (!isNode(node, 'VariableDeclarator') || !isNode(init, 'CallExpression')) continue;
      if (nameOf(init.callee) !== 'sqliteTable') continue;
      const [first] = init.arguments as { readonly expression: Node }[];
      tables.set(nameOf(first?.expression) ?? '', nameOf(node.id) ?? '');
    }
  }
  return tables;
}

/** What a file calls the tables that it imports. */
function importedTables({ body }: SourceFile): Map<string, string> {
  const names = new Map<string, string>();
  for (const node of body) {
    if (!isNode(node, 'ImportDeclaration') || !nameOf(node.source)?.includes('/db/tables/')) continue;
    for (const { local, imported } of node.specifiers as Node[]) {
      names.set(nameOf(local) ?? '', nameOf(imported) ?? nameOf(local) ?? '');
    }
  }
  return names;
}

function writtenBy(file: SourceFile, tables: ReadonlyMap<string, string>): Set<string> {
  const imported = importedTables(file);
  const written = new Set<string>();
  const add = (value: unknown) => {
    const table = imported.get(nameOf(value) ?? '');
    if (table !== undefined) written.add(table);
  };
  for (const node of file.nodes) {
    if (isNode(node, 'TemplateLiteral')) {
      const texts = (node.quasis as Node[]).map(({ raw }) => String(raw));
      for (const [at, text] of texts.entries()) {
        if (WRITE_OF_NEXT.test(text)) add((node.expressions as Node[])[at]);
        for (const [, name = ''] of text.matchAll(WRITE_OF_NAME)) written.add(tables.get(name) ?? name);
      }
    }
    if (isNode(node, 'CallExpression') && WRITER.test(calledName(node.callee))) {
      add((node.arguments as { readonly expression: Node }[])[0]?.expression);
    }
  }
  return written;
}

function calledName(callee: unknown): string {
  return nameOf(isNode(callee, 'MemberExpression') ? callee.property : callee) ?? '';
}

/** One slice writes a table and knows what its rows may be; the others ask that slice for a statement. */
export const tableWriters: Rule = {
  name: 'table-writers',
  find: (files) => {
    const tables = tablesOf(files);
    const writers = new Map<string, Map<string, string>>();
    for (const file of files) {
      if (!file.path.startsWith(CORE) || isTest(file) || file.path.startsWith(`${CORE}adapters/`)) continue;
      const [slice = ''] = file.path.slice(CORE.length).split('/');
      for (const table of writtenBy(file, tables)) {
        if (WRITTEN_BY_ALL.has(table)) continue;
        writers.set(table, (writers.get(table) ?? new Map()).set(slice, file.path));
      }
    }
    return [...writers].filter(([, slices]) => slices.size > 1).map(problemOf);
  },
};

function problemOf([table, slices]: [string, Map<string, string>]): Problem {
  const places = [...slices.values()].map((path) => path.slice(CORE.length)).sort();
  return { rule: 'table-writers', subject: table, message: `is written in ${places.join(', ')}` };
}
