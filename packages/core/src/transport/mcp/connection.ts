import { clientAddressOf } from '../../kernel/operation/rate-key.ts';
import type { Call } from '../../kernel/operation/run-operation.ts';
import type { RateDecision } from '../../kernel/ports/rate-limiter.ts';
import type { RequestScope } from '../http/mount.ts';
import { keysInHeaders } from '../http/read-call.ts';
import { SentFields } from '../sent-fields.ts';
import { argumentNames, META, type ToolOperation } from './names.ts';

/** What the HTTP request around a message says about the caller. */
export interface Connection {
  readonly scope: RequestScope;
  readonly request: Request;
  /** From the headers `Authorization` and `x-api-key`, for every call of this client. */
  readonly apiKeys: readonly string[];
  /** Set once the message was counted. */
  rate: RateDecision | null;
}

export function connectionOf(request: Request, scope: RequestScope): Connection {
  return { scope, request, apiKeys: keysInHeaders(request.headers), rate: null };
}

export type Fields = Readonly<Record<string, unknown>>;

/** Turns the arguments of a tool into a call of its operation. */
export function callOfTool(
  operation: ToolOperation,
  { scope, request, apiKeys }: Connection,
  sent: Fields,
  meta: Fields,
): Call {
  const names = argumentNames(operation);
  return {
    ...callOf(scope, request),
    wireName: names.toWire,
    idempotencyKey: idempotencyKeyOf(meta) ?? request.headers.get('idempotency-key'),
    async readInput() {
      const gathered = new SentFields(names, apiKeys);
      for (const [name, value] of Object.entries(sent)) gathered.add(name, value);
      return gathered;
    },
  };
}

/** A call without an API key, with the fields of the resource's path. */
export function callOfResource({ scope, request }: Connection, fields: Record<string, unknown>): Call {
  return { ...callOf(scope, request), readInput: async () => ({ fields, apiKeys: [] }) };
}

function callOf({ origin }: RequestScope, request: Request): Call {
  return {
    ...origin,
    readInput: async () => ({ fields: {}, apiKeys: [] }),
    wireName: (field) => field,
    clientAddress: clientAddressOf(request.headers),
    referer: request.headers.get('referer'),
    idempotencyKey: null,
    knownDigests: [],
  };
}

function idempotencyKeyOf(meta: Fields): string | null {
  const key = meta[META.idempotencyKey];
  return key === undefined ? null : String(key);
}
