import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';

/** A service binding, or anything that answers as one. */
export interface ApiService {
  fetch(request: Request): Promise<Response>;
}

/** A reader waits for a page, so it rather says that the API does not answer. Purchases wait for sellers. */
const READ_TIMEOUT_MS = 10_000;
const ADDRESS_HEADER = 'cf-connecting-ip';

/**
 * The SDK's client over a service binding. Answers are not checked against the marketplace's keys: the binding
 * leads to the marketplace itself and nowhere else.
 */
export function clientFor(service: ApiService, apiBaseUrl: string, reader: Request): MarketplaceClient {
  const address = reader.headers.get(ADDRESS_HEADER);
  return createMarketplaceClient({
    baseUrl: apiBaseUrl,
    verify: 'off',
    retries: 0,
    timeoutMs: READ_TIMEOUT_MS,
    fetch: (input, init) => {
      const request = new Request(input as string, init as RequestInit);
      // Rate limits are the reader's own, not one for all readers of the site.
      if (address !== null) request.headers.set(ADDRESS_HEADER, address);
      return service.fetch(request);
    },
  });
}
