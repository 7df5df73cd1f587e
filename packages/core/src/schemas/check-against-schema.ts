import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { QUERY_LIMIT } from '@agent-marketplace/protocol/schemas/evaluation.rules.ts';
import type { FieldError } from '../kernel/errors.ts';

/** The parts of a query that do not fit a listing's inputSchema; empty if it fits. */
export function checkAgainstSchema(schema: JsonObject, query: JsonObject): FieldError[] {
  const faults = evaluateSchema(schema, query, QUERY_LIMIT);
  if (faults === null) return [{ message: "The listing's inputSchema cannot judge it.", path: 'query' }];
  const fields = faults.map(({ message, path }) => ({ message, path: ['query', ...path].join('.') }));
  return [...new Map(fields.map((field) => [`${field.path} ${field.message}`, field])).values()];
}

/** Whether data fits a listing's outputSchema. What takes too many steps to judge does not. */
export function fitsSchema(schema: JsonObject, data: JsonObject): boolean {
  return evaluateSchema(schema, data)?.length === 0;
}
