import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';

export interface FittedSchema {
  readonly schema: JsonObject;
  /** Where the value did not fit what the document says: `items.0.url`. */
  readonly relaxed: readonly string[];
}

const MAX_ROUNDS = 40;

/**
 * A schema that a value fits: wherever it does not, the schema stops saying anything. Documents are wrong about their own
 * answers, and each such answer would be a sale that is not paid for.
 */
export function fitSchema(schema: JsonObject, value: Json): FittedSchema {
  let current: Json = schema;
  const relaxed = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const faults = isJsonObject(current) ? evaluateSchema(current, value) : [];
    if (faults === null) break;
    if (faults.length === 0) return { schema: isJsonObject(current) ? current : {}, relaxed: [...relaxed] };
    for (const { path } of faults) {
      relaxed.add(
        path
          .map((name) => (typeof name === 'number' ? '[]' : name))
          .join('.')
          .replaceAll('.[]', '[]'),
      );
      current = relaxAt(current, path);
    }
  }
  return { schema: { type: 'object' }, relaxed: [...relaxed] };
}

/** The schemas that are about a place in a value, without what they demand of it. */
function relaxAt(schema: Json, path: readonly (string | number)[]): Json {
  if (schema === false) return true;
  if (!isJsonObject(schema)) return schema;
  const [name, ...rest] = path;
  if (name === undefined) return relaxed(schema);
  const next: Record<string, Json> = { ...schema };
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const parts: Json | undefined = schema[keyword];
    if (Array.isArray(parts)) next[keyword] = parts.map((part: Json) => relaxAt(part, path));
  }
  for (const keyword of ['if', 'then', 'else']) delete next[keyword];
  if (typeof name === 'number') {
    const { prefixItems, items } = schema;
    const isPrefix = Array.isArray(prefixItems) && name < prefixItems.length;
    if (isPrefix)
      next.prefixItems = prefixItems.map((part: Json, index) =>
        index === name ? relaxAt(part, rest) : part,
      );
    else if (items !== undefined) next.items = relaxAt(items, rest);
    return next;
  }
  const { properties, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, name))
    next.properties = { ...properties, [name]: relaxAt(properties[name] as Json, rest) };
  else if (additionalProperties !== undefined)
    next.additionalProperties = relaxAt(additionalProperties, rest);
  return next;
}

/** What it says of members may still hold; what it says of the value itself does not. */
function relaxed({ title, description, properties, items }: JsonObject): JsonObject {
  const kept = Object.entries({ title, description, properties, items });
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
