import type { Json } from '../json/json.ts';

/** Messages are the marketplace's own: the seller, who wrote the schema, cannot put words into them. */
const MESSAGES = {
  anyOf: 'It fits none of the shapes that are allowed here.',
  const: 'It is not the one value that is allowed here.',
  enum: 'It is none of the values that are allowed here.',
  exclusiveMaximum: 'It is too large.',
  exclusiveMinimum: 'It is too small.',
  format: 'It is not written in the format that is wanted.',
  maxItems: 'It has too many items.',
  maxLength: 'It is too long.',
  maxProperties: 'It has too many members.',
  maximum: 'It is too large.',
  minItems: 'It has too few items.',
  minLength: 'It is too short.',
  minProperties: 'It has too few members.',
  minimum: 'It is too small.',
  multipleOf: 'It is not a multiple of what it has to be.',
  oneOf: 'It fits none, or more than one, of the shapes that are allowed here.',
  type: 'It is of another type than it has to be.',
} as const;

export type SchemaKeyword = keyof typeof MESSAGES;

export const NOT_ALLOWED = 'It is not allowed here.';

export const SCHEMA_TYPES: readonly Json[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
];
/** Only plain names are repeated: a sentence in their place would be the seller's words. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

/** Why a value does not fit a keyword. */
export function schemaMessage(keyword: SchemaKeyword, types: readonly Json[] = []): string {
  const areNamed = types.length > 0 && types.every((one) => SCHEMA_TYPES.includes(one));
  return areNamed ? `Expected ${types.join(' or ')}.` : MESSAGES[keyword];
}

export function missingMember(name: Json): string {
  return typeof name === 'string' && PLAIN_NAME.test(name)
    ? `The member \`${name}\` is missing.`
    : 'A member is missing.';
}
