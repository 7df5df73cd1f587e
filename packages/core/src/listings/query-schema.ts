import { type Schema, Validator } from '@cfworker/json-schema';
import type { FieldError } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { invalidField } from './declared-content.ts';

const DRAFT = '2020-12';
const MAX_ERRORS = 20;

/** What of a value does not fit a listing's schema; empty if it fits. */
export function checkAgainstSchema(schema: JsonObject, value: JsonObject): FieldError[] {
  const { valid, errors } = new Validator(schema as Schema, DRAFT, false).validate(value);
  if (valid) return [];
  return errors.slice(0, MAX_ERRORS).map(({ instanceLocation, error }) => ({
    message: error,
    path: `query${instanceLocation.slice(1).replaceAll('/', '.')}`,
  }));
}

/** Refuses a schema that cannot be used: an unknown reference, a broken pattern. */
export function requireUsableSchema(field: string, schema: JsonObject | undefined): void {
  if (schema === undefined) return;
  const text = JSON.stringify(schema);
  if (/"\$(?:ref|dynamicRef)":"(?!#)/.test(text))
    throw invalidField(field, 'References to other documents are not followed.');
  if (/"pattern(?:Properties)?":/.test(text))
    throw invalidField(
      field,
      "Regular expressions are not run on buyers' queries; leave out pattern and patternProperties.",
    );
  try {
    new Validator(schema as Schema, DRAFT).validate({});
  } catch {
    throw invalidField(field, 'It is not a usable JSON Schema (2020-12).');
  }
}
