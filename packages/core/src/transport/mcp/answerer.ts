import { setRate } from '../http/respond.ts';
import { checkParams } from './check-params.ts';
import { type Connection, connectionOf, type ToolScope } from './connection.ts';
import { dispatch } from './dispatch.ts';
import { type BadMessage, type GoodMessage, idOf, JSON_RPC, readMessage } from './message.ts';
import { answerHeaders, rpcError, rpcResponse, SERVER_ERROR, tooManyMessages } from './respond.ts';
import { createServer, type Offer } from './server.ts';
import { createAnswerSigner } from './sign-answer.ts';

/** The operation that these methods run counts the request itself. */
const LIMITED_BY_OPERATION = new Set(['tools/call', 'resources/read']);

/** The answers of a batch are in memory together. */
const MAX_BATCH_CHARACTERS = 10_000_000;

/** Answers the JSON-RPC messages of a POST, each counted by the rate limit and signed by itself. */
export function createAnswerer(offer: Offer) {
  const signAnswer = createAnswerSigner();

  async function answerMessage(read: GoodMessage | BadMessage, connection: Connection): Promise<Response> {
    const { scope, request } = connection;
    if (read.kind === 'bad') return (await tooManyMessages(connection, read.id)) ?? rpcError(read, scope);
    const { method } = read;
    const id = idOf(read);
    if (method !== null && !LIMITED_BY_OPERATION.has(method)) {
      const refusal = await tooManyMessages(connection, id);
      if (refusal) return refusal;
    }
    const wrong = checkParams(read);
    if (wrong !== null)
      return rpcError({ status: 200, id, code: JSON_RPC.invalidParams, message: wrong }, scope);
    // Tools, resources and prompts never change while the server runs: there is nothing to subscribe to.
    if (method === 'subscriptions/listen') {
      const error = { code: JSON_RPC.methodNotFound, message: 'Method not found: nothing is pushed.' };
      return rpcError({ status: 404, id, ...error }, scope);
    }
    const response = await dispatch(createServer(offer, connection, read.params), request, read);
    if (connection.isSigned || response.body === null) return answerHeaders(response, scope);
    return rpcResponse(
      await signAnswer(await response.text(), method ?? '', id, scope),
      response.status,
      scope,
    );
  }

  async function answerCounted(read: GoodMessage | BadMessage, request: Request, scope: ToolScope) {
    const connection = connectionOf(request, scope);
    const response = await answerMessage(read, connection);
    if (connection.rate) setRate(response.headers, connection.rate);
    return response;
  }

  /** One after the other: at the same time, the answers of sellers would be in memory before they are counted. */
  async function answerBatch(
    messages: readonly (GoodMessage | BadMessage)[],
    request: Request,
    scope: ToolScope,
  ): Promise<Response> {
    const texts: string[] = [];
    let headers = new Headers();
    let length = 0;
    for (const message of messages) {
      const response =
        length < MAX_BATCH_CHARACTERS
          ? await answerCounted(message, request, scope)
          : await rpcError(
              { status: 200, ...TOO_LONG, id: message.kind === 'bad' ? message.id : idOf(message) },
              scope,
            );
      const text = isAnswered(message) ? await response.text() : '';
      if (text !== '') texts.push(text);
      length += text.length;
      headers = headersOfBatch(headers, response.headers);
    }
    if (texts.length === 0) return answerHeaders(new Response(null, { status: 202, headers }), scope);
    headers.set('content-type', 'application/json');
    return answerHeaders(new Response(`[${texts.join(',')}]`, { headers }), scope);
  }

  return async (request: Request, scope: ToolScope): Promise<Response> => {
    const read = await readMessage(request);
    return read.kind === 'batch'
      ? answerBatch(read.messages, request, scope)
      : answerCounted(read, request, scope);
  };
}

const TOO_LONG = {
  code: SERVER_ERROR,
  message: 'The answers before this one fill the batch: this message was not run. Send it by itself.',
} as const;

/** JSON-RPC answers no notification and no response, whatever becomes of them. */
function isAnswered(message: GoodMessage | BadMessage): boolean {
  return message.kind === 'bad' || (message.method !== null && idOf(message) !== null);
}

/** The state of the rate limit after the last message that was counted, and the longest wait of those refused. */
function headersOfBatch(before: Headers, after: Headers): Headers {
  const waits = [before, after].map((headers) => Number(headers.get('retry-after') ?? 0));
  const headers = new Headers(after.has('ratelimit') ? after : before);
  if (Math.max(...waits) > 0) headers.set('retry-after', String(Math.max(...waits)));
  return headers;
}
