import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isNestedUpTo, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';

/** Any JSON value, in the product's own readonly type. */
export const jsonValue = z.json() as unknown as z.ZodType<Json, Json>;

/** The deepest nesting of an object of any shape in a request; `{}` has depth 1. Answers wrap it in more levels. */
export const MAX_OPEN_DEPTH = 32;

/** A JSON object of any shape with at most `maxBytes` as text and `MAX_OPEN_DEPTH` levels. */
export function jsonObjectUpTo(maxBytes: number) {
  return z
    .custom<JsonObject>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'Expected a JSON object.',
    )
    .refine((value) => isNestedUpTo(MAX_OPEN_DEPTH, value), `Nested at most ${MAX_OPEN_DEPTH} levels deep.`)
    .refine((value) => utf8(JSON.stringify(value)).length <= maxBytes, `At most ${maxBytes} bytes as JSON.`)
    .meta({ type: 'object', additionalProperties: true });
}
