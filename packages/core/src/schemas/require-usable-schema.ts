import { dereference, type Schema } from '@cfworker/json-schema';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../kernel/json/json.ts';
import { findObjectFault, findSchemaFault } from './schema-fault.rules.ts';

/** Refuses a schema that cannot be evaluated, or that no object fits. `what` names the object that it is for. */
export function requireUsableSchema(field: string, schema: JsonObject | undefined, what: string): void {
  if (schema === undefined) return;
  const text = JSON.stringify(schema);
  if (/"\$(?:ref|dynamicRef)":"(?!#)/.test(text))
    throw unusable(field, 'References to other documents are not followed.');
  if (/"pattern(?:Properties)?":/.test(text))
    throw unusable(
      field,
      "Regular expressions are not run on buyers' queries; leave out pattern and patternProperties.",
    );
  const fault = findSchemaFault(schema);
  if (fault) {
    const path = [field, ...fault.path].join('.');
    throw unusable(path, `It is not a usable JSON Schema (2020-12): expected ${fault.expected}.`);
  }
  const never = findObjectFault(schema);
  if (never) {
    const path = [field, ...never.path].join('.');
    throw unusable(path, `${what} is an object, so none could ever fit: expected ${never.expected}.`);
  }
  if (!isBoundedSchema(schema)) {
    throw unusable(
      field,
      'It is not a usable JSON Schema (2020-12): a $ref leads nowhere, in a circle, or too often to the same.',
    );
  }
}

function unusable(path: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, { fields: [{ message, path }] });
}

type Node = Schema | boolean;

/** How many schemas may apply to one place in a value. */
const MAX_EVALUATIONS = 1000;
const SAME_PLACE = ['not', 'if', 'then', 'else'];
const SAME_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Whether every reference leads to a schema, none returns to itself without going deeper into the value, and
 * none multiplies the work: otherwise one query could occupy the processor without end.
 */
function isBoundedSchema(schema: JsonObject): boolean {
  const lookup = resolved(schema);
  if (lookup === null) return false;
  const costs = new Map<Node, number>();

  /** Infinite for a circle of references, and for a reference that leads nowhere. */
  function costOf(node: Node | undefined): number {
    if (node === undefined) return Number.POSITIVE_INFINITY;
    if (typeof node === 'boolean') return 1;
    const known = costs.get(node);
    if (known !== undefined) return known;
    // A visit before the sum is known comes from a circle of references.
    costs.set(node, Number.POSITIVE_INFINITY);
    const cost = partsAtSamePlace(node, lookup ?? {}).reduce((sum, part) => sum + costOf(part), 1);
    costs.set(node, cost);
    return cost;
  }
  return Object.values(lookup).every((node) => costOf(node) <= MAX_EVALUATIONS);
}

/** Every schema inside by its address, with references resolved; null if two share an address or one is invalid. */
function resolved(schema: JsonObject): Record<string, Node> | null {
  try {
    // Cloned, because the library writes into what it resolves.
    return dereference(structuredClone(schema) as Schema);
  } catch {
    return null;
  }
}

/** The other schemas that apply to the same value as `node`. */
function partsAtSamePlace(node: Schema, lookup: Record<string, Node>): (Node | undefined)[] {
  const parts: (Node | undefined)[] = [];
  if (node.$ref !== undefined) parts.push(targetOf(node, lookup));
  for (const keyword of SAME_PLACE) if (node[keyword] !== undefined) parts.push(node[keyword]);
  for (const keyword of SAME_PLACE_LISTS) if (Array.isArray(node[keyword])) parts.push(...node[keyword]);
  if (isJsonObject(node.dependentSchemas)) parts.push(...(Object.values(node.dependentSchemas) as Node[]));
  return parts;
}

/** A reference may lead into an unknown keyword, whose value need not be a schema. */
function targetOf({ $ref, __absolute_ref__ }: Schema, lookup: Record<string, Node>): Node | undefined {
  const target = lookup[__absolute_ref__ ?? $ref ?? ''];
  return isJsonObject(target) && findSchemaFault(target) !== null ? undefined : target;
}
