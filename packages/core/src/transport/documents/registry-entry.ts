import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { MCP_PATH, SUMMARY } from './about.ts';

/** The entry in the MCP registry, published with the registry's `mcp-publisher`. */
export function registryEntry(baseUrl: string): object {
  // The registry requires the reversed domain as a prefix, and proof that the publisher owns the domain.
  const namespace = new URL(baseUrl).hostname.split('.').reverse().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace}/${BRAND.slug}`,
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
