import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** What a listing takes and gives, for indexes of what can be paid for. */
export interface Declared {
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly exampleQuery: JsonObject | null;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The extension `bazaar`: `info` is an example of the call, and `schema` validates it. */
export function bazaar({ inputSchema, outputSchema, exampleQuery }: Declared): JsonObject {
  return {
    info: {
      input: { method: 'GET', type: 'http', ...(exampleQuery ? { queryParams: exampleQuery } : {}) },
      output: { type: 'json' },
    },
    schema: {
      $schema: DIALECT,
      properties: {
        input: {
          additionalProperties: false,
          properties: {
            headers: { additionalProperties: { type: 'string' }, type: 'object' },
            method: { enum: ['GET', 'HEAD', 'DELETE'], type: 'string' },
            queryParams: withoutDialect(inputSchema) ?? { type: 'object' },
            type: { const: 'http', type: 'string' },
          },
          required: ['type', 'method'],
          type: 'object',
        },
        output: {
          properties: {
            example: withoutDialect(outputSchema) ?? { type: 'object' },
            type: { type: 'string' },
          },
          required: ['type'],
          type: 'object',
        },
      },
      required: ['input'],
      type: 'object',
    },
  };
}

/** A schema inside another speaks the other's dialect. */
function withoutDialect(schema: JsonObject | null): JsonObject | null {
  if (schema === null) return null;
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** The extension `payment-identifier`: an id of the payer's own; the same id means the same payment. */
const PAYMENT_IDENTIFIER: JsonObject = {
  info: { required: false },
  schema: {
    $schema: DIALECT,
    properties: {
      id: { maxLength: 128, minLength: 16, pattern: '^[a-zA-Z0-9_-]+$', type: 'string' },
      required: { type: 'boolean' },
    },
    type: 'object',
  },
};

/** Null: without what describes the listing. */
export function extensionsOf(declared: Declared | null): JsonObject {
  return {
    ...(declared === null ? {} : { bazaar: bazaar(declared) }),
    'payment-identifier': PAYMENT_IDENTIFIER,
  };
}
