import { insertInto } from '../db/insert-into.ts';
import { listings } from '../db/tables/listings.ts';
import { readSigned } from './read-signed.ts';
import type { TestMarketplace } from './workers-harness.ts';

export interface RegisteredAgent {
  readonly id: string;
  readonly apiKey: string;
  readonly createdAt: string;
  readonly connect: { readonly handle: string };
}

/** An agent of the marketplace, through the front door. */
export async function newAgentOf(
  market: TestMarketplace,
  body: Record<string, unknown> = { name: 'Private Name' },
): Promise<RegisteredAgent> {
  const response = await market.request('POST', '/agents/register', { body });
  return (await readSigned(response)).body as unknown as RegisteredAgent;
}

/** An agent that sells, and has neither endpoint nor listings. */
export async function newSellerOf(
  market: TestMarketplace,
  body: Record<string, unknown> = { name: 'Private Name' },
): Promise<RegisteredAgent> {
  const response = await market.request('POST', '/sell/register', { body });
  return (await readSigned(response)).body as unknown as RegisteredAgent;
}

/** Puts a listing that waits for its seller's endpoint straight into the database. Returns its id. */
export async function addPendingListing(
  market: TestMarketplace,
  sellerId: string,
  fields: Partial<typeof listings.$inferInsert> = {},
): Promise<string> {
  const { ids, market: db } = market.newPorts();
  const id = ids.uuid();
  const row: typeof listings.$inferInsert = {
    id,
    sellerId,
    sellerKind: 'third_party',
    status: 'pending',
    verticalSlug: 'market-data',
    title: 'A listing',
    description: 'What it holds.',
    preview: {},
    priceCents: 0,
    listingType: 'standard',
    fulfilment: 'digital',
    fingerprint: `sha256:${'0'.repeat(64)}`,
    historyDigest: `sha256:${'0'.repeat(64)}`,
    createdAt: '2026-06-01T12:00:00.000Z',
    ...fields,
  };
  await db.commit([insertInto(listings, row)]);
  return id;
}
