import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { measuredDay, readDaysMeasured } from '../../quality/index.ts';
import { requireNotBlocked } from '../blocks/require-not-blocked.ts';
import { listingErrors } from '../listings.errors.ts';
import { listingId } from '../listings.schema.ts';
import { findListing } from '../listings.store.ts';

export const getListingQuality = defineOperation({
  name: 'getListingQuality',
  summary: 'The measured deliveries of one listing, by day.',
  area: 'Listings',
  description:
    'What `measured` of the listing sums up. Each attempt is in it at once; `measured` follows within ten minutes.',
  auth: 'none',
  input: z.object({ listingId }),
  output: z.object({
    days: z
      .array(measuredDay)
      .describe('Oldest first, without days that had no attempt; empty under 5 attempts in all.'),
    from: z.iso.date(),
    listingId: z.uuid(),
    until: z.iso.date().describe('Today, in UTC.'),
  }),
  errors: [listingErrors.listing_not_found, listingErrors.listing_blocked],
  http: {
    method: 'get',
    path: '/marketplace/listings/{id}/quality',
    status: 200,
    names: { listingId: 'id' },
  },
  rate: 'read',
  lag: 'The newest measurement.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 3600 },
  prefetch: (ports, { listingId }) =>
    Promise.all([findListing(ports.market, listingId), readDaysMeasured(ports, listingId)]),
  async handle(_ctx, { listingId }, [listing, { days, from, until }]) {
    if (!listing) throw new Refusal(listingErrors.listing_not_found);
    requireNotBlocked(listing);
    return { days: [...days], from, listingId, until };
  },
});
