import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MAX_ANSWER_BYTES, reasonOf, type UpstreamLimits } from './call-upstream.ts';
import type { ToolReply, ToolResult } from './upstream-reply.ts';

export interface McpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A connection to an MCP server for one piece of work; whatever it takes, it ends with the signal. */
export async function withMcpServer<T>(
  { url, headers }: McpServer,
  limits: UpstreamLimits,
  work: (client: Client) => Promise<T>,
): Promise<T | Exclude<ToolReply, { kind: 'answered' }>> {
  const seen: { failure: Exclude<ToolReply, { kind: 'answered' }> | null } = { failure: null };
  const { origin } = new URL(url);
  const guardedFetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const at = new URL(input);
    // The library would ask for tokens, and follow redirects, elsewhere.
    if (at.origin !== origin) throw new TypeError('Another host.');
    const signal = init.signal ? AbortSignal.any([init.signal, limits.signal]) : limits.signal;
    const response = await limits.fetch(at, { ...init, signal, redirect: 'manual' });
    const { status } = response;
    // 405 answers the offer to listen, which a server need not take.
    const isPage = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
    if ((status >= 300 || isPage) && status !== 405 && seen.failure === null && init.method !== 'DELETE')
      seen.failure =
        status >= 300 && status < 400
          ? { kind: 'redirected_elsewhere' }
          : { kind: 'http_status', status, retryAfter: response.headers.get('retry-after') };
    return withSizeLimit(response, () => {
      seen.failure = { kind: 'too_large' };
    });
  };
  const client = new Client({ name: 'agent-market-gateway', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: guardedFetch,
  });
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('timed out'));
    if (limits.signal.aborted) stop();
    else limits.signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, client.connect(transport).then(() => work(client))]);
  } catch (error) {
    if (seen.failure !== null) return seen.failure;
    if (limits.signal.aborted) return { kind: 'timed_out' };
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code === 'number') return { kind: 'protocol_error', code };
    return { kind: 'unreachable', reason: reasonOf(error) };
  } finally {
    // Not awaited: a server that hangs would hold up the answer.
    transport
      .terminateSession()
      .catch(() => {})
      .finally(() => client.close().catch(() => {}));
  }
}

/** Calls one tool once. */
export function callTool(
  server: McpServer,
  call: { tool: string; query: JsonObject },
  limits: UpstreamLimits,
): Promise<ToolReply> {
  return withMcpServer(server, limits, async (client) => {
    const result = await client.callTool({ name: call.tool, arguments: { ...call.query } });
    return { kind: 'answered', result: result as ToolResult } as const;
  });
}

/** Ends in an error where a stream goes beyond what a delivery may have. */
function withSizeLimit(response: Response, onTooLarge: () => void): Response {
  if (response.body === null) return response;
  let length = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length;
        if (length <= MAX_ANSWER_BYTES) return controller.enqueue(chunk);
        onTooLarge();
        controller.error(new TypeError('Too large.'));
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}
