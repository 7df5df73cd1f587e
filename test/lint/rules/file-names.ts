import {
  fileName,
  isNode,
  isTest,
  type Node,
  nameOf,
  plainName,
  type Rule,
  type SourceFile,
} from '../source-file.ts';

/** `pay.rules.ts` and its like are named for their topic, `index.ts` and the tables for their slice. */
const NAMED_FOR_ITS_EXPORT = /^(?!.*(\/generated\/|\/db\/tables\/|\/index\.)).*\/[^./]+(\.do)?\.tsx?$/;

interface Exports {
  readonly values: string[];
  readonly types: string[];
}

function exportsOf({ body }: SourceFile): Exports {
  const names: Exports = { values: [], types: [] };
  for (const node of body) {
    if (isNode(node, 'ExportDeclaration')) addDeclared(names, node.declaration as Node);
    if (!isNode(node, 'ExportNamedDeclaration')) continue;
    for (const specifier of node.specifiers as Node[]) {
      const isType = node.typeOnly === true || specifier.isTypeOnly === true;
      const name = nameOf(specifier.exported ?? specifier.orig ?? specifier.name);
      names[isType ? 'types' : 'values'].push(name ?? '');
    }
  }
  return names;
}

function addDeclared({ values, types }: Exports, declaration: Node): void {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      values.push(nameOf(declaration.identifier) ?? '');
      return;
    case 'VariableDeclaration':
      values.push(...(declaration.declarations as Node[]).map(({ id }) => nameOf(id) ?? ''));
      return;
    default:
      types.push(nameOf(declaration.id) ?? '');
  }
}

/** `door.ts` may hold createDoor, `pages/seller.tsx` sellerPage, `fixed-files.ts` fixedFile. */
function isNamedIn(name: string, path: string): boolean {
  const [stem = ''] = fileName(path).split('.');
  return plainName(name).includes(plainName(stem).replace(/s$/, ''));
}

/** The one value that a file exports, or a type beside it, has the name of the file in its own. */
export const mainExport: Rule = {
  name: 'main-export',
  find: (files) =>
    files
      .filter((file) => !isTest(file) && NAMED_FOR_ITS_EXPORT.test(file.path))
      .flatMap((file) => {
        const { values, types } = exportsOf(file);
        if (values.length !== 1 || [...values, ...types].some((name) => isNamedIn(name, file.path)))
          return [];
        return [{ rule: 'main-export', subject: file.path, message: `exports ${values[0]}` }];
      }),
};

/** An operation's file has the operation's name. */
export const operationFile: Rule = {
  name: 'operation-file',
  find: (files) =>
    files
      .filter((file) => !isTest(file))
      .flatMap(({ path, nodes }) => {
        const [stem = ''] = fileName(path).split('.');
        return nodes
          .flatMap(operationName)
          .filter((name) => kebab(name) !== stem)
          .map((name) => ({ rule: 'operation-file', subject: path, message: `holds the operation ${name}` }));
      }),
};

function operationName(node: Node): string[] {
  if (!isNode(node, 'CallExpression') || nameOf(node.callee) !== 'defineOperation') return [];
  const [argument] = node.arguments as { readonly expression: Node }[];
  if (!isNode(argument?.expression, 'ObjectExpression')) return [];
  return (argument.expression.properties as Node[]).flatMap((property) =>
    isNode(property, 'KeyValueProperty') && nameOf(property.key) === 'name'
      ? [nameOf(property.value) ?? 'without a literal name']
      : [],
  );
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
