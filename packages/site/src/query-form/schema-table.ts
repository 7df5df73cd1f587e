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

/** The members that a seller's schema names, in its order. Alternatives are called so; the schema itself has them. */
export function schemaTable(root: JsonObject): readonly SchemaTableRow[] {
  const rows: SchemaTableRow[] = [];

  function members(node: Json | undefined, prefix: string, depth: number): void {
    const schema = followed(root, node);
    if (depth > MAX_DEPTH) return;
    if (schema.items !== undefined) members(schema.items, `${prefix}[]`, depth + 1);
    if (!isJsonObject(schema.properties)) return;
    const required = Array.isArray(schema.required) ? schema.required : [];
    for (const [name, member] of Object.entries(schema.properties)) {
      if (rows.length >= MAX_ROWS) return;
      const inside = followed(root, member);
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const description = typeof inside.description === 'string' ? inside.description : '';
      const text = [description, rulesOf(inside)].filter(Boolean).join(' ');
      rows.push({ path, type: typeWords(root, inside), isRequired: required.includes(name), text });
      members(inside, path, depth + 1);
    }
  }

  members(root, '', 0);
  return rows;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'yes or no',
  null: 'nothing',
};

function typeWords(root: JsonObject, schema: JsonObject): string {
  const { type, items } = schema;
  if (['anyOf', 'oneOf', 'allOf', 'if'].some((keyword) => keyword in schema)) return 'one of several';
  if (schema.enum !== undefined || schema.const !== undefined) return 'fixed values';
  const types = (Array.isArray(type) ? type : [type]).filter((one) => SCHEMA_TYPES.includes(one as Json));
  if (types.length === 0) return 'anything';
  const item = typeof items === 'object' ? typeWords(root, followed(root, items)) : '';
  return types
    .map((one) =>
      one === 'array' ? (item === '' ? 'list' : `list of ${item}`) : (WORDS[String(one)] ?? String(one)),
    )
    .join(' or ');
}
