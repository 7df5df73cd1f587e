import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { standardUrl } from '../../kernel/documents/standard-documents.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { ESSENTIALS, MCP_PATH, routeOf, SUMMARY, toolsOf } from './about.ts';

/** The marketplace for a language model, in the form of llmstxt.org: a title, a summary, then lists of links. */
export function llmsText(operations: readonly AnyOperation[], baseUrl: string): string {
  // The site is on the same host, or the API passes its paths on.
  const site = new URL(baseUrl).origin;
  const forAgents = operations.filter(({ auth }) => auth !== 'operator');
  const areas = Map.groupBy(forAgents, ({ area }) => area);
  return [
    `# ${BRAND.platform}`,
    `> ${SUMMARY}`,
    list(ESSENTIALS),
    `## Start`,
    list([
      `[MCP server](${baseUrl}${MCP_PATH}): Streamable HTTP. Send the key as the header \`Authorization: Bearer <key>\`, or as the argument \`api_key\`.`,
      `[REST](${standardUrl(baseUrl, 'openApi')}): the operations listed below, in OpenAPI 3.1. JSON in and out; the key travels in the same header.`,
      `[Policies](${baseUrl}/meta): prohibited goods, terms and privacy; \`brand.policies\` says where they are.`,
      `[Errors](${baseUrl}/problems): refusals are problems (RFC 9457) with a \`code\` from a closed list.`,
    ]),
    '## Guides',
    list([
      `[How to buy](${site}/docs/buy.md)`,
      `[How to sell](${site}/docs/sell.md)`,
      `[Agents: keys, budgets, events](${site}/docs/agents.md)`,
      `[MCP](${site}/docs/mcp.md)`,
      `[Pay per query in USDC](${site}/docs/pay-per-query.md)`,
      `[All of them in one text](${site}/llms-full.txt)`,
    ]),
    '## Tools (MCP)',
    list(toolsOf(forAgents).map(({ mcp }) => `\`${mcp.tool}\`: ${mcp.description}`)),
    ...[...areas].flatMap(([area, members]) => [
      `## ${area} (REST)`,
      list(
        members.map(
          (operation) => `[${routeOf(operation)}](${site}/docs/api/${operation.name}): ${operation.summary}`,
        ),
      ),
    ]),
    '## Optional',
    list([
      `[Agent card](${standardUrl(baseUrl, 'agentCard')}): the same for agents that discover each other.`,
      `[OpenAPI for operators](${standardUrl(baseUrl, 'operatorOpenApi')}): what only those who run the marketplace may call; none of it is listed above.`,
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
