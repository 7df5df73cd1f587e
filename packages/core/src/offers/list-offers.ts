import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageOf, positionOf } from '../kernel/page-cursor.ts';
import { cursorFields } from '../kernel/page-fields.ts';
import { offerView, viewOffer } from './offers.schema.ts';
import { listOffersOf } from './offers.store.ts';

/** What an agent would have given for exclusive listings. Those that it was made are on its dashboard as a seller. */
export const listOffers = defineOperation({
  name: 'listOffers',
  summary: 'Offers that you made, newest first.',
  description: 'With how each stands. `nextCursor` is the `cursor` of the next page.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'read',
  input: z.object(cursorFields),
  output: z.object({
    limit: z.int(),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
    offers: z.array(
      offerView.extend({
        listingTitle: z.string().describe('As the listing has it now; written by its seller.'),
      }),
    ),
  }),
  errors: [],
  http: { method: 'get', path: '/marketplace/offers', status: 200 },
  rate: 'read',
  async handle({ ports, caller, now }, { cursor, limit }) {
    const after = positionOf(cursor);
    const found = await listOffersOf(ports.market, caller.agentId, { after, limit: limit + 1 });
    const { rows, nextCursor } = pageOf(found, limit);
    const offers = rows.map(async ({ listingTitle, ...offer }) => ({
      ...(await viewOffer(ports, offer, caller.agentId, now)),
      listingTitle,
    }));
    return { limit, nextCursor, offers: await Promise.all(offers) };
  },
});
