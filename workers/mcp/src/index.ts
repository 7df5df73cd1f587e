import {
  type MarketplaceBindings,
  originOf,
  portsFor,
  runtimeFor,
} from '@agent-marketplace/core/compose/runtime.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { createMcpApp } from '@agent-marketplace/core/transport/mcp/app.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';

interface McpBindings extends MarketplaceBindings {
  /** Origins of web pages that may call, separated by commas. */
  readonly MCP_ALLOWED_ORIGINS?: string;
  /** Answers the calls that are paid with USDC; without it, none are. */
  readonly X402?: Fetcher;
}

const app = createMcpApp({
  root: API_ROOT,
  tools: mcpOperations,
  readable: apiOperations,
  documented: documentedOperations,
});

export default {
  async fetch(request, bindings, ctx) {
    const ports = portsFor(bindings, ctx);
    const runtime = runtimeFor(bindings, ports);
    const origin = await originOf(bindings, request, ports);
    const allowedOrigins = bindings.MCP_ALLOWED_ORIGINS?.split(',').map((one) => one.trim()) ?? [];
    return app(request, { runtime, origin, allowedOrigins, paidQueries: bindings.X402 ?? null });
  },
} satisfies ExportedHandler<McpBindings>;
