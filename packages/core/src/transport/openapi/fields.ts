import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { wireNames } from '../wire-names.ts';
import type { JsonSchema } from './json-schema.ts';

/** Where one field of an operation travels over HTTP. Says what transport/http/read-call.ts does. */
export interface WireField {
  /** The operation's own name for it. */
  readonly field: string;
  readonly wire: string;
  readonly in: 'path' | 'query' | 'body' | 'header';
  /** A header that may carry it instead. */
  readonly header: string | null;
  readonly required: boolean;
  /** It takes the whole query string: its members are the parameters. */
  readonly isRest: boolean;
  readonly schema: JsonSchema;
}

export function hasBody({ http }: AnyOperation): boolean {
  return http.method === 'post' || http.method === 'patch';
}

/** The fields of an operation's input schema as they travel. */
export function wireFields(operation: AnyOperation, input: JsonSchema): WireField[] {
  const { http } = operation;
  const { toWire } = wireNames(operation, http.names);
  const inPath = new Set(pathParameters(http.path));
  return Object.entries(input.properties ?? {}).map(([field, schema]) => {
    const wire = toWire(field);
    const header = http.headers?.[field] ?? null;
    const required = input.required?.includes(field) ?? false;
    const isRest = field === http.queryField;
    if (http.queryField !== undefined && header !== null)
      return { field, wire: header, in: 'header', header: null, required, isRest, schema };
    return {
      field,
      wire,
      in: inPath.has(wire) ? 'path' : hasBody(operation) ? 'body' : 'query',
      header,
      required,
      isRest,
      schema,
    };
  });
}

function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
