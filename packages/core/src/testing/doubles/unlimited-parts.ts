import type { JsonSchema } from '../../transport/openapi/json-schema.ts';
import type { InputPart } from '../fixtures/input-parts.ts';

/** Of these every text has the same few characters. */
const LIMITED_FORMATS = new Set(['uuid', 'date']);
/** What repeats without an end in a regular expression; an escaped or listed `+` counts too, to be sure. */
const ENDLESS = /[*+]|\{\d+,\}/;

/** Where a schema lets something be as long, as many or as large as one likes, by path. */
export function unlimitedParts(parts: readonly InputPart[]): string[] {
  const found = parts.flatMap(({ path, schema }) => {
    const at = path.join('.');
    return [
      ...(isUnlimited(schema) ? [at] : []),
      ...(schema.propertyNames && isUnlimited(schema.propertyNames) ? [`${at} (names)`] : []),
    ];
  });
  return [...new Set(found)];
}

function isUnlimited(schema: JsonSchema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined) return false;
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined && !isOfOneLength(schema);
    case 'array':
      return schema.maxItems === undefined;
    case 'object':
      // What is any JSON is limited as a whole, and named by the tests of closed inputs.
      return typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined;
    case 'integer':
    case 'number':
      return (
        (schema.minimum ?? schema.exclusiveMinimum) === undefined ||
        (schema.maximum ?? schema.exclusiveMaximum) === undefined
      );
    default:
      return false;
  }
}

function isOfOneLength({ format = '', pattern = '' }: JsonSchema): boolean {
  return LIMITED_FORMATS.has(format) || (/^\^.*\$$/.test(pattern) && !ENDLESS.test(pattern));
}
