import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import {
  buyerNotice,
  escrowErrors,
  isNotHeld,
  liftKnownHold,
  purchaseId,
  sellerEvent,
} from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';
import { auditPurchase, operatedPurchase } from './operated-purchase.ts';

/** For the operator: the end of a hold. */
export const liftHold = defineOperation({
  name: 'liftHold',
  summary: 'Lift the hold of a purchase: its time in escrow goes on.',
  description: 'For the operator. What is due by then goes to the seller with the next turn of the clock.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ purchaseId, reason: reasonField }),
  output: z.object({ liftedAt: z.iso.datetime(), purchaseId: z.uuid() }),
  errors: [escrowErrors.purchase_not_found, adminErrors.purchase_not_on_hold],
  http: { method: 'post', path: '/admin/purchases/{id}/hold/lift', status: 200, names: { purchaseId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: auditPurchase,
  async handle(ctx, { purchaseId }) {
    const { ports } = ctx;
    const sale = await operatedPurchase(ports, purchaseId);
    const liftedAt = isoTime(ctx.now);
    const answer = { liftedAt, purchaseId };
    try {
      await ctx.commit(
        [
          ...liftKnownHold(purchaseId, liftedAt),
          ...buyerNotice(ports, sale, 'hold_lifted', liftedAt),
          ...sellerEvent(ports, sale, 'sale.held', liftedAt, { reason: 'hold_lifted' }),
        ],
        answer,
      );
    } catch (error) {
      throw isNotHeld(error) ? new Refusal(adminErrors.purchase_not_on_hold) : error;
    }
    return answer;
  },
});
