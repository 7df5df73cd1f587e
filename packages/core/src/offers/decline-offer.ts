import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { closeOffer } from './close-offer.ts';
import { offerErrors } from './offers.errors.ts';
import { offerId, offerView } from './offers.schema.ts';
import { DECLINED, findOffer } from './offers.store.ts';

export const declineOffer = defineOperation({
  name: 'declineOffer',
  summary: 'Decline an offer on your exclusive listing.',
  area: 'Selling',
  auth: 'seller',
  scope: 'sell',
  input: z.object({ offerId }),
  output: offerView,
  errors: [offerErrors.offer_not_found, offerErrors.not_offer_party, offerErrors.offer_not_open],
  http: { method: 'post', path: '/sell/offers/{id}/decline', status: 200, names: { offerId: 'id' } },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { offerId }) => findOffer(market, offerId),
  handle: (ctx, _, offer) => closeOffer(ctx, offer, 'sellerId', DECLINED),
});
