import {
  ignoredKeyword,
  type Schema,
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
} from '@cfworker/json-schema';
import { isJsonObject, type Json, type JsonObject } from '../kernel/json/json.ts';

/**
 * A keyword of an earlier draft, which 2020-12 does not have. The library reads it once for each evaluation of a
 * schema, so a getter in its place counts evaluations.
 */
const READ_EACH_TIME = '$recursiveAnchor';

/** Long lists in a schema cost time as well: so many of their characters count as one evaluation. */
const CHARACTERS_A_STEP = 100;
/** `uniqueItems` compares every item with every other. */
const STEPS_OF_UNIQUE_ITEMS = 500;

/**
 * A copy of a schema that calls `spend` for each evaluation of any part of it, with the work that it takes: 1 for a
 * small part. An error thrown by `spend` ends the validation.
 */
export function countedSchema(schema: JsonObject, spend: (steps: number) => void): Schema {
  return count(structuredClone(schema), spend) as Schema;
}

function count(value: Json, spend: (steps: number) => void): Json {
  // The library evaluates a boolean without reading any keyword: an equal schema is counted instead.
  if (typeof value === 'boolean') return count(value ? {} : { not: {} }, spend);
  if (Array.isArray(value)) return value.map((one) => count(one, spend));
  if (!isJsonObject(value)) return value;
  const node = value as Record<string, Json>;
  const steps = stepsOf(node);
  for (const [keyword, part] of Object.entries(node)) {
    if (keyword in ignoredKeyword) continue;
    if (keyword in schemaMapKeyword && isJsonObject(part)) {
      const parts = Object.entries(part).map(([name, one]) => [name, count(one, spend)]);
      node[keyword] = Object.fromEntries(parts);
    } else if (typeof part === 'object' || keyword in schemaKeyword || keyword in schemaArrayKeyword) {
      node[keyword] = count(part, spend);
    }
  }
  Object.defineProperty(node, READ_EACH_TIME, {
    enumerable: false,
    get: () => spend(steps),
  });
  return node;
}

function stepsOf({
  enum: choices,
  const: only,
  required,
  dependentRequired,
  properties,
  uniqueItems,
}: JsonObject) {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const looked = JSON.stringify([choices, only, required, dependentRequired, names]);
  const unique = uniqueItems === true ? STEPS_OF_UNIQUE_ITEMS : 0;
  return 1 + Math.floor(looked.length / CHARACTERS_A_STEP) + unique;
}
