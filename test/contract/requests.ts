import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import type { TestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { wireNames } from '@agent-marketplace/core/transport/wire-names.ts';

export interface Sent {
  /** By the operation's own field names. */
  readonly input: Record<string, unknown>;
  /** By wire name, besides: fields that the operation should not know. */
  readonly extra?: Record<string, unknown>;
  readonly apiKey?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

export const hasBody = ({ http }: AnyOperation) => http.method === 'post' || http.method === 'patch';

export function wireName(operation: AnyOperation, field: string): string {
  return wireNames(operation, operation.http.names).toWire(field);
}

/** The operation's fields that travel in its path. */
export function pathFields(operation: AnyOperation): string[] {
  const { toField } = wireNames(operation, operation.http.names);
  return [...operation.http.path.matchAll(/\{(\w+)\}/g)].map(([, wire]) => toField(wire ?? ''));
}

/** The operation's path with what it names in it. */
export function pathOf(operation: AnyOperation, input: Readonly<Record<string, unknown>>): string {
  const { http } = operation;
  const { toField } = wireNames(operation, http.names);
  return http.path.replaceAll(/\{(\w+)\}/g, (_, wire: string) =>
    encodeURIComponent(String(input[toField(wire)] ?? '')),
  );
}

/** Sends an operation's input as its REST binding says. */
export function send(
  market: Pick<TestMarketplace, 'request'>,
  operation: AnyOperation,
  sent: Sent,
): Promise<Response> {
  const { input, extra = {}, apiKey, headers = {}, method = operation.http.method } = sent;
  const inPath = new Set(pathFields(operation));
  const path = pathOf(operation, input);
  const rest = {
    ...Object.fromEntries(
      Object.entries(input)
        .filter(([field]) => !inPath.has(field))
        .map(([field, value]) => [wireName(operation, field), value]),
    ),
    ...extra,
  };
  const options = { headers, ...(apiKey === undefined ? {} : { apiKey }) };
  if (hasBody(operation)) return market.request(method.toUpperCase(), path, { ...options, body: rest });
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  return market.request(method.toUpperCase(), query.size > 0 ? `${path}?${query}` : path, options);
}
