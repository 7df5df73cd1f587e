import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { changeListing } from './change-listing.ts';
import { listingErrors } from './listings.errors.ts';
import { listingId, reason } from './listings.schema.ts';
import { findListing } from './listings.store.ts';
import { changedListingAnswer } from './tools/brief-listing.rules.ts';
import { changedListing } from './update-listing.ts';

/** Clause: States and transitions, Listing: active → inactive. */
export const deactivateListing = defineOperation({
  name: 'deactivateListing',
  summary: 'Take a listing off the market; updateListing with active=true puts it back.',
  area: 'Listings',
  auth: 'agent',
  scope: 'sell',
  input: z.object({ listingId, reason }),
  publicFields: ['reason'],
  output: changedListing,
  errors: [
    listingErrors.listing_not_found,
    listingErrors.not_listing_owner,
    listingErrors.listing_blocked,
    listingErrors.listing_changed,
  ],
  http: {
    method: 'post',
    path: '/marketplace/listings/{id}/deactivate',
    status: 200,
    names: { listingId: 'id' },
  },
  mcp: {
    tool: 'deactivate_listing',
    title: 'Take a listing off the market',
    description:
      'Take your own listing off the market; what was sold stays sold. Free. update_listing with `active: true` ' +
      'puts it back.',
    answer: changedListingAnswer,
    hints: { readOnly: false, destructive: true, idempotent: true },
  },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { listingId }) => findListing(market, listingId),
  handle: (ctx, { reason }, listing) => changeListing(ctx, listing, { active: false, reason }),
});
