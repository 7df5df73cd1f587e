import * as z from 'zod';
import { arePayoutsConnected, parseClaimToken, readOwnRecord, resolveClaimToken } from '../agents/index.ts';
import { findEndpoint } from '../delivery/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import type { Database } from '../kernel/ports/database.ts';
import { meter, priceMicros } from '../listings/index.ts';
import { sellingErrors } from './selling.errors.ts';
import { listPendingListings } from './selling.store.ts';

const MAX_LISTINGS = 100;

/** What the claim page shows to the person behind a seller. */
export const getClaim = defineOperation({
  name: 'getClaim',
  summary: 'What a seller still needs before it can sell, by claim link.',
  description: 'Needs no key: anyone who has the link may see this.',
  area: 'Selling',
  auth: 'none',
  input: z.object({ token: z.string().max(200).describe('The last part of the claimUrl.') }),
  output: z.object({
    endpoint: z
      .object({ callbackType: z.enum(['webhook', 'polling', 'mcp']), verified: z.literal(true) })
      .nullable()
      .describe('Null until a delivery endpoint is verified.'),
    expiresAt: z.iso.datetime().describe('When the link expires.'),
    payouts: z.object({ connected: z.boolean() }),
    pendingListings: z
      .array(z.object({ id: z.uuid(), priceCents: z.int(), priceMicros, meter, title: z.string() }))
      .describe(`The oldest ${MAX_LISTINGS} that are not live yet.`),
    seller: z.object({ displayName: z.string().nullable(), label: z.string() }),
  }),
  errors: [sellingErrors.claim_not_found],
  http: { method: 'get', path: '/sell/claims/{token}', status: 200 },
  rate: 'read',
  async handle({ ports, now }, { token }) {
    // The token names the seller, so one round trip reads the page and checks the token.
    const named = parseClaimToken(token);
    if (!named) throw new Refusal(sellingErrors.claim_not_found);
    const [claim, page] = await Promise.all([
      resolveClaimToken(ports, token, now),
      readPage(ports.market, named.sellerId),
    ]);
    if (!claim || !page) throw new Refusal(sellingErrors.claim_not_found);
    const { endpoint, payouts, pendingListings, seller } = page;
    return { endpoint, expiresAt: claim.expiresAt, payouts, pendingListings, seller };
  },
});

async function readPage(db: Database, sellerId: string) {
  const [record, endpoint, connected, pendingListings] = await Promise.all([
    readOwnRecord(db, sellerId),
    findEndpoint(db, sellerId),
    arePayoutsConnected(db, sellerId),
    listPendingListings(db, sellerId, MAX_LISTINGS),
  ]);
  if (!record) return null;
  return {
    endpoint: endpoint && { callbackType: endpoint.callbackType, verified: true as const },
    payouts: { connected },
    pendingListings,
    seller: { displayName: record.displayName, label: record.sellerLabel },
  };
}
