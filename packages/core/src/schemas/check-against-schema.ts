import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { FieldError } from '../kernel/errors.ts';
import type { Json, JsonObject } from '../kernel/json/json.ts';
import { countedSchema } from './counted-schema.ts';
import { messageOf } from './schema-messages.rules.ts';

const DRAFT = '2020-12';
const MAX_ERRORS = 20;

/** About a tenth of a second. A query of 64 KiB, a thousand members of five fields each, takes a twentieth of it. */
const MAX_STEPS = 100_000;
/** `uniqueItems` compares every item with every other: longer lists would take too long. */
const MAX_UNIQUE_ITEMS = 500;

/**
 * The parts of a value that do not fit a listing's schema; empty if it fits. The messages are the marketplace's own:
 * the seller, who wrote the schema, cannot put words into them.
 */
export function checkAgainstSchema(schema: JsonObject, value: JsonObject): FieldError[] {
  const errors = validate(schema, value);
  if (errors === null) return [{ message: "The listing's inputSchema cannot judge it.", path: 'query' }];
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    const message = messageOf(error);
    if (message === null) continue;
    const path = `query${error.instanceLocation.slice(1).replaceAll('/', '.')}`;
    found.set(`${path} ${message}`, { message, path });
    if (found.size === MAX_ERRORS) break;
  }
  if (errors.length > 0 && found.size === 0) {
    return [{ message: "It does not fit the listing's inputSchema.", path: 'query' }];
  }
  return [...found.values()];
}

class TooMuchWork extends Error {}

/**
 * Null where the value cannot be judged: it would take too much work, or the schema is older than the check of
 * schemas at listing.
 */
function validate(schema: JsonObject, value: JsonObject): OutputUnit[] | null {
  if (JSON.stringify(schema).includes('"uniqueItems":true') && hasLongList(value)) return null;
  let steps = 0;
  const spend = (more: number) => {
    steps += more;
    if (steps > MAX_STEPS) throw new TooMuchWork();
  };
  try {
    return new Validator(countedSchema(schema, spend), DRAFT, false).validate(value).errors;
  } catch {
    return null;
  }
}

function hasLongList(value: Json): boolean {
  if (Array.isArray(value)) return value.length > MAX_UNIQUE_ITEMS || value.some(hasLongList);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongList);
}
