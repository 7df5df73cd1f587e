import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { SCHEMA_TYPES } from '@agent-marketplace/protocol/schemas/schema-messages.rules.ts';
import { choicesOf, followed } from './schema-words.ts';

/** One of a kind, and many. */
const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['text', 'texts'],
  integer: ['whole number', 'whole numbers'],
  number: ['number', 'numbers'],
  boolean: ['yes or no', 'yes or no'],
  null: ['nothing', 'nothing'],
  object: ['record', 'records'],
  array: ['list', 'lists'],
};

/** How deep types are told: lists of alternatives of lists are called lists. */
const MAX_TYPE_DEPTH = 3;

/** The type of a member in plain words: `list of records`. */
export function typeWords(root: JsonObject, schema: JsonObject, isMany = false, depth = 0): string {
  const { type, items } = schema;
  const branches = [...branchesOf(schema, 'anyOf'), ...branchesOf(schema, 'oneOf')];
  if (type === undefined && branches.length > 0 && depth < MAX_TYPE_DEPTH) {
    const all = branches.map((branch) => typeWords(root, followed(root, branch), isMany, depth + 1));
    return [...new Set(all)].join(' or ');
  }
  if (type === undefined && ['allOf', 'if'].some((keyword) => keyword in schema)) return 'one of several';
  const choices = choicesOf(schema);
  const types = (
    choices === null ? (Array.isArray(type) ? type : [type]) : [...new Set(choices.map(typeOf))]
  ).filter((one) => SCHEMA_TYPES.includes(one as Json));
  if (types.length === 0) return isJsonObject(schema.properties) ? wordOf('object', isMany) : 'anything';
  const item =
    typeof items === 'object' && depth < MAX_TYPE_DEPTH
      ? typeWords(root, followed(root, items), true, depth + 1)
      : '';
  return types
    .map((one) => {
      const word = wordOf(String(one), isMany);
      return one === 'array' && item !== '' ? `${word} of ${item}` : word;
    })
    .join(' or ');
}

/** Of a value, the narrowest type that a schema has a word for. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const wordOf = (type: string, isMany: boolean): string => WORDS[type]?.[isMany ? 1 : 0] ?? type;

/** The alternatives that a keyword of a schema lists. */
export const branchesOf = (schema: JsonObject, keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly Json[] => {
  const branches = schema[keyword];
  return Array.isArray(branches) ? branches : [];
};
