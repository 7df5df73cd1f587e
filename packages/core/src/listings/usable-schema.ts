import { dereference, type Schema } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../kernel/json/json.ts';
import { invalidField } from './declared-content.ts';
import { faultForObjects, faultIn } from './schema-shape.rules.ts';

/** Refuses a schema by which nothing could be judged, or nothing could ever fit. `what` it is for is always an object. */
export function requireUsableSchema(field: string, schema: JsonObject | undefined, what: string): void {
  if (schema === undefined) return;
  const text = JSON.stringify(schema);
  if (/"\$(?:ref|dynamicRef)":"(?!#)/.test(text))
    throw invalidField(field, 'References to other documents are not followed.');
  if (/"pattern(?:Properties)?":/.test(text))
    throw invalidField(
      field,
      "Regular expressions are not run on buyers' queries; leave out pattern and patternProperties.",
    );
  const fault = faultIn(schema);
  if (fault) {
    const path = [field, ...fault.path].join('.');
    throw invalidField(path, `It is not a usable JSON Schema (2020-12): expected ${fault.expected}.`);
  }
  const never = faultForObjects(schema);
  if (never) {
    const path = [field, ...never.path].join('.');
    throw invalidField(path, `${what} is an object, so none could ever fit: expected ${never.expected}.`);
  }
  if (!canBeEvaluated(schema)) {
    throw invalidField(
      field,
      'It is not a usable JSON Schema (2020-12): a $ref leads nowhere, in a circle, or too often to the same.',
    );
  }
}

type Node = Schema | boolean;

/** How many schemas one value may be held against, at one place of it. */
const MAX_EVALUATIONS = 1000;
const SAME_PLACE = ['not', 'if', 'then', 'else'];
const SAME_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Whether every reference leads to a schema, none comes back to itself without going deeper into the value, and
 * none multiplies the work.
 */
function canBeEvaluated(schema: JsonObject): boolean {
  const lookup = resolved(schema);
  if (lookup === null) return false;
  const costs = new Map<Node, number>();

  /** Infinite in a circle, or where a reference leads nowhere. */
  function costOf(node: Node | undefined): number {
    if (node === undefined) return Number.POSITIVE_INFINITY;
    if (typeof node === 'boolean') return 1;
    const known = costs.get(node);
    if (known !== undefined) return known;
    // Whoever comes here again before the sum is known came in a circle.
    costs.set(node, Number.POSITIVE_INFINITY);
    const cost = partsAtSamePlace(node, lookup ?? {}).reduce((sum, part) => sum + costOf(part), 1);
    costs.set(node, cost);
    return cost;
  }
  return Object.values(lookup).every((node) => costOf(node) <= MAX_EVALUATIONS);
}

/** Every schema in it by its address, with references resolved; null if two have the same or an address is none. */
function resolved(schema: JsonObject): Record<string, Node> | null {
  try {
    // A copy: the library writes on what it resolves.
    return dereference(structuredClone(schema) as Schema);
  } catch {
    return null;
  }
}

/** What else is asked of the value that `node` is asked of. */
function partsAtSamePlace(node: Schema, lookup: Record<string, Node>): (Node | undefined)[] {
  const parts: (Node | undefined)[] = [];
  if (node.$ref !== undefined) parts.push(targetOf(node, lookup));
  for (const keyword of SAME_PLACE) if (node[keyword] !== undefined) parts.push(node[keyword]);
  for (const keyword of SAME_PLACE_LISTS) if (Array.isArray(node[keyword])) parts.push(...node[keyword]);
  if (isJsonObject(node.dependentSchemas)) parts.push(...(Object.values(node.dependentSchemas) as Node[]));
  return parts;
}

/** A reference may lead to where no schema was looked for, as into a keyword of somebody's own. */
function targetOf({ $ref, __absolute_ref__ }: Schema, lookup: Record<string, Node>): Node | undefined {
  const target = lookup[__absolute_ref__ ?? $ref ?? ''];
  return isJsonObject(target) && faultIn(target) !== null ? undefined : target;
}
