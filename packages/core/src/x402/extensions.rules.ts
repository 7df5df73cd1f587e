import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { QUERY_LIMIT } from '@agent-marketplace/protocol/schemas/evaluation.rules.ts';

/** The extension `offer-receipt`: what was offered before a payment and what was served for one, each signed as a JWS. */
export const OFFER_RECEIPT = 'offer-receipt';

/** What a listing takes and gives, for indexes of what can be paid for. */
export interface Declared {
  readonly preview: JsonObject;
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly exampleQuery: JsonObject | null;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Where the query is: in the URL of a GET, or in the body of a POST. */
export type QueryPlace = 'url' | 'body';

/** The extension `bazaar`: `info` is an example of the call, and `schema` validates it. */
export function bazaar(
  { inputSchema, outputSchema, exampleQuery, preview }: Declared,
  place: QueryPlace = 'url',
): JsonObject {
  const taken = withoutDialect(inputSchema) ?? { type: 'object' };
  const { example, schema } = place === 'url' ? inUrl(taken, exampleQuery) : inBody(taken, exampleQuery);
  return {
    info: {
      input: { type: 'http', ...example },
      output: { type: 'json', ...exampleOutput(preview, outputSchema) },
    },
    schema: {
      $schema: DIALECT,
      properties: {
        input: {
          additionalProperties: false,
          properties: {
            headers: { additionalProperties: { type: 'string' }, type: 'object' },
            type: { const: 'http', type: 'string' },
            ...schema,
          },
          required: ['type', 'method', ...(place === 'body' ? ['bodyType', 'body'] : [])],
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

const MAX_EXAMPLE_CHARACTERS = 1024;

/** The preview, where it is what an answer looks like. */
function exampleOutput(preview: JsonObject, outputSchema: JsonObject | null): JsonObject {
  if (Object.keys(preview).length === 0 || JSON.stringify(preview).length > MAX_EXAMPLE_CHARACTERS) return {};
  const faults = outputSchema === null ? [] : evaluateSchema(outputSchema, preview, QUERY_LIMIT);
  return faults?.length === 0 ? { example: preview } : {};
}

const MAX_TAGS = 5;
const TAG = /^[\x20-\x7e]{1,32}$/;

/** What indexes file a listing under: its vertical, and those of its tags that they accept. */
export function indexTags(listing: {
  readonly verticalSlug: string;
  readonly contextTags: Json | null;
}): string[] {
  const { verticalSlug, contextTags } = listing;
  const own = Array.isArray(contextTags) ? contextTags.filter((tag) => typeof tag === 'string') : [];
  const tags = [verticalSlug, ...own].filter((tag) => TAG.test(tag));
  const byName = new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag]));
  return [...byName.values()].toReversed().slice(0, MAX_TAGS);
}

interface Call {
  readonly example: JsonObject;
  readonly schema: JsonObject;
}

function inUrl(taken: JsonObject, exampleQuery: JsonObject | null): Call {
  return {
    example: { method: 'GET', ...(exampleQuery ? { queryParams: exampleQuery } : {}) },
    schema: { method: { enum: ['GET', 'HEAD', 'DELETE'], type: 'string' }, queryParams: taken },
  };
}

function inBody(taken: JsonObject, exampleQuery: JsonObject | null): Call {
  return {
    example: { method: 'POST', bodyType: 'json', body: exampleQuery ? { query: exampleQuery } : {} },
    schema: {
      method: { enum: ['POST', 'PUT', 'PATCH'], type: 'string' },
      bodyType: { enum: ['json', 'form-data', 'text'], type: 'string' },
      body: { additionalProperties: false, properties: { query: taken }, type: 'object' },
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

/** Null: without what describes the listing, and without the signed offer. */
export function extensionsOf(
  declared: Declared | null,
  place: QueryPlace,
  offer: JsonObject | null,
): JsonObject {
  return {
    ...(declared === null ? {} : { bazaar: bazaar(declared, place) }),
    ...(offer === null ? {} : { [OFFER_RECEIPT]: offer }),
    'payment-identifier': PAYMENT_IDENTIFIER,
  };
}
