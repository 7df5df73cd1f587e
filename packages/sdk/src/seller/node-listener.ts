import type { FetchHandler } from './seller-endpoint.ts';

/** The part of `http.IncomingMessage` in use, so that other runtimes need no types of Node. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
}

/** The part of `http.ServerResponse` in use. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: Uint8Array): unknown;
}

/**
 * A listener for `node:http` and compatible frameworks, such as Express:
 *
 *     createServer(toNodeListener(createSellerEndpoint({ … }))).listen(8080);
 *
 * In Express, mount it before any body parser: the signature is over the raw bytes.
 */
export function toNodeListener(
  handler: FetchHandler,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    respond(handler, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500, { connection: 'close' });
      response.end();
    });
  };
}

async function respond(handler: FetchHandler, request: NodeRequest, response: NodeResponse): Promise<void> {
  const { method = 'GET' } = request;
  const body = { read: false };
  const answer = await handler(
    // The sender chooses the host header, so nothing here depends on it.
    new Request(new URL(request.url ?? '/', 'http://localhost'), {
      method,
      headers: headersOf(request),
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: streamOf(request, body), duplex: 'half' }),
    } as RequestInit),
  );
  const bytes = new Uint8Array(await answer.arrayBuffer());
  // A connection with an unread body cannot carry the next request.
  const closing = body.read ? {} : { connection: 'close' };
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...closing });
  response.end(bytes);
}

function streamOf(request: NodeRequest, body: { read: boolean }): ReadableStream<Uint8Array> {
  // The plain iterator closes the socket on an early exit, and then the answer cannot be sent.
  const chunks = request.iterator?.({ destroyOnReturn: false }) ?? request[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) {
        body.read = true;
        controller.close();
      } else controller.enqueue(value as Uint8Array);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

function headersOf(request: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    const text = first(value);
    if (text !== undefined && !name.startsWith(':')) headers.set(name, text);
  }
  return headers;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
