import { isJsonObject, type Json, type JsonObject } from '../kernel/json/json.ts';

/** The place in a schema where JSON Schema 2020-12 expects something else. */
export interface SchemaFault {
  readonly path: readonly string[];
  readonly expected: string;
}

/** Null where the value is allowed. */
type Rule = (value: Json, path: readonly string[]) => SchemaFault | null;

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const rule =
  (fits: (value: Json) => boolean, expected: string): Rule =>
  (value, path) =>
    fits(value) ? null : { path, expected };

const isText = (value: Json): value is string => typeof value === 'string';
const isNumber = (value: Json): value is number => typeof value === 'number';
const areDistinctTexts = (value: Json) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

const text = rule(isText, 'a text');
const flag = rule((value) => typeof value === 'boolean', 'true or false');
const number = rule(isNumber, 'a number');
const count = rule((value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number, at least 0');
const list = rule((value) => Array.isArray(value), 'a list');
const names = rule(areDistinctTexts, 'a list of different names');
const choice = rule((value) => Array.isArray(value) && value.length > 0, 'a list with at least one value');
const object = rule(isJsonObject, 'an object');

const type = rule(
  (value) =>
    isText(value)
      ? TYPES.includes(value)
      : Array.isArray(value) &&
        value.length > 0 &&
        areDistinctTexts(value) &&
        value.every((one) => TYPES.includes(String(one))),
  `one of ${TYPES.join(', ')}, or a list of them`,
);

const schema: Rule = (value, path) =>
  typeof value === 'boolean'
    ? null
    : isJsonObject(value)
      ? findSchemaFault(value, path)
      : { path, expected: 'a schema' };

const schemas: Rule = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? first(value.map((one: Json, index) => () => schema(one, [...path, String(index)])))
    : { path, expected: 'a list of schemas' };

const mapOf =
  (member: Rule, expected: string): Rule =>
  (value, path) =>
    isJsonObject(value)
      ? first(
          Object.entries(value).map(
            ([name, one]) =>
              () =>
                member(one, [...path, name]),
          ),
        )
      : { path, expected };

const schemaMap = mapOf(schema, 'an object of schemas by name');

/** The meta-schema of 2020-12, keyword by keyword. Unknown keywords are annotations and may hold anything. */
const KEYWORDS: Readonly<Record<string, Rule>> = {
  $anchor: text,
  $comment: text,
  $defs: schemaMap,
  $dynamicAnchor: text,
  $dynamicRef: text,
  $id: text,
  $ref: text,
  $schema: rule(
    (value) => isText(value) && DIALECT.test(value),
    'https://json-schema.org/draft/2020-12/schema, or nothing',
  ),
  $vocabulary: object,
  additionalProperties: schema,
  allOf: schemas,
  anyOf: schemas,
  contains: schema,
  contentEncoding: text,
  contentMediaType: text,
  contentSchema: schema,
  definitions: schemaMap,
  dependentRequired: mapOf(names, 'an object of lists of names'),
  dependentSchemas: schemaMap,
  deprecated: flag,
  description: text,
  else: schema,
  // Nothing fits an empty one.
  enum: choice,
  examples: list,
  exclusiveMaximum: number,
  exclusiveMinimum: number,
  format: text,
  if: schema,
  items: schema,
  maxContains: count,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  maximum: number,
  minContains: count,
  minItems: count,
  minLength: count,
  minProperties: count,
  minimum: number,
  multipleOf: rule((value) => isNumber(value) && value > 0, 'a number above 0'),
  not: schema,
  oneOf: schemas,
  prefixItems: schemas,
  properties: schemaMap,
  propertyNames: schema,
  readOnly: flag,
  required: names,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this table.
  then: schema,
  title: text,
  type,
  unevaluatedItems: schema,
  unevaluatedProperties: schema,
  uniqueItems: flag,
  writeOnly: flag,
};

/** The first thing in a schema, however deep, that JSON Schema 2020-12 does not allow; null if there is none. */
export function findSchemaFault(value: JsonObject, path: readonly string[] = []): SchemaFault | null {
  return first(
    Object.entries(value).map(([name, one]) => () => {
      const check = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      return check?.(one, [...path, name]) ?? null;
    }),
  );
}

/** Why no object can fit, judged by the keywords at the top of the schema; null if one may. */
export function findObjectFault({
  type: typeKeyword,
  enum: values,
  const: value,
}: JsonObject): SchemaFault | null {
  const types = Array.isArray(typeKeyword) ? typeKeyword : [typeKeyword];
  if (typeKeyword !== undefined && !types.includes('object')) return { path: ['type'], expected: 'object' };
  if (Array.isArray(values) && !values.some(isJsonObject))
    return { path: ['enum'], expected: 'an object in it' };
  return value !== undefined && !isJsonObject(value) ? { path: ['const'], expected: 'an object' } : null;
}

function first(checks: readonly (() => SchemaFault | null)[]): SchemaFault | null {
  for (const check of checks) {
    const fault = check();
    if (fault) return fault;
  }
  return null;
}
