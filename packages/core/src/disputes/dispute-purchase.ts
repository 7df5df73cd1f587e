import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import {
  countRejectedDisputes,
  decideBy,
  escrowErrors,
  findSale,
  hasNoDisputeRoom,
  isDisputedBefore,
  isStatusConflict,
  mostOpenDisputes,
  notDisputable,
  openDispute,
  pageToken,
  purchaseId,
  rejectedSince,
  requireBuyer,
  sellerEvent,
} from '../sales/index.ts';
import { disputeFields } from './disputes.schema.ts';

/** The buyer's word against a sale while its money is in escrow. */
export const disputePurchase = defineOperation({
  name: 'disputePurchase',
  summary: 'Dispute a purchase while its money is in escrow.',
  description:
    'Stops the escrow clock until the operator decides: the money goes back to you, or to the seller. Undecided after ' +
    '14 days (`decideBy`), it goes to the seller if the delivery conformed to its receipt, else to you. The ' +
    'reason is read by the operator; the seller is told that you dispute, and not why. A purchase is disputed once, ' +
    'while its status is `held`.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'buy',
  input: z.object({
    purchaseId,
    reason: linesOf(2000).describe('What is wrong with what you got.'),
    token: pageToken,
  }),
  output: z.object(disputeFields),
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_purchase_owner,
    escrowErrors.purchase_link_expired,
    escrowErrors.not_in_escrow,
    escrowErrors.not_in_escrow_yet,
    escrowErrors.dispute_open,
    escrowErrors.dispute_decided,
    escrowErrors.dispute_limit,
  ],
  http: {
    method: 'post',
    path: '/marketplace/purchases/{id}/dispute',
    status: 200,
    names: { purchaseId: 'id' },
  },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { purchaseId }) => findSale(market, purchaseId),
  async handle(ctx, { purchaseId, reason, token }, sale) {
    if (!sale || sale.amountCents === 0) throw new Refusal(escrowErrors.purchase_not_found);
    await requireBuyer(ctx.ports, sale, ctx.caller, token);
    const openedAt = isoTime(ctx.now);
    const by = decideBy(openedAt);
    const dispute = {
      decideBy: by,
      decidedAt: null,
      decidedBy: null,
      decision: null,
      openedAt,
      purchaseId,
      reason,
    };
    const { buyerId } = sale;
    const rejected = await countRejectedDisputes(ctx.ports.market, buyerId, rejectedSince(ctx.now));
    const statements = [
      ...openDispute({ purchaseId, buyerId, reason, openedAt, decideBy: by }, mostOpenDisputes(rejected)),
      ...sellerEvent(ctx.ports, { ...sale, status: 'held' }, 'sale.disputed', openedAt),
    ];
    try {
      await ctx.commit(statements, dispute);
    } catch (error) {
      if (hasNoDisputeRoom(error)) throw new Refusal(escrowErrors.dispute_limit);
      if (isStatusConflict(error) || isDisputedBefore(error))
        throw await notDisputable(ctx.ports, purchaseId);
      throw error;
    }
    return dispute;
  },
});
