/** The message for each keyword. Those that only say that a part does not fit are empty: the part has its own message. */
const MESSAGES: Readonly<Record<string, string>> = {
  $ref: '',
  additionalItems: 'The listing knows no such item.',
  additionalProperties: '',
  allOf: '',
  anyOf: 'It fits none of the shapes that are allowed here.',
  const: 'It is not the one value that is allowed here.',
  contains: 'No item is as one has to be.',
  dependentRequired: 'A member is missing that goes with another.',
  dependentSchemas: '',
  else: '',
  enum: 'It is none of the values that are allowed here.',
  exclusiveMaximum: 'It is too large.',
  exclusiveMinimum: 'It is too small.',
  format: 'It is not written in the format that is wanted.',
  if: '',
  items: '',
  maxContains: 'Too many items are of a kind that is limited.',
  maxItems: 'It has too many items.',
  maxLength: 'It is too long.',
  maxProperties: 'It has too many members.',
  maximum: 'It is too large.',
  minContains: 'Too few items are of a kind that is needed.',
  minItems: 'It has too few items.',
  minLength: 'It is too short.',
  minProperties: 'It has too few members.',
  minimum: 'It is too small.',
  multipleOf: 'It is not a multiple of what it has to be.',
  not: 'It is not allowed here.',
  oneOf: 'It fits none, or more than one, of the shapes that are allowed here.',
  prefixItems: '',
  properties: '',
  propertyNames: 'A member has a name that is not allowed.',
  required: 'A member is missing.',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this table.
  then: '',
  type: 'It is of another type than it has to be.',
  unevaluatedItems: 'The listing knows no such item.',
  unevaluatedProperties: '',
  uniqueItems: 'Two of its items are the same.',
};

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
/** Only plain names are repeated: a sentence in their place would be the seller's words. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

/**
 * Why a value does not fit, in the marketplace's own words: the library's messages quote the schema, which the seller
 * wrote. Null where another error already says it.
 */
export function messageOf({
  keyword,
  error,
}: {
  readonly keyword: string;
  readonly error: string;
}): string | null {
  const message = Object.hasOwn(MESSAGES, keyword)
    ? MESSAGES[keyword]
    : "It does not fit the listing's inputSchema.";
  if (keyword === 'required') {
    const [, name = ''] = /required property "(.*)"\.$/s.exec(error) ?? [];
    return PLAIN_NAME.test(name) ? `The member \`${name}\` is missing.` : (message ?? null);
  }
  if (keyword === 'type') {
    const types = (/Expected "(.*)"\.$/s.exec(error)?.[1] ?? '').split('", "');
    return types.every((one) => TYPES.includes(one)) ? `Expected ${types.join(' or ')}.` : (message ?? null);
  }
  return message || null;
}
