import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Request {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Null: the body is larger than any request here can be. */
export async function readRequest(message: IncomingMessage): Promise<Request | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  const [path = '/', query = ''] = (message.url ?? '/').split('?', 2);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: message.method ?? 'GET',
    path,
    query,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function json(status: number, value: unknown): Reply {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(value) };
}

export function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: '' };
}
