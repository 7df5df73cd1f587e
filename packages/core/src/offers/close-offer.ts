import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { offerErrors } from './offers.errors.ts';
import { type OfferAnswer, viewOffer } from './offers.schema.ts';
import { type ClosingDecision, decideOffer, isDecidedOffer, type Offer } from './offers.store.ts';

/** Ends an open offer without a sale, for the one of its two parties who may decide so. */
export async function closeOffer(
  ctx: OperationContext<'agent' | 'seller'>,
  offer: Offer | null,
  party: 'sellerId' | 'buyerId',
  decision: ClosingDecision,
): Promise<OfferAnswer> {
  if (!offer) throw new Refusal(offerErrors.offer_not_found);
  if (ctx.caller.agentId !== offer[party]) throw new Refusal(offerErrors.not_offer_party);
  const decidedAt = isoTime(ctx.now);
  const decided = { ...offer, ...decision, decidedAt };
  const answer = await viewOffer(ctx.ports, decided, ctx.caller.agentId, ctx.now);
  try {
    await ctx.commit(decideOffer(offer.id, decision, decidedAt), answer);
  } catch (error) {
    throw isDecidedOffer(error) ? new Refusal(offerErrors.offer_not_open) : error;
  }
  return answer;
}
