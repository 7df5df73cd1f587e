import { z } from 'zod';
import { utf8 } from './encoding.ts';
import type { Json, JsonObject } from './json.ts';

/** Any JSON value, in the product's own readonly type. */
export const jsonValue = z.json() as unknown as z.ZodType<Json, Json>;

/** A JSON object of any shape, at most `maxBytes` as text. */
export function jsonObjectUpTo(maxBytes: number) {
  return z
    .custom<JsonObject>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'Expected a JSON object.',
    )
    .refine((value) => utf8(JSON.stringify(value)).length <= maxBytes, `At most ${maxBytes} bytes as JSON.`)
    .meta({ type: 'object', additionalProperties: true });
}
