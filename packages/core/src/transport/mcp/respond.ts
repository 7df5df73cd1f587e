import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { rateKeyOf } from '../../kernel/operation/rate-key.ts';
import type { RequestScope } from '../http/mount.ts';
import { CORS_HEADERS } from '../http/respond.ts';
import { type Connection, callOfResource } from './connection.ts';
import type { MessageId } from './message.ts';
import { type RpcError, signError } from './sign-answer.ts';

/** The code of JSON-RPC for errors that it does not name. */
export const SERVER_ERROR = -32000;

interface RefusedMessage extends RpcError {
  /** The HTTP status. */
  readonly status: number;
  readonly id: MessageId | null;
}

/** Answers with an error before the library sees the message. */
export async function rpcError(
  { status, id, ...error }: RefusedMessage,
  scope: RequestScope,
): Promise<Response> {
  return rpcResponse(await signError(id, error, scope), status, scope);
}

export function rpcResponse(text: string, status: number, scope: RequestScope): Response {
  const headers = { 'content-type': 'application/json' };
  return answerHeaders(new Response(text, { status, headers }), scope);
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
  const data = runtime.problem(refusal, call);
  const error = { status: 429, code: SERVER_ERROR, message: refusal.definition.title, id, data };
  const response = await rpcError(error, connection.scope);
  response.headers.set('retry-after', String(rate.resetSeconds));
  return response;
}
