import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

// Short forms of the JSON Schema pieces that the listings use. `more` adds keywords such as bounds or a pattern.

export function text(description: string, more: JsonObject = {}): JsonObject {
  return { type: 'string', description, ...more };
}

export function whole(description: string, more: JsonObject = {}): JsonObject {
  return { type: 'integer', description, ...more };
}

export function decimal(description: string, more: JsonObject = {}): JsonObject {
  return { type: 'number', description, ...more };
}

export function flag(description: string): JsonObject {
  return { type: 'boolean', description };
}

export function oneOf(description: string, ...values: readonly string[]): JsonObject {
  return { type: 'string', enum: values, description };
}

export function day(description: string): JsonObject {
  return { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description };
}

export function cents(description: string): JsonObject {
  return { type: 'integer', minimum: 0, description: `${description}, in cents.` };
}

export function list(items: JsonObject, description: string): JsonObject {
  return { type: 'array', items, description };
}

export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] };
}

/** A closed object; every property is required unless `required` says otherwise. */
export function object(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = Object.keys(properties),
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A whole schema document: a closed object that names its dialect. */
export function schemaDocument(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = Object.keys(properties),
): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...object(properties, required) };
}
