/** A JSON value as parsed. Readonly throughout: parsed data is passed around, never edited in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

/** True for a JSON object, false for arrays, null and scalars. Says nothing about the member values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
