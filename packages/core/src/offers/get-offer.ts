import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { offerErrors } from './offers.errors.ts';
import { offerId, offerView, viewOffer } from './offers.schema.ts';
import { findOffer } from './offers.store.ts';

export const getOffer = defineOperation({
  name: 'getOffer',
  summary: 'An offer that you made or were made.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'read',
  input: z.object({ offerId }),
  output: offerView,
  errors: [offerErrors.offer_not_found, offerErrors.not_offer_party],
  http: { method: 'get', path: '/marketplace/offers/{id}', status: 200, names: { offerId: 'id' } },
  rate: 'read',
  prefetch: ({ market }, { offerId }) => findOffer(market, offerId),
  async handle({ ports, caller, now }, _input, offer) {
    if (!offer) throw new Refusal(offerErrors.offer_not_found);
    if (caller.agentId !== offer.buyerId && caller.agentId !== offer.sellerId)
      throw new Refusal(offerErrors.not_offer_party);
    return viewOffer(ports, offer, caller.agentId, now);
  },
});
