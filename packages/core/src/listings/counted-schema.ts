import {
  ignoredKeyword,
  type Schema,
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
} from '@cfworker/json-schema';
import { isJsonObject, type Json, type JsonObject } from '../kernel/json/json.ts';

/**
 * A keyword of an earlier draft, which 2020-12 does not have. The library reads it once each time it holds a value
 * against a schema, and so tells how often it does.
 */
const READ_EACH_TIME = '$recursiveAnchor';

/** Of what each evaluation looks through besides: so many characters of it are worth one evaluation. */
const CHARACTERS_A_STEP = 100;
/** Every item is compared with every other. */
const STEPS_OF_UNIQUE_ITEMS = 500;

/**
 * A copy of a schema that calls `spend` whenever a value is held against any part of it, with how much work that
 * is: 1 for a small part. What `spend` throws ends the validation.
 */
export function countedSchema(schema: JsonObject, spend: (steps: number) => void): Schema {
  return counted(structuredClone(schema), spend) as Schema;
}

function counted(value: Json, spend: (steps: number) => void): Json {
  // A boolean is judged without a word.
  if (typeof value === 'boolean') return counted(value ? {} : { not: {} }, spend);
  if (Array.isArray(value)) return value.map((one) => counted(one, spend));
  if (!isJsonObject(value)) return value;
  const node = value as Record<string, Json>;
  const steps = stepsOf(node);
  for (const [keyword, part] of Object.entries(node)) {
    if (keyword in ignoredKeyword) continue;
    if (keyword in schemaMapKeyword && isJsonObject(part)) {
      const parts = Object.entries(part).map(([name, one]) => [name, counted(one, spend)]);
      node[keyword] = Object.fromEntries(parts);
    } else if (typeof part === 'object' || keyword in schemaKeyword || keyword in schemaArrayKeyword) {
      node[keyword] = counted(part, spend);
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
