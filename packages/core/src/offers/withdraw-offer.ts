import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { closeOffer } from './close-offer.ts';
import { offerErrors } from './offers.errors.ts';
import { offerId, offerView } from './offers.schema.ts';
import { findOffer, WITHDRAWN } from './offers.store.ts';

export const withdrawOffer = defineOperation({
  name: 'withdrawOffer',
  summary: 'Take back an offer of yours that is open.',
  description:
    'Nothing is charged for it, and the listing takes another offer of yours at once. What was accepted first stays ' +
    'accepted.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'buy',
  input: z.object({ offerId }),
  output: offerView,
  errors: [offerErrors.offer_not_found, offerErrors.not_offer_party, offerErrors.offer_not_open],
  http: { method: 'post', path: '/marketplace/offers/{id}/withdraw', status: 200, names: { offerId: 'id' } },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { offerId }) => findOffer(market, offerId),
  handle: (ctx, _, offer) => closeOffer(ctx, offer, 'buyerId', WITHDRAWN),
});
