import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { AnyOperation } from '../kernel/operation/operation.ts';
import {
  COMPONENTS,
  inputSchema,
  type JsonSchema,
  type SchemaComponents,
} from '../transport/openapi/json-schema.ts';

/** The JSON Schema of an operation's input, references resolved one level down where they are met. */
interface InputSchema {
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: readonly string[];
  readonly components: SchemaComponents;
}

export function inputFields(operation: AnyOperation): InputSchema {
  const components: SchemaComponents = {};
  const { properties = {}, required = [] } = inputSchema(operation, components);
  return { fields: new Map(Object.entries(properties)), required, components };
}

/** What the required fields allow, as far as a schema can tell. */
export function derivedInput(operation: AnyOperation): Record<string, Json> {
  const { fields, required, components } = inputFields(operation);
  return Object.fromEntries(
    required.map((field) => [field, exampleFor(fields.get(field) ?? {}, components)]),
  );
}

const OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'agent@example.com',
  uri: 'https://example.com/',
};

/** A value that the schema allows, as far as it can tell. */
export function exampleFor(schema: JsonSchema, components: SchemaComponents): Json {
  const next = (part: JsonSchema) => exampleFor(part, components);
  const given = schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.$ref !== undefined) return next(components[schema.$ref.slice(COMPONENTS.length)] ?? {});
  const [variant] = schema.anyOf ?? schema.oneOf ?? [];
  if (variant !== undefined) return next(variant);
  switch (schema.type) {
    case 'string':
      return OF_FORMAT[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 1);
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => next(schema.items as JsonSchema));
    default: {
      const members = (schema.required ?? []).map((name) => [name, next(schema.properties?.[name] ?? {})]);
      return Object.fromEntries(members) as Json;
    }
  }
}
