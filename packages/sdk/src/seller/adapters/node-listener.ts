import type { FetchHandler } from '../seller-endpoint.ts';

/** The part of `http.IncomingMessage` in use, so that other runtimes need no types of Node. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly readableDidRead?: boolean;
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
}

/** The part of `http.ServerResponse` in use. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: Uint8Array): unknown;
}

/** An answer of the endpoint, for frameworks that send it themselves. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/**
 * A listener for `node:http` and compatible frameworks, such as Express:
 *
 *     createServer(toNodeListener(createSellerEndpoint({ … }))).listen(8080);
 *     app.post('/deliver', toNodeListener(createSellerEndpoint({ … })));
 *
 * In Express, mount it before any body parser: the signature is over the raw bytes. After `express.raw()`, or with the
 * bytes in `rawBody` as some hosts leave them, it works too.
 */
export function toNodeListener(
  handler: FetchHandler,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    answerNode(handler, request).then(
      ({ status, headers, body }) => {
        response.writeHead(status, headers);
        response.end(body);
      },
      () => {
        if (!response.headersSent) response.writeHead(500, { connection: 'close' });
        response.end();
      },
    );
  };
}

/** Asks the handler for its answer to a request of Node. */
export async function answerNode(handler: FetchHandler, request: NodeRequest): Promise<NodeAnswer> {
  const progress = { isRead: false };
  const answer = await handler(await toRequest(request, progress));
  const body = new Uint8Array(await answer.arrayBuffer());
  // A connection with an unread body cannot carry the next request.
  const closing = progress.isRead ? {} : { connection: 'close' };
  return { status: answer.status, headers: { ...Object.fromEntries(answer.headers), ...closing }, body };
}

async function toRequest(request: NodeRequest, progress: { isRead: boolean }): Promise<Request> {
  const { method = 'GET' } = request;
  const init = { method, headers: headersOf(request) };
  const url = urlOf(request);
  if (method === 'GET' || method === 'HEAD') return new Request(url, init);
  if (request.readableDidRead !== true)
    return new Request(url, { ...init, body: streamOf(request, progress), duplex: 'half' } as RequestInit);

  progress.isRead = true;
  const { body, rawBody = body } = request as { body?: unknown; rawBody?: unknown };
  if (rawBody instanceof Uint8Array)
    return new Request(url, { ...init, body: rawBody as Uint8Array<ArrayBuffer> });
  const used = new Request(url, { ...init, body: '-' });
  await used.arrayBuffer();
  return used;
}

/** The sender chooses the host header and the path, so nothing but an explanation depends on them. */
function urlOf(request: NodeRequest): URL {
  // Express cuts off where a router is mounted.
  const { url = '/', originalUrl = url } = request as { url?: string; originalUrl?: string };
  return URL.canParse(originalUrl, 'http://localhost')
    ? new URL(originalUrl, 'http://localhost')
    : new URL('http://localhost');
}

function streamOf(request: NodeRequest, progress: { isRead: boolean }): ReadableStream<Uint8Array> {
  // The plain iterator closes the socket on an early exit, and then the answer cannot be sent.
  const chunks = request.iterator?.({ destroyOnReturn: false }) ?? request[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) {
        progress.isRead = true;
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
