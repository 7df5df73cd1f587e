import { isNode, isTest, type Node, nameOf, type Rule } from '../source-file.ts';

const CHECKED = ['packages/core/src/', 'workers/'];
const EQUALITY = new Set(['===', '!==', '==', '!=']);
const SECRET = /^(apiKey|\w*[sS]ecret|\w*[tT]oken|mac|signature)$/;
/** Made anew for each try and known to no caller: it says which of two requests came first. */
const NO_SECRET = new Set(['packages/core/src/db/idempotency-records.ts']);

const isSecret = (value: unknown): boolean =>
  isNode(value, 'MemberExpression')
    ? SECRET.test(nameOf(value.property) ?? '')
    : isNode(value, 'Identifier') && SECRET.test(nameOf(value) ?? '');

/** Whether it is there at all, or a fixed word, tells nobody anything. */
const isFixed = (value: unknown): boolean =>
  isNode(value, 'NullLiteral', 'StringLiteral', 'NumericLiteral', 'BooleanLiteral') ||
  (isNode(value, 'Identifier') && nameOf(value) === 'undefined');

const comparesSecret = ({ type, operator, left, right }: Node): boolean =>
  type === 'BinaryExpression' &&
  EQUALITY.has(String(operator)) &&
  ((isSecret(left) && !isFixed(right)) || (isSecret(right) && !isFixed(left)));

/** The time of `===` tells how much of a guess is right: keys are looked up by their hash, codes checked by their MAC. */
export const secretComparisons: Rule = {
  name: 'secret-comparisons',
  find: (files) =>
    files
      .filter((file) => !isTest(file) && !NO_SECRET.has(file.path))
      .filter(({ path }) => CHECKED.some((root) => path.startsWith(root)))
      .filter(({ nodes }) => nodes.some(comparesSecret))
      .map(({ path }) => ({
        rule: 'secret-comparisons',
        subject: path,
        message:
          'compares a secret with ===: compare hashes, look it up by its hash, or use keyedHash.isToken',
      })),
};
