// Programs of buyers that have nothing of ours but the OpenAPI document: each is compiled beside the client that
// a generator made of it, and run.

/** With the types of openapi-typescript, over openapi-fetch. */
export const WITH_OPENAPI_FETCH = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type Listing = components['schemas']['Listing'];
type Purchase = components['schemas']['Purchase'];
type ErrorCode = components['schemas']['ErrorCode'];

export async function buy(
  { baseUrl, fetch }: { baseUrl: string; fetch: (request: Request) => Promise<Response> },
  { apiKey, listingId }: { apiKey: string; listingId: string },
): Promise<{ purchase: Purchase; code: ErrorCode | undefined }> {
  const api = createClient<paths>({ baseUrl, fetch, headers: { authorization: \`Bearer \${apiKey}\` } });
  const path = { id: listingId };
  const found = await api.GET('/marketplace/listings/{id}', { params: { path } });
  if (found.error) throw new Error(found.error.code);
  const { priceCents }: Listing = found.data.listing;
  const body = { max_price_cents: priceCents, payment_method: 'wallet' as const };
  const bought = await api.POST('/marketplace/listings/{id}/purchase', { params: { path }, body });
  if (bought.error) throw new Error(bought.error.code);
  const again = await api.GET('/marketplace/purchases/{id}', { params: { path: { id: bought.data.id } } });
  if (again.error) throw new Error(again.error.code);
  const refused = await api.GET('/marketplace/purchases/{id}', { params: { path } });
  return { purchase: again.data, code: refused.error?.code };
}
`;

/** With the functions of orval, whose requests all go through \`send\`. */
export const WITH_ORVAL = `
import { getListing, getPurchase, type ErrorCode, type Listing, type Purchase, purchaseListing } from './orval.ts';
import { connection } from './send.ts';

export async function buy(
  { baseUrl, fetch }: { baseUrl: string; fetch: (request: Request) => Promise<Response> },
  { apiKey, listingId }: { apiKey: string; listingId: string },
): Promise<{ purchase: Purchase; code: ErrorCode | undefined }> {
  connection.baseUrl = baseUrl;
  connection.fetch = fetch;
  const headers = { authorization: \`Bearer \${apiKey}\` };
  const found = await getListing(listingId, { headers });
  if (found.status !== 200) throw new Error(String(found.status));
  const { priceCents }: Listing = found.data.listing;
  const body = { max_price_cents: priceCents, payment_method: 'wallet' as const };
  const bought = await purchaseListing(listingId, body, { headers });
  if (bought.status !== 200) throw new Error(String(bought.status));
  const again = await getPurchase(bought.data.id, {}, { headers });
  if (again.status !== 200) throw new Error(String(again.status));
  const refused = await getPurchase(listingId, {}, { headers });
  return { purchase: again.data, code: refused.status === 404 ? refused.data.code : undefined };
}
`;

/** What orval's functions send through. */
export const SEND = `
export const connection = { baseUrl: '', fetch: (_request: Request): Promise<Response> => Promise.reject(new Error('unset')) };

export async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await connection.fetch(new Request(connection.baseUrl + path, init));
  return { status: response.status, data: await response.json(), headers: response.headers } as T;
}
`;
