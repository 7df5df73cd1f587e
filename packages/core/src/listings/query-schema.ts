import { type Schema, type ValidationResult, Validator } from '@cfworker/json-schema';
import type { FieldError } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';

const DRAFT = '2020-12';
const MAX_ERRORS = 20;

/** What of a value does not fit a listing's schema; empty if it fits. */
export function checkAgainstSchema(schema: JsonObject, value: JsonObject): FieldError[] {
  const { valid, errors } = resultOf(schema, value);
  if (valid) return [];
  return errors.slice(0, MAX_ERRORS).map(({ instanceLocation, error }) => ({
    message: error,
    path: `query${instanceLocation.slice(1).replaceAll('/', '.')}`,
  }));
}

/** A listing may have a schema from before schemas were looked through: what cannot be judged by it does not fit. */
function resultOf(schema: JsonObject, value: JsonObject): ValidationResult {
  try {
    return new Validator(schema as Schema, DRAFT, false).validate(value);
  } catch {
    const error = "The listing's inputSchema cannot be evaluated.";
    return { valid: false, errors: [{ instanceLocation: '#', keyword: '', keywordLocation: '#', error }] };
  }
}
