import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { offerErrors } from './offers.errors.ts';
import { offerId, offerView, viewOffer } from './offers.schema.ts';
import { decideOffer, findOffer, isDecidedOffer } from './offers.store.ts';

export const declineOffer = defineOperation({
  name: 'declineOffer',
  summary: 'Decline an offer on your exclusive listing.',
  area: 'Selling',
  auth: 'seller',
  input: z.object({ offerId }),
  output: offerView,
  errors: [offerErrors.offer_not_found, offerErrors.not_offer_party, offerErrors.offer_not_open],
  http: { method: 'post', path: '/sell/offers/{id}/decline', status: 200, names: { offerId: 'id' } },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { offerId }) => findOffer(market, offerId),
  async handle(ctx, { offerId }, offer) {
    if (!offer) throw new Refusal(offerErrors.offer_not_found);
    if (ctx.caller.agentId !== offer.sellerId) throw new Refusal(offerErrors.not_offer_party);
    const decidedAt = isoTime(ctx.now);
    const declined = { ...offer, status: 'declined' as const, decidedAt };
    const answer = await viewOffer(ctx.ports, declined, ctx.caller.agentId, ctx.now);
    try {
      await ctx.commit(decideOffer(offerId, { status: 'declined' }, decidedAt), answer);
    } catch (error) {
      throw isDecidedOffer(error) ? new Refusal(offerErrors.offer_not_open) : error;
    }
    return answer;
  },
});
