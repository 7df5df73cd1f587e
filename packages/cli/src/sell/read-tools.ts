import { CliFailure } from '../frame/cli-failure.ts';
import { withMcpServer } from '../gateway/call-tool.ts';
import type { Credential } from '../gateway/gateway-config.ts';
import { credentialHeaders, type Secrets } from '../gateway/upstream-request.rules.ts';
import type { McpTool } from './plan-mcp.rules.ts';

const TIMEOUT_MS = 20_000;

export interface ServerTools {
  readonly kind: 'tools';
  readonly serverName: string;
  readonly tools: readonly McpTool[];
}

/** @throws CliFailure where no MCP server answers. */
export async function readTools(
  url: string,
  credentials: readonly Credential[],
  secrets: Secrets,
  timeoutMs = TIMEOUT_MS,
): Promise<ServerTools> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CliFailure(
      'usage',
      `"${url.slice(0, 200)}" is not the URL of an MCP server, such as https://mcp.example/mcp.`,
      {
        hint: 'A server that runs as a program on your machine (stdio) has to be put on HTTP first.',
      },
    );
  const headers = credentialHeaders(credentials, secrets);
  const limits = { signal: AbortSignal.timeout(timeoutMs), fetch: globalThis.fetch };
  const read = await withMcpServer({ url, headers }, limits, async (client): Promise<ServerTools> => {
    const { tools } = await client.listTools();
    const info = client.getServerVersion();
    return {
      kind: 'tools',
      serverName: info?.title ?? info?.name ?? '',
      tools: tools as unknown as McpTool[],
    };
  });
  switch (read.kind) {
    case 'tools':
      return read;
    case 'timed_out':
      throw new CliFailure(
        'unreachable',
        `The MCP server at ${url} did not answer in ${timeoutMs / 1000} s.`,
      );
    case 'http_status':
      if (read.status === 401 || read.status === 403)
        throw new CliFailure('key', `The MCP server at ${url} wants credentials (HTTP ${read.status}).`, {
          hint: "Put them into a variable, and name it: --secret 'bearer=VARIABLE'.",
        });
      throw new CliFailure('unreachable', `What answers at ${url} is no MCP server (HTTP ${read.status}).`);
    case 'unreachable':
      throw new CliFailure('unreachable', `No MCP server could be reached at ${url} (${read.reason}).`);
    case 'redirected_elsewhere':
      throw new CliFailure('unreachable', `${url} redirects. Give the address that it leads to.`);
    case 'protocol_error':
    case 'too_large':
      throw new CliFailure('unreachable', `The MCP server at ${url} does not tell its tools.`);
  }
}
