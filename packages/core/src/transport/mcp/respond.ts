import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { rateKeyOf } from '../../kernel/operation/rate-key.ts';
import { refuse } from '../../kernel/operation/run-operation.ts';
import type { RequestScope } from '../http/mount.ts';
import { CORS_HEADERS } from '../http/respond.ts';
import { type Connection, callOfResource } from './connection.ts';
import type { MessageId } from './message.ts';

interface RpcError {
  /** The HTTP status. */
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly id: MessageId | null;
  readonly data?: unknown;
}

/** Answers with an error before the library sees the message. */
export function rpcError({ status, id, code, message, data }: RpcError, scope: RequestScope): Response {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return answerHeaders(Response.json({ jsonrpc: '2.0', id, error }, { status }), scope);
}

/** Adds the headers of every answer. */
export function answerHeaders(response: Response, { origin }: RequestScope): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(CORS_HEADERS)) headers.set(name, value);
  headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('x-request-id', origin.requestId);
  return new Response(response.body, { status: response.status, headers });
}

/** Counts a message that runs no operation. Null: it is within the limit. */
export async function tooManyMessages(
  connection: Connection,
  id: MessageId | null,
): Promise<Response | null> {
  const { runtime } = connection.scope;
  const call = callOfResource(connection, {});
  const rate = await runtime.ports.rateLimiter.take('read', rateKeyOf(call.clientAddress));
  connection.rate = rate;
  if (rate.allowed) return null;
  const refusal = new Refusal(commonErrors.rate_limited, { retryAfterSeconds: rate.resetSeconds });
  const { body } = await refuse(refusal, runtime, call);
  const response = rpcError(
    {
      status: 429,
      code: -32000,
      message: refusal.definition.title,
      id,
      data: JSON.parse(new TextDecoder().decode(body)),
    },
    connection.scope,
  );
  response.headers.set('retry-after', String(rate.resetSeconds));
  return response;
}
