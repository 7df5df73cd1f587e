import * as z from 'zod';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import {
  buyerNotice,
  escrowErrors,
  holdSale,
  isStatusConflict,
  notInEscrow,
  purchaseId,
  sellerEvent,
} from '../sales/index.ts';
import { auditPurchase, operatedPurchase } from './operated-purchase.ts';

/** For the operator: stops the clock of a sale while somebody looks into it. */
export const holdPurchase = defineOperation({
  name: 'holdPurchase',
  summary: 'Keep the money of a purchase in escrow until the hold is lifted.',
  description:
    'For the operator. The time in escrow does not end meanwhile; buyer and seller are told, without the reason. A ' +
    'refund can still be made.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ purchaseId, reason: reasonField }),
  output: z.object({ heldAt: z.iso.datetime(), purchaseId: z.uuid() }),
  errors: [escrowErrors.purchase_not_found, escrowErrors.not_in_escrow, escrowErrors.not_in_escrow_yet],
  http: { method: 'post', path: '/admin/purchases/{id}/hold', status: 200, names: { purchaseId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: auditPurchase,
  async handle(ctx, { purchaseId }) {
    const { ports } = ctx;
    const sale = await operatedPurchase(ports, purchaseId);
    const { operatorHold } = sale;
    if (operatorHold?.liftedAt === null && !operatorHold.bySuspension)
      return { heldAt: operatorHold.heldAt, purchaseId };
    const heldAt = isoTime(ctx.now);
    const answer = { heldAt, purchaseId };
    try {
      await ctx.commit(
        [
          ...holdSale(purchaseId, heldAt),
          ...buyerNotice(ports, sale, 'on_hold', heldAt),
          ...sellerEvent(ports, sale, 'sale.held', heldAt, { reason: 'on_hold' }),
        ],
        answer,
      );
    } catch (error) {
      throw isStatusConflict(error) ? await notInEscrow(ports, purchaseId) : error;
    }
    return answer;
  },
});
