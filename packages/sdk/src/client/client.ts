import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type MarketplaceFile, type Operations, type Provenance, routes } from '../generated/api.ts';
import { type KeySource, remoteKeys } from '../key-source.ts';
import { hasBody, placeInput, type Route, withQuery } from './build-request.ts';
import type { CallOptions, MarketplaceClientOptions, RawRequestOptions } from './options.ts';
import { type AgentEvent, type EventsOptions, readEvents } from './read-events.ts';
import { type ListOf, type PagedOperation, readItems, readPages } from './read-pages.ts';
import { createTransport } from './transport.ts';

/** An answer with its provenance; a file has none. */
export type SignedAnswer<T> = T extends MarketplaceFile ? T : T & { readonly provenance: Provenance };

type Method<Input, Output> =
  Record<never, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<SignedAnswer<Output>>
    : (input: Input, options?: CallOptions) => Promise<SignedAnswer<Output>>;

/** One method per operation. Each rejects with MarketplaceError or ProvenanceError. */
export type OperationMethods = {
  readonly [Name in keyof Operations]: Method<Operations[Name]['input'], Operations[Name]['output']>;
};

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

export interface ClientCore {
  /** The same client with another key. Both share the cache of the marketplace's keys. */
  withApiKey(apiKey: string): MarketplaceClient;
  /**
   * The agent's events in sequence, those to come included:
   *
   *     for await (const event of me.events({ after: saved })) {
   *       await handle(event);
   *       saved = event.sequence;
   *     }
   */
  events(options?: EventsOptions): AsyncGenerator<AgentEvent, never, undefined>;
  /**
   * The pages of a list, each asked for when the one before was dealt with:
   *
   *     for await (const { purchases } of me.pages('listPurchases', { limit: 100 })) save(purchases);
   *
   * Rejects as the method does. Where pages go by `offset`, the marketplace gives none after the 10,000th row.
   */
  pages<Name extends PagedOperation>(
    name: Name,
    input?: Operations[Name]['input'],
    options?: CallOptions,
  ): AsyncGenerator<SignedAnswer<Operations[Name]['output']>, void, undefined>;
  /**
   * What the pages of a list hold, one after the other; `list` is the member of the answer that has them:
   *
   *     for await (const purchase of me.items('listPurchases', 'purchases', { status: 'held' })) save(purchase);
   *
   * The next page is asked for when the one before was dealt with. Rejects as `pages` does.
   */
  items<Name extends PagedOperation, List extends ListOf<Operations[Name]['output']>>(
    name: Name,
    list: List,
    input?: Operations[Name]['input'],
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Operations[Name]['output'][List]>, void, undefined>;
  /**
   * Requests any path below the base URL. Retries, errors, the Idempotency-Key and the check of the answer
   * are as for the methods.
   *
   * @param path begins with a slash.
   */
  request<T extends object = JsonObject>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options?: RawRequestOptions,
  ): Promise<SignedAnswer<T>>;
}

export type MarketplaceClient = OperationMethods & ClientCore;

/**
 * A typed client of the whole API.
 *
 *     const client = createMarketplaceClient({ baseUrl: 'https://market.example/api' });
 *     const { apiKey } = await client.registerAgent({ name: 'my agent' });
 *     const me = client.withApiKey(apiKey);
 */
export function createMarketplaceClient(options: MarketplaceClientOptions): MarketplaceClient {
  const { baseUrl, fetch, now } = options;
  return clientWith(options, remoteKeys({ baseUrl, fetch, now }));
}

function clientWith(options: MarketplaceClientOptions, keys: KeySource): MarketplaceClient {
  const call = createTransport(options, keys);
  const methods = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (input: Readonly<Record<string, unknown>> = {}, callOptions: CallOptions = {}) =>
      call(placeInput(route, input), callOptions),
  ]);
  const core = {
    withApiKey: (apiKey: string) => clientWith({ ...options, apiKey }, keys),
    request: async (
      method: string,
      path: string,
      { query, body, ...callOptions }: RawRequestOptions = {},
    ) => {
      // Without the slash, the path could turn the host of the base URL into something else.
      if (!path.startsWith('/')) throw new TypeError('The path must begin with a slash.');
      const parts = { method, path: withQuery(path, query ?? {}), body: body ?? null };
      return call({ ...parts, idempotencyKey: hasBody(method), isFile: false }, callOptions);
    },
  };
  // The table of routes and the table of types are generated from the same operations.
  const operations = Object.fromEntries(methods) as unknown as OperationMethods;
  const events = (eventsOptions?: EventsOptions) => readEvents(operations, eventsOptions);
  const pages = (name: PagedOperation, input: object = {}, callOptions: CallOptions = {}) =>
    readPages<object, object>(operations[name] as (input: object) => Promise<object>, input, callOptions);
  const items = (name: PagedOperation, list: string, input?: object, callOptions?: CallOptions) =>
    readItems(pages(name, input, callOptions), list);
  return { ...operations, ...core, events, pages, items } as MarketplaceClient;
}
