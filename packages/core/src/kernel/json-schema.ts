import { z } from 'zod';
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
    .refine((value) => JSON.stringify(value).length <= maxBytes, `At most ${maxBytes} characters as JSON.`)
    .meta({ type: 'object', additionalProperties: true });
}
