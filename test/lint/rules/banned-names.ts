import { isNode, isTest, type Node, nameOf, type Rule } from '../source-file.ts';

/** Participles and adverbs say neither what a value is nor what a function does. */
const BANNED = new Set([
  'told',
  'asked',
  'wanted',
  'given',
  'again',
  'late',
  'later',
  'made',
  'heard',
  'aside',
  'keep',
  'push',
  'released',
]);

/** The names that a pattern binds. What keeps the name of a property is named where the property is declared. */
function boundNames(pattern: unknown): string[] {
  if (isNode(pattern, 'Identifier')) return [String(pattern.value)];
  if (isNode(pattern, 'Parameter')) return boundNames(pattern.pat);
  if (isNode(pattern, 'TsParameterProperty')) return boundNames(pattern.param);
  if (isNode(pattern, 'AssignmentPattern')) return boundNames(pattern.left);
  if (isNode(pattern, 'RestElement')) return boundNames(pattern.argument);
  if (isNode(pattern, 'ArrayPattern')) return (pattern.elements as unknown[]).flatMap(boundNames);
  if (isNode(pattern, 'ObjectPattern')) {
    return (pattern.properties as Node[]).flatMap((property) =>
      property.type === 'AssignmentPatternProperty' ? [] : boundNames(property.value ?? property),
    );
  }
  return [];
}

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression'];

function declaredNames(node: Node): (string | null)[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return boundNames(node.id);
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [nameOf(node.identifier), ...parametersOf(node)];
    case 'TsPropertySignature':
    case 'ClassProperty':
    case 'PrivateProperty':
    case 'MethodProperty':
    case 'TsMethodSignature':
      return [nameOf(node.key), ...parametersOf(node)];
    case 'ClassMethod':
    case 'PrivateMethod':
      return [nameOf(node.key), ...parametersOf(node.function as Node)];
    case 'KeyValueProperty':
      // A key of a value is named where its type is declared, but for a function that has no other name.
      return isNode(node.value, ...FUNCTIONS) ? [nameOf(node.key)] : [];
    default:
      return parametersOf(node);
  }
}

function parametersOf(node: Node): string[] {
  return Array.isArray(node.params) ? node.params.flatMap(boundNames) : [];
}

export const bannedNames: Rule = {
  name: 'banned-names',
  find: (files) =>
    files
      .filter((file) => !isTest(file))
      .flatMap(({ path, nodes }) => {
        const names = nodes.flatMap(declaredNames).filter((name) => name !== null && BANNED.has(name));
        return [...new Set(names)].map((name) => ({
          rule: 'banned-names',
          subject: path,
          message: `has the name "${name}": say what the value is or what the function does`,
        }));
      }),
};
