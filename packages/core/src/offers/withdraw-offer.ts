import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { offerErrors } from './offers.errors.ts';
import { offerId, offerView, viewOffer } from './offers.schema.ts';
import { decideOffer, findOffer, isDecidedOffer, WITHDRAWN } from './offers.store.ts';

export const withdrawOffer = defineOperation({
  name: 'withdrawOffer',
  summary: 'Take back an offer of yours that is open.',
  description:
    'Nothing is charged for it, and the listing takes another offer of yours at once. What was accepted first stays ' +
    'accepted.',
  area: 'Purchasing',
  auth: 'agent',
  input: z.object({ offerId }),
  output: offerView,
  errors: [offerErrors.offer_not_found, offerErrors.not_offer_party, offerErrors.offer_not_open],
  http: { method: 'post', path: '/marketplace/offers/{id}/withdraw', status: 200, names: { offerId: 'id' } },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { offerId }) => findOffer(market, offerId),
  async handle(ctx, { offerId }, offer) {
    if (!offer) throw new Refusal(offerErrors.offer_not_found);
    if (ctx.caller.agentId !== offer.buyerId) throw new Refusal(offerErrors.not_offer_party);
    const decidedAt = isoTime(ctx.now);
    const withdrawn = { ...offer, ...WITHDRAWN, decidedAt };
    const answer = await viewOffer(ctx.ports, withdrawn, ctx.caller.agentId, ctx.now);
    try {
      await ctx.commit(decideOffer(offerId, WITHDRAWN, decidedAt), answer);
    } catch (error) {
      throw isDecidedOffer(error) ? new Refusal(offerErrors.offer_not_open) : error;
    }
    return answer;
  },
});
