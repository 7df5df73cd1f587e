import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { originOf, runtimeFor } from '../../compose/runtime.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { apiOperations } from '../../operations/api.ts';
import { documentedOperations } from '../../operations/documented.ts';
import { mcpOperations } from '../../operations/mcp.ts';
import { createMcpApp } from '../../transport/mcp/app.ts';
import type { PaidQueries } from '../../transport/mcp/connection.ts';
import { checkSignedRpc, type RpcAnswer, unsignedResult } from './read-signed-rpc.ts';
import { testBindings } from './workers-bindings.ts';
import { TEST_BASE_URL, type TestMarketplace } from './workers-harness.ts';

export const MCP_URL = `${TEST_BASE_URL}/mcp`;

export interface ToolAnswer {
  readonly content: { readonly type: string; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
}

/** The MCP face of a test's marketplace, as the MCP Worker composes it. */
export function createMcpFace(
  market: TestMarketplace,
  {
    allowedOrigins = [],
    tools = mcpOperations,
    paidQueries = null,
  }: {
    readonly allowedOrigins?: string[];
    readonly tools?: readonly AnyOperation[];
    readonly paidQueries?: PaidQueries | null;
  } = {},
) {
  const app = createMcpApp({
    root: API_ROOT,
    tools,
    readable: apiOperations,
    documented: documentedOperations,
  });

  async function request(init: RequestInit, url = MCP_URL): Promise<Response> {
    const sent = new Request(url, init);
    const ports = market.newPorts();
    const origin = await originOf(testBindings, sent, ports);
    return app(sent, { runtime: runtimeFor(testBindings, ports), origin, allowedOrigins, paidQueries });
  }

  /** A body is sent as it is if it is text. Whatever is answered must be signed. */
  async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const response = await request({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const isProblem = response.headers.get('content-type') === 'application/problem+json';
    if (response.body !== null && !isProblem) await checkSignedRpc(response.clone());
    return response;
  }

  /** The result or the error. A result that is none of a tool comes without its provenance. */
  async function rpc(method: string, params?: object, headers?: Record<string, string>) {
    const response = await post({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) }, headers);
    const { result, error } = (await response.json()) as RpcAnswer;
    if (result === undefined) return { error };
    return { result: 'structuredContent' in result ? result : unsignedResult(result), error };
  }

  /** The result of a request that is not refused. */
  async function ask<T>(method: string, params?: object, headers?: Record<string, string>): Promise<T> {
    const { result, error } = await rpc(method, params, headers);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as T;
  }

  async function callTool(
    name: string,
    args: Record<string, unknown> = {},
    { headers, meta }: { headers?: Record<string, string>; meta?: Record<string, unknown> } = {},
  ): Promise<ToolAnswer> {
    const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
    return ask('tools/call', params, headers);
  }

  return { request, post, rpc, ask, callTool };
}
