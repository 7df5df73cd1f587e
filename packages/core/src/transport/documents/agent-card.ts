import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { standardUrl } from '../../kernel/documents/standard-documents.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { MCP_PATH, SUMMARY, toolsOf } from './about.ts';

/** The version of the card's form; the marketplace does not speak the protocol. */
const CARD_VERSION = '1.0';

/**
 * The agent card at its well-known path, in the form of A2A 1.0 and nothing besides: strict readers refuse members
 * that they do not know. The marketplace does not speak A2A: the card links to REST and MCP.
 */
export function agentCard(operations: readonly AnyOperation[], baseUrl: string): object {
  const openApiUrl = standardUrl(baseUrl, 'openApi');
  const mcpUrl = baseUrl + MCP_PATH;
  return {
    capabilities: { extendedAgentCard: false, pushNotifications: false, streaming: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    description: `${SUMMARY} Reached over MCP (Streamable HTTP) or REST; A2A messages are not answered.`,
    documentationUrl: `${baseUrl}/docs`,
    name: BRAND.platform,
    provider: { organization: BRAND.operator, url: `${baseUrl}/docs` },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          description: `An API key, ${BRAND.apiKeyPrefix}…; the tool register_agent gives one.`,
          scheme: 'bearer',
        },
      },
    },
    skills: toolsOf(operations).map(({ area, mcp }) => ({
      description: mcp.description,
      id: mcp.tool,
      name: mcp.title,
      tags: [area.toLowerCase()],
    })),
    supportedInterfaces: [
      { protocolBinding: 'MCP', protocolVersion: CARD_VERSION, url: mcpUrl },
      { protocolBinding: 'OPENAPI', protocolVersion: CARD_VERSION, url: openApiUrl },
    ],
    version: BRAND.apiVersion,
  };
}
