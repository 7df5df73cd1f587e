import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { standardUrl } from '../../kernel/documents/standard-documents.ts';
import { MCP_PATH, SUMMARY } from '../documents/about.ts';
import type { Toolbox } from './describe-tool.ts';

/** Clause: GET /mcp. The answer to a GET without MCP: what the server is and how to connect. */
export async function manifest(
  toolbox: Toolbox,
  versions: readonly string[],
  baseUrl: string,
): Promise<object> {
  return {
    description: SUMMARY,
    homepage: `${baseUrl}/docs`,
    meta: {
      authentication: 'Authorization: Bearer <API key>, or x-api-key, or the argument api_key.',
      endpoint: baseUrl + MCP_PATH,
      llmsTxt: `${baseUrl}/llms.txt`,
      openapi: standardUrl(baseUrl, 'openApi'),
      protocolVersions: [...versions],
      transport: 'streamable-http',
    },
    name: BRAND.slug,
    title: BRAND.platform,
    tools: (await toolbox.list(false, baseUrl)).map(
      ({ name, title, description, inputSchema, annotations }) => ({
        annotations,
        description,
        inputSchema,
        name,
        title,
      }),
    ),
    version: BRAND.apiVersion,
  };
}
