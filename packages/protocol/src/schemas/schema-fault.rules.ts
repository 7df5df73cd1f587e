import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { isLocalRef } from './local-ref.rules.ts';
import { SCHEMA_TYPES } from './schema-messages.rules.ts';

/** The place in a schema that is refused, and why. */
export interface SchemaFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Null where the value is allowed. */
type Rule = (value: Json, path: readonly string[]) => SchemaFault | null;

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const rule =
  (fits: (value: Json) => boolean, expected: string): Rule =>
  (value, path) =>
    fits(value) ? null : malformed(path, expected);

const malformed = (path: readonly string[], expected: string): SchemaFault => ({
  path,
  message: `It is not a usable JSON Schema (2020-12): expected ${expected}.`,
});

/** Left in, it would promise a check that nobody makes. */
const unsupported: Rule = (_, path) => ({
  path,
  message: 'This keyword is not evaluated here: leave it out.',
});
const regularExpression: Rule = (_, path) => ({
  path,
  message: "Regular expressions are not run on others' text: leave it out.",
});
/** Deeper inside it would change what `#/…` means from there on. */
const rootOnly: Rule = (value, path) =>
  isText(value) && path.length === 1 ? null : { path, message: 'It is taken at the top of a schema only.' };
const localRef: Rule = (value, path) =>
  isText(value) && isLocalRef(value)
    ? null
    : { path, message: 'Only references into the same schema are followed, such as #/$defs/name.' };

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
      ? SCHEMA_TYPES.includes(value)
      : Array.isArray(value) &&
        value.length > 0 &&
        areDistinctTexts(value) &&
        value.every((one) => SCHEMA_TYPES.includes(one)),
  `one of ${SCHEMA_TYPES.join(', ')}, or a list of them`,
);

const schema: Rule = (value, path) =>
  typeof value === 'boolean'
    ? null
    : isJsonObject(value)
      ? findSchemaFault(value, path)
      : malformed(path, 'a schema');

const schemas: Rule = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? first(value.map((one: Json, index) => () => schema(one, [...path, String(index)])))
    : malformed(path, 'a list of schemas');

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
      : malformed(path, expected);

const schemaMap = mapOf(schema, 'an object of schemas by name');

/**
 * The subset of 2020-12 that is taken, keyword by keyword: see docs/adr/0003-schemas.md. Unknown keywords and formats are
 * annotations and may hold anything.
 */
const KEYWORDS: Readonly<Record<string, Rule>> = {
  $anchor: text,
  $comment: text,
  $defs: schemaMap,
  $dynamicAnchor: unsupported,
  $dynamicRef: unsupported,
  $id: rootOnly,
  $ref: localRef,
  $schema: rule(
    (value) => isText(value) && DIALECT.test(value),
    'https://json-schema.org/draft/2020-12/schema, or nothing',
  ),
  $vocabulary: object,
  additionalProperties: schema,
  allOf: schemas,
  anyOf: schemas,
  contains: unsupported,
  contentEncoding: text,
  contentMediaType: text,
  definitions: schemaMap,
  dependentRequired: unsupported,
  dependentSchemas: unsupported,
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
  maxContains: unsupported,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  maximum: number,
  minContains: unsupported,
  minItems: count,
  minLength: count,
  minProperties: count,
  minimum: number,
  multipleOf: rule((value) => isNumber(value) && value > 0, 'a number above 0'),
  not: unsupported,
  oneOf: schemas,
  pattern: regularExpression,
  patternProperties: regularExpression,
  prefixItems: schemas,
  properties: schemaMap,
  propertyNames: unsupported,
  readOnly: flag,
  required: names,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this table.
  then: schema,
  title: text,
  type,
  unevaluatedItems: unsupported,
  unevaluatedProperties: unsupported,
  uniqueItems: unsupported,
  writeOnly: flag,
};

/** The first thing in a schema, however deep, that is not taken; null if there is none. */
export function findSchemaFault(value: JsonObject, path: readonly string[] = []): SchemaFault | null {
  return first(
    Object.entries(value).map(([name, one]) => () => {
      const check = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      return check?.(one, [...path, name]) ?? null;
    }),
  );
}

/** Why no object can fit, judged by the keywords at the top of the schema; null if one may. */
export function findObjectFault(
  { type: typeKeyword, enum: values, const: value }: JsonObject,
  what: string,
): SchemaFault | null {
  const never = (keyword: string, expected: string): SchemaFault => ({
    path: [keyword],
    message: `${what} is an object, so none could ever fit: expected ${expected}.`,
  });
  const types = Array.isArray(typeKeyword) ? typeKeyword : [typeKeyword];
  if (typeKeyword !== undefined && !types.includes('object')) return never('type', 'object');
  if (Array.isArray(values) && !values.some(isJsonObject)) return never('enum', 'an object in it');
  return value !== undefined && !isJsonObject(value) ? never('const', 'an object') : null;
}

function first(checks: readonly (() => SchemaFault | null)[]): SchemaFault | null {
  for (const check of checks) {
    const fault = check();
    if (fault) return fault;
  }
  return null;
}
