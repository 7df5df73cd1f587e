import { isJsonObject, type Json, type JsonObject } from '../kernel/json.ts';

/** A query string: each parameter's text, or its texts where it is given more than once. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A query string as the JSON object that the listing's inputSchema speaks of: texts become what their
 * property takes. What does not fit stays text, so that the schema refuses it by name.
 */
export function queryOf(parameters: QueryParameters, inputSchema: JsonObject | null): JsonObject | null {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return null;
  const properties = inputSchema?.properties;
  return Object.fromEntries(
    entries.map(([name, given]) => {
      const known =
        isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, asSchemaSays(given, isJsonObject(known) ? known : {})];
    }),
  );
}

function asSchemaSays(given: string | readonly string[], schema: JsonObject): Json {
  const types = [schema.type ?? []].flat() as readonly Json[];
  if (typeof given !== 'string') return given.map((text) => scalarOf(text, itemsOf(schema)));
  if (types.includes('array') || types.includes('object')) {
    const parsed = parse(given);
    if (types.includes('array') && Array.isArray(parsed)) return parsed;
    if (types.includes('object') && isJsonObject(parsed)) return parsed;
    if (types.includes('array')) return [scalarOf(given, itemsOf(schema))];
  }
  return scalarOf(given, schema);
}

function itemsOf({ items }: JsonObject): JsonObject {
  return isJsonObject(items) ? items : {};
}

function scalarOf(text: string, schema: JsonObject): Json {
  const types = [schema.type ?? []].flat() as readonly Json[];
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

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** The query string again, for the URL of what is paid for. */
export function queryStringOf(parameters: QueryParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, given]) =>
    [given].flat().map((text): [string, string] => [name, text]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
