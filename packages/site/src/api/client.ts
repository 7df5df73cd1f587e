import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';

/** A service binding, or anything with the same method. */
export interface ApiService {
  fetch(request: Request): Promise<Response>;
}

/** A reader should see an error page rather than wait longer. Purchases set their own time, since sellers are slow. */
const READ_TIMEOUT_MS = 10_000;
const CLIENT_HEADERS = ['cf-connecting-ip', 'cf-worker'];

/**
 * The SDK's client over a service binding. It does not verify signatures: the binding leads only to the
 * marketplace itself.
 */
export function clientFor(service: ApiService, apiBaseUrl: string, reader: Request): MarketplaceClient {
  return createMarketplaceClient({
    baseUrl: apiBaseUrl,
    verify: 'off',
    retries: 0,
    timeoutMs: READ_TIMEOUT_MS,
    fetch: (input, init) => {
      const request = new Request(input as string, init as RequestInit);
      for (const [name, value] of readerHeaders(reader)) request.headers.set(name, value);
      return service.fetch(request);
    },
  });
}

/** The rate limit must count this reader, not all readers of the site together. */
export function readerHeaders(reader: Request): Headers {
  const headers = new Headers();
  for (const name of CLIENT_HEADERS) {
    const value = reader.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}
