import { clientAddressOf } from '../../kernel/operation/rate-key.ts';
import type { Call } from '../../kernel/operation/run-operation.ts';
import type { RateDecision } from '../../kernel/ports/rate-limiter.ts';
import { keysInHeaders } from '../http/keys-in-headers.ts';
import type { RequestScope } from '../http/mount.ts';
import { SentFields } from '../sent-fields.ts';
import { argumentNames, META, rowsOfPage, type ToolOperation } from './names.ts';
import { shortAnswer } from './short-answer.rules.ts';

/** The Worker that is paid in USDC: it has the key and the chain, and this one has neither. */
export interface PaidQueries {
  fetch(request: Request): Promise<Response>;
}

/** As of any request, with what rewrites the marketplace's own texts for callers of tools. */
export type ToolScope = Required<RequestScope> & {
  /** Null where no Worker takes payments in USDC. */
  readonly paidQueries: PaidQueries | null;
};

/** What the HTTP request around a message says about the caller. */
export interface Connection {
  readonly scope: ToolScope;
  readonly request: Request;
  /** From the headers `Authorization` and `x-api-key`, for every call of this client. */
  readonly apiKeys: readonly string[];
  /** Set once the message was counted. */
  rate: RateDecision | null;
  /** Set once the result of a tool was made, which is signed already. */
  isSigned: boolean;
}

export function connectionOf(request: Request, scope: ToolScope): Connection {
  return { scope, request, apiKeys: keysInHeaders(request.headers), rate: null, isSigned: false };
}

export type Fields = Readonly<Record<string, unknown>>;

/** Turns the arguments of a tool into a call of its operation. */
export function callOfTool(
  operation: ToolOperation,
  connection: Connection,
  sent: Fields,
  meta: Fields,
): Call {
  const names = argumentNames(operation);
  const { answer } = operation.mcp;
  const limit = typeof sent.limit === 'number' ? sent.limit : null;
  return {
    ...callOf(connection),
    ...(answer ? { shorten: (output) => shortAnswer(output, answer, limit) } : {}),
    wireName: names.toWire,
    idempotencyKey: idempotencyKeyOf(meta) ?? connection.request.headers.get('idempotency-key'),
    async readInput() {
      const gathered = new SentFields(names, connection.apiKeys);
      for (const [name, value] of Object.entries(sent)) gathered.add(name, value);
      const rows = rowsOfPage(operation);
      if (rows !== null && (sent.limit ?? null) === null) gathered.add('limit', rows);
      for (const [field, { with: other, value }] of Object.entries(operation.clientDefaults ?? {})) {
        if (gathered.valueOf(field) === null && gathered.valueOf(other) !== null) gathered.set(field, value);
      }
      return gathered;
    },
  };
}

/** A call without an API key, with the fields of the resource's path. */
export function callOfResource(connection: Connection, fields: Record<string, unknown>): Call {
  return { ...callOf(connection), readInput: async () => ({ fields, apiKeys: [] }) };
}

function callOf({ scope, request }: Connection): Call {
  return {
    ...scope.origin,
    renderText: scope.renderText,
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
