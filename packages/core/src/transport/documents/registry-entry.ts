import { BRAND } from '../../kernel/brand.ts';
import { BRAND_SLUG } from '../mcp/names.ts';
import { MCP_PATH, SUMMARY } from './about.ts';

/** What the MCP registry lists a server by; published with its `mcp-publisher`. */
export function registryEntry(baseUrl: string): object {
  // The registry takes a name from whoever proves to own the domain, written backwards.
  const namespace = new URL(baseUrl).hostname.split('.').reverse().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace}/${BRAND_SLUG}`,
    title: BRAND.platform,
    description: SUMMARY,
    version: BRAND.apiVersion,
    websiteUrl: `${baseUrl}/docs`,
    remotes: [
      {
        type: 'streamable-http',
        url: baseUrl + MCP_PATH,
        headers: [
          {
            name: 'Authorization',
            description: 'Your API key; the tool register_agent gives one. Browsing needs none.',
            isRequired: false,
            isSecret: true,
            value: 'Bearer {api_key}',
            variables: {
              api_key: { description: 'The API key', isSecret: true, placeholder: `${BRAND.apiKeyPrefix}…` },
            },
          },
        ],
      },
    ],
  };
}
