import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ToolResult {
  readonly content: { readonly type: string; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta: Record<string, unknown>;
}

export interface McpClient {
  readonly client: Client;
  /** The result of a tool that was not refused. */
  use(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The problem of one that was. */
  refused(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** The official client, as anyone connects it; a key is configured once, as a header. */
export async function connectMcp(baseUrl: string, apiKey?: string): Promise<McpClient> {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    requestInit: { headers },
  });
  const client = new Client({ name: 'end-to-end', version: '1.0.0' });
  // The library's own types disagree about optional members.
  await client.connect(transport as unknown as Parameters<Client['connect']>[0]);
  // From then on the client checks every structured content against the schema that the tool declares.
  await client.listTools();

  async function call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return (await client.callTool({ name, arguments: args })) as unknown as ToolResult;
  }
  return {
    client,
    async use(tool, args = {}) {
      const { isError, structuredContent } = await call(tool, args);
      if (isError) throw new Error(`${tool}: ${JSON.stringify(structuredContent)}`);
      return structuredContent;
    },
    async refused(tool, args = {}) {
      const { isError, structuredContent } = await call(tool, args);
      if (!isError) throw new Error(`${tool} was not refused.`);
      return structuredContent;
    },
  };
}
