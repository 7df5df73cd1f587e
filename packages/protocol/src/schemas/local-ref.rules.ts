import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** What a `$ref` such as `#/$defs/row` leads to in its own schema; undefined where that is nothing. */
export function resolveLocalRef(root: JsonObject, ref: Json | undefined): Json | undefined {
  if (typeof ref !== 'string' || !isLocalRef(ref)) return undefined;
  const names = ref.slice(1).split('/').slice(1).map(nameOf);
  return names.reduce<Json | undefined>((node, name) => {
    if (name === null || typeof node !== 'object' || node === null || !Object.hasOwn(node, name))
      return undefined;
    return (node as JsonObject)[name];
  }, root);
}

export const isLocalRef = (ref: string): boolean => ref === '#' || ref.startsWith('#/');

/** Null for a broken percent-escape. */
function nameOf(segment: string): string | null {
  try {
    return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return null;
  }
}

export const isSchema = (value: Json | undefined): value is boolean | JsonObject =>
  typeof value === 'boolean' || isJsonObject(value);
