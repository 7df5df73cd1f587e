import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { SCHEMA_TYPES } from '@agent-marketplace/protocol/schemas/schema-messages.rules.ts';
import { followed, rulesOf } from './schema-words.ts';

export interface SchemaTableRow {
  /** The names that lead to it, with `[]` for the items of a list. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly text: string;
}

const MAX_ROWS = 100;
const MAX_DEPTH = 6;
/** Alternatives within alternatives are many before there is a row. */
const MAX_VISITS = 2000;

/** The members that a seller's schema names, in its order, those of its alternatives too. */
export function schemaTable(root: JsonObject): readonly SchemaTableRow[] {
  const rows = new Map<string, SchemaTableRow>();
  let visits = 0;

  function members(node: Json | undefined, prefix: string, depth: number, isCertain: boolean): void {
    visits += 1;
    if (depth > MAX_DEPTH || visits > MAX_VISITS) return;
    const schema = followed(root, node);
    if (schema.items !== undefined) members(schema.items, `${prefix}[]`, depth + 1, true);
    for (const [name, member] of isJsonObject(schema.properties) ? Object.entries(schema.properties) : []) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (rows.size >= MAX_ROWS) return;
      const inside = followed(root, member);
      const description = typeof inside.description === 'string' ? inside.description : '';
      const text = [description, rulesOf(inside)].filter(Boolean).join(' ');
      const isRequired = isCertain && Array.isArray(schema.required) && schema.required.includes(name);
      // What several alternatives have is told once, as the first of them has it.
      if (!rows.has(path)) rows.set(path, { path, type: typeWords(root, inside), isRequired, text });
      members(inside, path, depth + 1, true);
    }
    for (const branch of branchesOf(schema, 'allOf')) members(branch, prefix, depth + 1, isCertain);
    for (const keyword of ['anyOf', 'oneOf'] as const)
      for (const branch of branchesOf(schema, keyword)) members(branch, prefix, depth + 1, false);
  }

  members(root, '', 0, true);
  return [...rows.values()];
}

const branchesOf = (schema: JsonObject, keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly Json[] => {
  const branches = schema[keyword];
  return Array.isArray(branches) ? branches : [];
};

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

function typeWords(root: JsonObject, schema: JsonObject, isMany = false, depth = 0): string {
  const { type, items } = schema;
  const branches = [...branchesOf(schema, 'anyOf'), ...branchesOf(schema, 'oneOf')];
  if (type === undefined && branches.length > 0 && depth < MAX_TYPE_DEPTH) {
    const all = branches.map((branch) => typeWords(root, followed(root, branch), isMany, depth + 1));
    return [...new Set(all)].join(' or ');
  }
  if (type === undefined && ['allOf', 'if'].some((keyword) => keyword in schema)) return 'one of several';
  if (schema.enum !== undefined || schema.const !== undefined) return 'fixed values';
  const types = (Array.isArray(type) ? type : [type]).filter((one) => SCHEMA_TYPES.includes(one as Json));
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

const wordOf = (type: string, isMany: boolean): string => WORDS[type]?.[isMany ? 1 : 0] ?? type;
