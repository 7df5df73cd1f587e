import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { isSchema, resolveLocalRef } from './local-ref.rules.ts';
import { findSchemaFault, type SchemaFault } from './schema-fault.rules.ts';

/** How many schemas a schema may hold, with each reference counted as a copy of what it leads to. */
const MAX_NODES = 1000;

const PARTS = ['additionalProperties', 'else', 'if', 'items', 'then'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['$defs', 'definitions', 'properties'];

/**
 * The place at which a schema asks for work without a bound: a reference that leads nowhere or into itself, or references
 * that multiply. Null if there is none: then a value is compared with at most MAX_NODES schemas.
 */
export function findWorkFault(root: JsonObject): SchemaFault | null {
  const sizes = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  let fault: SchemaFault | null = null;

  function sizeOf(node: Json, path: readonly string[]): number {
    if (!isJsonObject(node) || fault !== null) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    open.add(node);
    let size = 1;
    for (const [part, at] of partsOf(node)) {
      const partSize = sizeOf(part, [...path, ...at]);
      if (at[0] !== '$defs' && at[0] !== 'definitions') size += partSize;
    }
    if (node.$ref !== undefined) size += sizeOfTarget(node.$ref, [...path, '$ref']);
    if (size > MAX_NODES)
      fault ??= {
        path,
        message: `It stands for more than ${MAX_NODES} schemas, with each $ref counted as a copy.`,
      };
    open.delete(node);
    sizes.set(node, size);
    return size;
  }

  function sizeOfTarget(ref: Json, path: readonly string[]): number {
    const target = resolveLocalRef(root, ref);
    if (!isSchema(target)) fault ??= { path, message: 'It leads to no schema.' };
    else if (isJsonObject(target)) {
      if (open.has(target)) fault ??= { path, message: 'It is recursive: a schema may not hold itself.' };
      // A reference may lead into an unknown keyword, whose value need not be a schema.
      else if (!sizes.has(target))
        fault ??= findSchemaFault(target) && { path, message: 'It leads to no schema.' };
    }
    return fault === null ? sizeOf(target as Json, path) : 1;
  }

  sizeOf(root, []);
  return fault;
}

/** The schemas right inside a schema, each with its place. */
function partsOf(node: JsonObject): [Json, readonly string[]][] {
  const inside = (keyword: string) =>
    typeof node[keyword] === 'object' ? Object.entries(node[keyword] ?? {}) : [];
  return [
    ...PARTS.flatMap((keyword): [Json, string[]][] =>
      keyword in node ? [[node[keyword] as Json, [keyword]]] : [],
    ),
    ...[...LISTS, ...MAPS].flatMap((keyword) =>
      inside(keyword).map(([name, part]): [Json, string[]] => [part, [keyword, name]]),
    ),
  ];
}
