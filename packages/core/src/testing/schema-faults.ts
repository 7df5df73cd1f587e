import { type Schema, Validator } from '@cfworker/json-schema';

/** Where a value does not fit a JSON Schema (2020-12). */
export function schemaFaults(schema: object, value: unknown): string[] {
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
