import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { resolveLocalRef } from '@agent-marketplace/protocol/schemas/local-ref.rules.ts';
import { cleanLine } from '../clean-text.rules.ts';
import { type PlanFault, planFault } from '../sale-plan.rules.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export interface FoundOperation {
  readonly kind: 'operation';
  readonly method: Method;
  readonly path: string;
  readonly operation: JsonObject;
  readonly pathItem: JsonObject;
}

/** How many are named where the seller has to choose. */
const NAMED = 12;

/**
 * The operation of a document that somebody names: by its `operationId`, or as `GET /cities/{id}` where it has none.
 * A document with one operation needs no name.
 */
export function findOperation(document: JsonObject, name: string | null): FoundOperation | PlanFault {
  const all = operationsOf(document);
  if (all.length === 0)
    return planFault(
      isJsonObject(document.webhooks) && document.paths === undefined
        ? 'The document has webhooks only: calls that its API makes, and none that it answers. There is nothing to sell.'
        : 'The document has no operations that can be sold: none under `paths` that is GET, POST, PUT, PATCH or DELETE.',
    );
  if (name === null) {
    const [only, ...others] = all;
    if (only !== undefined && others.length === 0) return only;
    return planFault(`The document has ${all.length} operations. Name one with --operation.`, listOf(all));
  }
  const found = all.filter((one) => one.operation.operationId === name || isSameRoute(one, name));
  const [first, second] = found;
  if (first === undefined)
    return planFault(`The document has no operation "${cleanLine(name, 80)}".`, listOf(closest(all, name)));
  if (second !== undefined)
    return planFault(
      `More than one operation is called "${cleanLine(name, 80)}".`,
      listOf(found.map((one) => ({ ...one, operation: {} }))),
    );
  return first;
}

function operationsOf(document: JsonObject): readonly FoundOperation[] {
  const paths = isJsonObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, item]) => {
    const pathItem = dereference(document, item);
    if (!isJsonObject(pathItem)) return [];
    return METHODS.flatMap((method): FoundOperation[] => {
      const operation = pathItem[method];
      return isJsonObject(operation) ? [{ kind: 'operation', method, path, operation, pathItem }] : [];
    });
  });
}

/** What a reference leads to, through further ones; undefined where that is nothing or a circle. */
export function dereference(document: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let hops = 0; hops < 20; hops += 1) {
    if (!isJsonObject(current) || current.$ref === undefined) return current;
    current = resolveLocalRef(document, current.$ref);
  }
  return undefined;
}

function isSameRoute({ method, path }: FoundOperation, name: string): boolean {
  const [verb = '', route = '', ...more] = name.trim().split(/\s+/);
  return more.length === 0 && verb.toLowerCase() === method && route === path;
}

const nameOf = ({ method, path, operation }: FoundOperation): string =>
  typeof operation.operationId === 'string'
    ? cleanLine(operation.operationId, 80)
    : `"${method.toUpperCase()} ${cleanLine(path, 120)}"`;

function listOf(operations: readonly FoundOperation[]): string {
  const more = operations.length - NAMED;
  return `It has: ${operations.slice(0, NAMED).map(nameOf).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

/** Those whose names hold a part of what was typed come first. */
function closest(operations: readonly FoundOperation[], name: string): readonly FoundOperation[] {
  const words = (text: string) =>
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(Boolean);
  const typed = words(name);
  const score = (one: FoundOperation) => {
    const has = words(`${nameOf(one)} ${one.path}`);
    return typed.filter((word) => has.some((other) => other.startsWith(word) || word.startsWith(other)))
      .length;
  };
  return operations.toSorted((one, other) => score(other) - score(one));
}
