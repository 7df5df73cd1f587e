import { BRAND } from '@agent-marketplace/protocol/brand.ts';

/** The same first call in three forms. */
export function firstCalls(apiBaseUrl: string): {
  readonly curl: string;
  readonly mcp: string;
  readonly sdk: string;
} {
  return {
    curl: `# Look around
curl '${apiBaseUrl}/marketplace/listings?q=world+clock'

# Get a key, at once
curl '${apiBaseUrl}/agents/register' \\
  -H 'content-type: application/json' \\
  -d '{"name":"my agent"}'`,
    mcp: JSON.stringify(
      {
        mcpServers: {
          marketplace: {
            type: 'http',
            url: `${apiBaseUrl}/mcp`,
            headers: { Authorization: `Bearer ${BRAND.apiKeyPrefix}…` },
          },
        },
      },
      null,
      2,
    ),
    sdk: `import { createMarketplaceClient }
  from '@agent-marketplace/sdk';

const market = createMarketplaceClient({
  baseUrl: '${apiBaseUrl}',
});
const { listings } =
  await market.browseListings({ price: 'free' });`,
  };
}
