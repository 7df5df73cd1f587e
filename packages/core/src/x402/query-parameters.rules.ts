import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { isExactInteger } from '@agent-marketplace/protocol/json/exact-integer.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  AS_SENT,
  MAX_JSON_VALUES,
  parseStrictJson,
  type StrictJsonReason,
} from '@agent-marketplace/protocol/json/strict-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { MAX_OPEN_DEPTH } from '../kernel/json/json-schema.ts';

/** A query as it was sent: as texts in the URL, or as JSON in a body, whose digest is the one of its bytes. */
export type SentQuery =
  | { readonly from: 'url'; readonly parameters: QueryParameters }
  | { readonly from: 'body'; readonly parameters: JsonObject; readonly bodyDigest: Digest };

/** A query string: each parameter's text, or its texts where it is value more than once. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A query string as the JSON object that the listing's inputSchema speaks of: texts become what their
 * property takes. What does not fit stays text, so that the schema refuses it by name.
 */
export function queryOf(parameters: QueryParameters, inputSchema: JsonObject | null): JsonObject | null {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return null;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, asSchemaSays(value, propertyOf(inputSchema, name))]),
  );
}

/**
 * What is JSON, and yet has no form that everybody reads alike, or is nested too deep: refused by name, as in a body.
 * Taken for text it would be sold as something that nobody asked for.
 */
export function unreadableParameters(
  parameters: QueryParameters,
  inputSchema: JsonObject | null,
): FieldError[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !takesJson(propertyOf(inputSchema, name))) return [];
    const read = parse(value);
    if (read.ok || read.reason === 'invalid' || read.reason === 'number_not_exact') return [];
    return [{ message: FAULTS[read.reason], path: name }];
  });
}

const FAULTS: Readonly<Record<Exclude<StrictJsonReason, 'invalid' | 'number_not_exact'>, string>> = {
  too_deep: `A query is nested at most ${MAX_OPEN_DEPTH} levels deep.`,
  too_many_values: `A query holds at most ${MAX_JSON_VALUES} values.`,
  duplicate_key: 'An object has the same key twice.',
  lone_surrogate: 'A text is not valid Unicode.',
};

/** Parameters that are numbers to the listing, or JSON with numbers, and would not be kept as they were sent. */
export function inexactParameters(parameters: QueryParameters, inputSchema: JsonObject | null): FieldError[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const schema = propertyOf(inputSchema, name);
    const texts = [value].flat();
    const isList = typeof value !== 'string' || typesOf(schema).includes('array');
    const read = typeof value === 'string' && takesJson(schema) ? parse(value) : null;
    const isInexact =
      (read?.ok === false && read.reason === 'number_not_exact') ||
      texts.some((text) => isInexactScalar(text, isList ? itemsOf(schema) : schema));
    return isInexact ? [{ message: 'Send it as a string.', path: name }] : [];
  });
}

/** What `scalarOf` would make a number of, if a double held it. */
function isInexactScalar(text: string, schema: JsonObject): boolean {
  const types = typesOf(schema);
  if (types.includes('string') || !(types.includes('number') || types.includes('integer'))) return false;
  return NUMBER.test(text) && !(isExactInteger(text) && Number.isFinite(Number(text)));
}

function propertyOf(inputSchema: JsonObject | null, name: string): JsonObject {
  const properties = inputSchema?.properties;
  const known = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(known) ? known : {};
}

const typesOf = ({ type }: JsonObject): readonly Json[] => [type ?? []].flat() as readonly Json[];

const takesJson = (schema: JsonObject): boolean =>
  typesOf(schema).some((type) => type === 'array' || type === 'object');

function asSchemaSays(value: string | readonly string[], schema: JsonObject): Json {
  const types = typesOf(schema);
  if (typeof value !== 'string') return value.map((text) => scalarOf(text, itemsOf(schema)));
  if (takesJson(schema)) {
    const read = parse(value);
    const parsed = read.ok ? read.value : null;
    if (types.includes('array') && Array.isArray(parsed)) return parsed;
    if (types.includes('object') && isJsonObject(parsed)) return parsed;
    if (types.includes('array')) return [scalarOf(value, itemsOf(schema))];
  }
  return scalarOf(value, schema);
}

function itemsOf({ items }: JsonObject): JsonObject {
  return isJsonObject(items) ? items : {};
}

function scalarOf(text: string, schema: JsonObject): Json {
  const types = typesOf(schema);
  const choices = [schema.const ?? [], schema.enum ?? []].flat() as readonly Json[];
  const choice = choices.find((one) => typeof one !== 'object' && String(one) === text);
  if (choice !== undefined) return choice;
  if (types.includes('string')) return text;
  const value = Number(text);
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(text) && Number.isFinite(value))
    return value;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.includes('null') && text === 'null' ? null : text;
}

/** The query has each of its parameters in one object. */
function parse(text: string) {
  return parseStrictJson(text, { ...AS_SENT, maxDepth: MAX_OPEN_DEPTH - 1 });
}

/** The query string again, for the URL of what is paid for. */
export function queryStringOf(parameters: QueryParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((text): [string, string] => [name, text]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
