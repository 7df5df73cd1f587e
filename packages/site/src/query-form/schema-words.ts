import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isSchema, resolveLocalRef } from '@agent-marketplace/protocol/schemas/local-ref.rules.ts';
import { oneLine } from '../format/text.ts';

/** A reference may lead to a reference, so often. */
const MAX_REFERENCES = 4;
const MAX_NAME_LENGTH = 60;

/** References are followed as far as the depth of a form; what leads nowhere allows anything. */
export function followed(root: JsonObject, node: Json | undefined): JsonObject {
  let schema: Json | undefined = node;
  for (
    let steps = 0;
    isJsonObject(schema) && schema.$ref !== undefined && steps < MAX_REFERENCES;
    steps += 1
  ) {
    const { $ref, ...beside } = schema;
    const target = resolveLocalRef(root, $ref);
    if (!isSchema(target)) return {};
    schema = isJsonObject(target) ? { ...target, ...beside } : {};
  }
  return isJsonObject(schema) ? schema : {};
}

/** The bounds of a member, in words. References are those of `root`. */
export function rulesOf(root: JsonObject, schema: JsonObject): string {
  const bound = (name: string) => (typeof schema[name] === 'number' ? (schema[name] as number) : undefined);
  const format =
    typeof schema.format === 'string' && Object.hasOwn(FORMAT_WORDS, schema.format)
      ? FORMAT_WORDS[schema.format]
      : undefined;
  return [
    format,
    schema.type === 'integer' ? 'A whole number.' : undefined,
    range(sizeOf(schema, 'minLength'), sizeOf(schema, 'maxLength'), 'character'),
    range(bound('minimum'), bound('maximum')),
    bound('exclusiveMinimum') === undefined ? undefined : `More than ${bound('exclusiveMinimum')}.`,
    bound('exclusiveMaximum') === undefined ? undefined : `Less than ${bound('exclusiveMaximum')}.`,
    bound('multipleOf') === undefined ? undefined : `A multiple of ${bound('multipleOf')}.`,
    schema.type === 'array'
      ? range(sizeOf(schema, 'minItems'), sizeOf(schema, 'maxItems'), 'item')
      : undefined,
    schema.type === 'array' ? choiceWords(followed(root, schema.items), 'Each is') : undefined,
    presenceWords(schema),
  ]
    .filter((words) => words !== undefined)
    .join(' ');
}

/** The only values that a member takes; null: it takes any that its type allows. */
export function choicesOf(schema: JsonObject): readonly Json[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  return Object.hasOwn(schema, 'const') ? [schema.const as Json] : null;
}

/** A value of a seller's schema on one line. */
export const choiceText = (value: Json, maxLength = MAX_NAME_LENGTH): string =>
  value === null
    ? 'nothing'
    : oneLine(typeof value === 'string' ? value : JSON.stringify(value), maxLength) || '(empty)';

const MAX_CHOICES = 12;

/** `One of: red, green.` */
export function choiceWords(schema: JsonObject, subject = ''): string | undefined {
  const choices = choicesOf(schema);
  if (choices === null) return undefined;
  const isOnly = choices.length === 1 && subject === '';
  const named = choices.slice(0, MAX_CHOICES).map((value) => choiceText(value));
  const more = choices.length > MAX_CHOICES ? ` and ${choices.length - MAX_CHOICES} more` : '';
  return `${isOnly ? 'Always' : `${subject} one of`.replace(/^ o/, 'O')}: ${named.join(', ')}${more}.`;
}

/** What a member is where it is not `null`; `isNullable` where it may be. */
export function withoutNull(
  root: JsonObject,
  schema: JsonObject,
): { readonly schema: JsonObject; readonly isNullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.length === 2 && schema.type.includes('null'))
    return {
      schema: { ...schema, type: schema.type.find((one) => one !== 'null') ?? 'null' },
      isNullable: true,
    };
  const { anyOf, oneOf, ...beside } = schema;
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches) || branches.length !== 2 || (anyOf && oneOf))
    return { schema, isNullable: false };
  const other = branches.filter((branch) => !isNull(followed(root, branch)));
  return other.length === 1
    ? { schema: { ...followed(root, other[0]), ...beside }, isNullable: true }
    : { schema, isNullable: false };
}

const isNull = (schema: JsonObject): boolean =>
  schema.type === 'null' || choicesOf(schema)?.every((value) => value === null) === true;

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  date: 'A day, as 2026-11-23.',
  'date-time': 'A time with its zone, as 2026-11-23T18:00:00Z.',
  email: 'An e-mail address.',
  uri: 'An address that begins with its scheme, as https://example.com.',
  uuid: 'A UUID.',
};

/** A bound of a length; that it is at least 0 says nothing. */
function sizeOf(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function range(low: number | undefined, high: number | undefined, unit?: string): string | undefined {
  const of = (value: number) =>
    unit === undefined ? String(value) : `${value} ${unit}${value === 1 ? '' : 's'}`;
  if (low !== undefined && high !== undefined) return low === high ? `${of(low)}.` : `${low} to ${of(high)}.`;
  if (high !== undefined) return `At most ${of(high)}.`;
  return low === undefined ? undefined : `At least ${of(low)}.`;
}

/**
 * The alternatives of an object that only say which of its members must be there, as lists of their names; null: none,
 * or alternatives of another kind, which no plain form can hold.
 */
export function presenceChoices(schema: JsonObject): readonly (readonly string[])[] | null {
  const branches = schema.anyOf ?? schema.oneOf;
  const { properties } = schema;
  if (!Array.isArray(branches) || (schema.anyOf && schema.oneOf) || !isJsonObject(properties)) return null;
  const choices = branches.map((branch) => {
    const names = isJsonObject(branch) && Object.keys(branch).length === 1 ? branch.required : undefined;
    if (!Array.isArray(names) || names.length === 0) return null;
    return names.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))
      ? (names as string[])
      : null;
  });
  return choices.length > 0 && choices.every((one) => one !== null) ? choices : null;
}

const MAX_NAMED = 8;

/** `Fill in at least one of: zone, country, city.` */
function presenceWords(schema: JsonObject): string | undefined {
  const choices = presenceChoices(schema);
  if (choices === null || choices.length > MAX_NAMED) return undefined;
  const how = schema.oneOf ? 'exactly' : 'at least';
  const { properties } = schema;
  const labelOf = (name: string) => {
    const { title } = followed(schema, isJsonObject(properties) ? properties[name] : undefined);
    return oneLine(typeof title === 'string' && title !== '' ? title : name, MAX_NAME_LENGTH);
  };
  return `Fill in ${how} one of: ${choices.map((names) => names.map(labelOf).join(' with ')).join(', ')}.`;
}
