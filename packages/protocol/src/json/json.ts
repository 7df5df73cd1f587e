/** A JSON value as parsed. Readonly throughout: parsed data is passed around, never edited in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

/** Whether nothing in a value is nested deeper; a scalar has depth 0, `[]` has depth 1. Recurses no deeper than that. */
export function isNestedUpTo(maxDepth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return maxDepth > 0 && Object.values(value).every((inner) => isNestedUpTo(maxDepth - 1, inner));
}

/** True for a JSON object, false for arrays, null and scalars. Says nothing about the member values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
