import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import {
  advanceSale,
  escrowErrors,
  findSale,
  isRetriable,
  purchaseId,
  requireSale,
  rescheduleCheck,
  saleStatus,
} from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';

/** For the operator: brings on now what the jobs would try later. */
export const retryPurchase = defineOperation({
  name: 'retryPurchase',
  summary: 'Try again now to release, refund or end a purchase that is overdue.',
  description:
    'For the operator. It does what the jobs do, under the same references: whatever was done before is not done twice. ' +
    '`status` says how far it got.',
  area: 'Purchasing',
  auth: 'operator',
  input: z.object({ purchaseId, reason: reasonField }),
  output: z.object({ purchaseId: z.uuid(), status: saleStatus }),
  errors: [escrowErrors.purchase_not_found, adminErrors.purchase_not_overdue],
  http: { method: 'post', path: '/admin/purchases/{id}/retry', status: 200, names: { purchaseId: 'id' } },
  rate: 'write',
  replay: async ({ ports }, _outcome, { purchaseId: id }) => {
    const { status } = await requireSale(ports.market, String(id));
    return { purchaseId: String(id), status };
  },
  audit: ({ purchaseId, reason }) => ({ subject: { type: 'purchase', id: purchaseId }, reason }),
  async handle(ctx, { purchaseId }) {
    const { ports } = ctx;
    const sale = await findSale(ports.market, purchaseId);
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    const at = isoTime(ctx.now);
    if (!isRetriable(sale, at)) throw new Refusal(adminErrors.purchase_not_overdue);
    await ctx.commit([rescheduleCheck(sale, at, sale.payment.attempts)], { purchaseId });
    await advanceSale(ports, await requireSale(ports.market, purchaseId), { by: 'decision' });
    const { status } = await requireSale(ports.market, purchaseId);
    return { purchaseId, status };
  },
});
