import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import {
  advanceSale,
  closeDispute,
  escrowErrors,
  isRefundable,
  isStatusConflict,
  liftHold,
  notInEscrow,
  purchaseId,
  refundStatements,
  requireSale,
  saleStatus,
} from '../sales/index.ts';
import { auditPurchase, operatedPurchase, viewStatus } from './operated-purchase.ts';

/** What the seller reads; the operator's own words are in the audit chain alone. */
const REFUND_REASON = 'marketplace';

/** For the operator: a refund that no buyer had to ask for. */
export const refundPurchase = defineOperation({
  name: 'refundPurchase',
  summary: 'Refund a purchase whose money is in escrow, without a dispute.',
  description:
    'For the operator, on every rail. It ends an open dispute and a hold, and is made once, however often it is asked ' +
    'for. USDC is moved by the job that runs every minute.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ purchaseId, reason: reasonField }),
  output: z.object({ purchaseId: z.uuid(), status: saleStatus }),
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_in_escrow,
    escrowErrors.not_in_escrow_yet,
    escrowErrors.refund_not_possible,
  ],
  http: { method: 'post', path: '/admin/purchases/{id}/refund', status: 200, names: { purchaseId: 'id' } },
  rate: 'write',
  replay: ({ ports }, _outcome, { purchaseId }) => viewStatus(ports, String(purchaseId)),
  audit: auditPurchase,
  async handle(ctx, { purchaseId }) {
    const { ports } = ctx;
    const sale = await operatedPurchase(ports, purchaseId);
    const isRequested = sale.payment.refundRequestedAt !== null;
    if (sale.status === 'refunded') return { purchaseId, status: sale.status };
    if (sale.status !== 'held') throw await notInEscrow(ports, purchaseId);
    if (!isRefundable(sale, ports)) throw new Refusal(escrowErrors.refund_not_possible);
    if (!isRequested) {
      const at = isoTime(ctx.now);
      try {
        await ctx.commit(
          [
            ...refundStatements(ports, sale, REFUND_REASON, at),
            closeDispute(purchaseId, 'refund', 'operator', at),
            liftHold(purchaseId, at),
          ],
          { purchaseId },
          { after: { refundRequestedAt: at } },
        );
      } catch (error) {
        throw isStatusConflict(error) ? await notInEscrow(ports, purchaseId) : error;
      }
    }
    await advanceSale(ports, await requireSale(ports.market, purchaseId), { by: 'decision' });
    return viewStatus(ports, purchaseId);
  },
});
