import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { choiceWords, followed, rulesOf } from './schema-words.ts';
import { branchesOf, typeWords } from './type-words.ts';

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
      if (member === false) continue;
      const inside = followed(root, member);
      const description = typeof inside.description === 'string' ? inside.description : '';
      const text = [description, choiceWords(inside), rulesOf(root, inside)].filter(Boolean).join(' ');
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
