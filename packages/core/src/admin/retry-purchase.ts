import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import {
  advanceSale,
  escrowErrors,
  findOwedReturn,
  isRetriable,
  purchaseId,
  requireSale,
  rescheduleCheck,
  resumeClock,
  saleStatus,
  scheduleCheck,
} from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';
import { auditPurchase, operatedPurchase, viewStatus } from './operated-purchase.ts';

/** For the operator: brings on now what the jobs would try later. */
export const retryPurchase = defineOperation({
  name: 'retryPurchase',
  summary: 'Try again now to release, refund or end a purchase that is overdue.',
  description:
    'For the operator. It does what the jobs do, under the same references: whatever was done before is not done twice. ' +
    '`status` says how far it got. USDC is moved by the job that runs every minute.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ purchaseId, reason: reasonField }),
  output: z.object({ purchaseId: z.uuid(), status: saleStatus }),
  errors: [escrowErrors.purchase_not_found, adminErrors.purchase_not_overdue],
  http: { method: 'post', path: '/admin/purchases/{id}/retry', status: 200, names: { purchaseId: 'id' } },
  rate: 'write',
  replay: ({ ports }, _outcome, { purchaseId }) => viewStatus(ports, String(purchaseId)),
  audit: auditPurchase,
  async handle(ctx, { purchaseId }) {
    const { ports } = ctx;
    const sale = await operatedPurchase(ports, purchaseId);
    const at = isoTime(ctx.now);
    const isReturnOwed = await findOwedReturn(ports.market, purchaseId);
    if (!isRetriable(sale, at) && !isReturnOwed) throw new Refusal(adminErrors.purchase_not_overdue);
    const check = isReturnOwed
      ? scheduleCheck(purchaseId, at)
      : rescheduleCheck(sale, at, sale.payment.attempts);
    await ctx.commit([check, resumeClock(purchaseId, at)], { purchaseId });
    await advanceSale(ports, await requireSale(ports.market, purchaseId), { by: 'decision' });
    return viewStatus(ports, purchaseId);
  },
});
