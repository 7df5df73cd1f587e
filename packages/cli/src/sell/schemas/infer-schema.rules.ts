import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** Beyond it a schema says `object` or `array` and no more. */
const MAX_DEPTH = 6;
/** An object with more members is a map, whose names are data. */
const MAX_MEMBERS = 60;

/**
 * The schema of which one value is an example. It promises the names and types of what was seen, and forbids nothing
 * else: one answer does not show what the next one may have more or less of.
 */
export function inferSchema(value: Json, depth = 0): JsonObject {
  if (value === null) return {};
  if (Array.isArray(value)) return inferList(value, depth);
  if (isJsonObject(value)) return inferObject(value, depth);
  return { type: typeof value };
}

function inferObject(value: JsonObject, depth: number): JsonObject {
  const members = Object.entries(value);
  if (depth >= MAX_DEPTH || members.length > MAX_MEMBERS) return { type: 'object' };
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, part]) => [name, inferSchema(part, depth + 1)])),
    // Deeper inside, members come and go.
    ...(depth === 0 && { required: members.map(([name]) => name) }),
  };
}

function inferList(values: readonly Json[], depth: number): JsonObject {
  if (depth >= MAX_DEPTH || values.length === 0) return { type: 'array' };
  return { type: 'array', items: values.map((one) => inferSchema(one, depth + 1)).reduce(union) };
}

/** What both allow, so far as one schema says it without alternatives. */
function union(one: JsonObject, other: JsonObject): JsonObject {
  if (one.type !== other.type) return {};
  if (one.type === 'object' && isJsonObject(one.properties) && isJsonObject(other.properties)) {
    const properties = new Map(Object.entries(one.properties));
    for (const [name, part] of Object.entries(other.properties)) {
      const known = properties.get(name);
      properties.set(name, known === undefined ? part : union(known as JsonObject, part as JsonObject));
    }
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  if (one.type === 'array' && isJsonObject(one.items) && isJsonObject(other.items))
    return { type: 'array', items: union(one.items, other.items) };
  return typeof one.type === 'string' ? { type: one.type } : {};
}
