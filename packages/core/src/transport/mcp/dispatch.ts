import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { GoodMessage } from './message.ts';

/** The first revision without sessions and handshake, which the library does not list with the earlier ones. */
const STATELESS_REVISION = '2026-07-28';

/** Every supported revision, newest first. */
export const REVISIONS: readonly string[] = [STATELESS_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Answers one message through the library, with one JSON body. */
export async function dispatch(
  server: Server,
  request: Request,
  { message }: GoodMessage,
): Promise<Response> {
  // The body was read before, so the library gets the parsed message.
  const headers = new Headers(request.headers);
  // `Accept` was checked before; the library requires both media types in it.
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
