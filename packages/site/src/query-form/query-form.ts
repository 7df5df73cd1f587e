import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { oneLine } from '../format/text.ts';
import type { Control, QueryField, QueryForm, TextFormat } from './query-field.ts';
import { readQuery } from './read-query.ts';
import { choicesOf, followed, presenceChoices, rulesOf, withoutNull } from './schema-words.ts';
import { typeWords } from './type-words.ts';
import { valuesOf } from './values-of.ts';

const FORMATS: readonly string[] = ['date', 'date-time', 'email', 'uri', 'uuid'];
/** A form of more than this is no help to anybody: it is one JSON text then. */
const MAX_FIELDS = 60;
const MAX_DEPTH = 4;
const LONG_TEXT = 1000;
const MAX_LABEL_LENGTH = 120;
const MAX_DESCRIPTION_LENGTH = 400;
/** Keywords that decide by alternatives, or allow members that no form can name. */
const ODD = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'prefixItems', 'patternProperties'];

interface Listing {
  readonly inputSchema: Json;
  readonly exampleQuery: Json;
  readonly queryRequired: boolean;
}

/**
 * The form of a listing's `inputSchema`. A part that plain controls cannot hold is a JSON text; all of the query is one
 * if the example would not come out of the form as it went in.
 */
export function queryFormOf({ inputSchema, exampleQuery, queryRequired }: Listing): QueryForm {
  const schema = isJsonObject(inputSchema) ? inputSchema : null;
  const isOptional = !queryRequired;
  const example = isJsonObject(exampleQuery) ? exampleQuery : null;
  if (schema === null)
    return { fields: example === null ? [] : [wholeQuery(true)], rules: '', schema, isOptional };
  const root = memberField(schema, schema, [], { isRequired: queryRequired, example, depth: 0 });
  const fields = root.control.kind === 'group' ? root.control.fields : [wholeQuery(queryRequired)];
  const form = { fields, rules: root.rules, schema, isOptional };
  if (countFields(fields) > MAX_FIELDS || !keepsExample(form, example))
    return { ...form, fields: [wholeQuery(queryRequired)] };
  return form;
}

const wholeQuery = (isRequired: boolean): QueryField => ({
  path: [],
  name: 'q',
  label: 'Query, as JSON',
  description: 'One JSON object, in braces { }.',
  rules: '',
  isRequired,
  isNullIfEmpty: false,
  control: { kind: 'json', type: '' },
});

function keepsExample(form: QueryForm, example: JsonObject | null): boolean {
  if (example === null) return true;
  const values = valuesOf(form, example);
  const { query } = readQuery(form, (name) => values.get(name) ?? '', { isChecked: false });
  return sortedJson(query) === sortedJson(example);
}

/** The same text for the same value, whatever the order of its members. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)) : part,
  );
}

const countFields = (fields: readonly QueryField[]): number =>
  fields.reduce(
    (sum, { control }) => sum + 1 + (control.kind === 'group' ? countFields(control.fields) : 0),
    0,
  );

interface Place {
  readonly isRequired: boolean;
  readonly example: Json | undefined;
  readonly depth: number;
}

function memberField(root: JsonObject, node: Json, path: readonly string[], place: Place): QueryField {
  const { schema, isNullable } = withoutNull(root, followed(root, node));
  const { title, description } = schema;
  const name = ['q', ...path.map(encodeURIComponent)].join('/');
  const lineOf = (text: Json | undefined) =>
    typeof text === 'string' ? oneLine(text, MAX_LABEL_LENGTH) : '';
  return {
    path,
    name,
    label: lineOf(title) || lineOf(path.at(-1)) || '(no name)',
    description: typeof description === 'string' ? oneLine(description, MAX_DESCRIPTION_LENGTH) : '',
    rules: rulesOf(root, schema),
    isRequired: place.isRequired && !isNullable,
    isNullIfEmpty: isNullable && (place.isRequired || place.example === null),
    control: controlOf(root, schema, path, place) ?? { kind: 'json', type: typeWords(root, schema) },
  };
}

/** Null: only JSON can hold it. */
function controlOf(
  root: JsonObject,
  schema: JsonObject,
  path: readonly string[],
  place: Place,
): Control | null {
  // Which members must be there is checked as the query is read; the form has all of them.
  const isPresence = presenceChoices(schema) !== null;
  const odd = isPresence ? ODD.filter((keyword) => keyword !== 'anyOf' && keyword !== 'oneOf') : ODD;
  if (odd.some((keyword) => Object.hasOwn(schema, keyword)) || schema.$ref !== undefined) return null;
  const options = choicesOf(schema);
  if (options !== null) return { kind: 'choice', options };
  switch (schema.type) {
    case 'string':
      return textControl(schema, place.example);
    case 'number':
    case 'integer':
    case 'boolean':
      return { kind: schema.type };
    case 'array':
      return listControl(root, schema);
    case 'object':
      return groupControl(root, schema, path, place);
    case undefined:
      return schema.properties === undefined ? null : groupControl(root, schema, path, place);
    default:
      return null;
  }
}

function textControl({ format, maxLength }: JsonObject, example: Json | undefined): Control {
  const known = typeof format === 'string' && FORMATS.includes(format) ? (format as TextFormat) : null;
  const isLong =
    known === null &&
    ((typeof example === 'string' && example.includes('\n')) ||
      (typeof maxLength === 'number' && maxLength > LONG_TEXT));
  return { kind: 'text', format: known, isLong };
}

function listControl(root: JsonObject, { items }: JsonObject): Control | null {
  const item = followed(root, items);
  if (ODD.some((keyword) => Object.hasOwn(item, keyword))) return null;
  const choices = choicesOf(item);
  if (choices !== null) return choices.every(isLine) ? { kind: 'list', item: 'text' } : null;
  if (item.type === 'string') return { kind: 'list', item: 'text' };
  return item.type === 'number' || item.type === 'integer' ? { kind: 'list', item: item.type } : null;
}

const isLine = (value: Json): boolean => typeof value === 'string' && /^[^\n]*\S[^\n]*$/.test(value);

function groupControl(
  root: JsonObject,
  schema: JsonObject,
  path: readonly string[],
  place: Place,
): Control | null {
  const { properties, required, additionalProperties } = schema;
  const members = (isJsonObject(properties) ? Object.entries(properties) : []).filter(
    ([, node]) => node !== false,
  );
  // A map of names that the buyer chooses is no list of fields; `__proto__` is a name that objects lose.
  const isMap = isJsonObject(additionalProperties) || (members.length === 0 && path.length > 0);
  if (isMap || place.depth >= MAX_DEPTH || members.some(([name]) => name === '__proto__')) return null;
  const example = isJsonObject(place.example) ? place.example : {};
  const needed = Array.isArray(required) ? required : [];
  return {
    kind: 'group',
    // Members come in the order of the alphabet: what has to be filled in goes first.
    fields: members
      .map(([name, node]) =>
        memberField(root, node, [...path, name], {
          isRequired: needed.includes(name),
          example: example[name],
          depth: place.depth + 1,
        }),
      )
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired)),
  };
}
