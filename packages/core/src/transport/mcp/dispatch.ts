import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { GoodMessage } from './message.ts';

/** The first revision without sessions and handshake; the library knows it apart from those before. */
const STATELESS_REVISION = '2026-07-28';

/** Every revision that is spoken, newest first. */
export const REVISIONS: readonly string[] = [STATELESS_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Lets the library answer one message. The answer is one JSON body. */
export async function dispatch(
  server: Server,
  request: Request,
  { message }: GoodMessage,
): Promise<Response> {
  // The body was read already: the library is given what was parsed.
  const headers = new Headers(request.headers);
  // What the caller takes was looked at before; the library wants both named.
  headers.set('accept', 'application/json, text/event-stream');
  const bare = new Request(request.url, { method: 'POST', headers });
  const options = { parsedBody: message };
  if (!(await isLegacyRequest(bare, message))) {
    return createMcpHandler(() => server, { legacy: 'reject', keepAliveMs: 0 }).fetch(bare, options);
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    keepAliveMs: 0,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(bare, options);
  } finally {
    await server.close();
  }
}
