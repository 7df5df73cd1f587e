import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

const MAX_DEPTH = 6;

/** Examples of formats whose values cannot be guessed by their type. */
const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'someone@example.com',
  uuid: '3f2b6a0e-5d0c-4f6e-9a43-0c8f1d2e7b61',
  uri: 'https://example.com/',
};

/**
 * A value that a schema itself gives as an example, or that is plain from it: its default, the first of its choices, the
 * least number. Undefined where only a person can say one, as of a text that may be anything.
 */
export function exampleOf(schema: Json | undefined, depth = 0): Json | undefined {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return undefined;
  const said = saidExample(schema);
  if (said !== undefined) return said;
  for (const name of ['allOf', 'oneOf', 'anyOf']) {
    const parts: Json | undefined = schema[name];
    if (!Array.isArray(parts)) continue;
    if (name === 'allOf') return exampleOfAll(schema, parts, depth);
    return parts.map((part: Json) => exampleOf(part, depth + 1)).find((one) => one !== undefined);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? (schema.properties && 'object'));
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return leastNumber(schema);
    case 'string':
      return typeof schema.format === 'string' ? BY_FORMAT[schema.format] : undefined;
    case 'array': {
      const item = exampleOf(schema.items, depth + 1);
      return item === undefined ? undefined : [item];
    }
    case 'object':
      return exampleObject(schema, depth);
    default:
      return undefined;
  }
}

/** What the schema says outright. */
function saidExample({
  const: only,
  example,
  examples,
  default: usual,
  enum: choices,
}: JsonObject): Json | undefined {
  if (only !== undefined) return only;
  if (example !== undefined) return example;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (usual !== undefined && usual !== null) return usual;
  return Array.isArray(choices) ? choices.find((one: Json) => one !== null) : undefined;
}

function exampleOfAll(schema: JsonObject, parts: readonly Json[], depth: number): Json | undefined {
  const { allOf: _parts, ...own } = schema;
  const members: JsonObject = Object.assign(
    {},
    ...[own, ...parts].map((part) => exampleOf(part, depth + 1)).filter(isJsonObject),
  );
  return Object.keys(members).length > 0 ? members : undefined;
}

function leastNumber({ type, minimum, exclusiveMinimum, maximum }: JsonObject): number {
  if (typeof minimum === 'number') return type === 'integer' ? Math.ceil(minimum) : minimum;
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === 'number' && maximum < 1 ? Math.floor(maximum) : 1;
}

/** The required members, and the others that say an example; undefined where a required one cannot be guessed. */
function exampleObject({ properties, required }: JsonObject, depth: number): JsonObject | undefined {
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const members: [string, Json][] = [];
  for (const [name, part] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const isNeeded = needed.includes(name);
    const value = isNeeded
      ? exampleOf(part, depth + 1)
      : isJsonObject(part)
        ? optionalExample(part)
        : undefined;
    if (value !== undefined) members.push([name, value]);
    else if (isNeeded) return undefined;
  }
  return Object.fromEntries(members);
}

/** A default need not be sent. */
const optionalExample = ({ example, examples }: JsonObject): Json | undefined =>
  example ?? (Array.isArray(examples) ? examples[0] : undefined);
