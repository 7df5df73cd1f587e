import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { type Decision, decideDispute, findDispute, isDecidedBefore } from './disputes.store.ts';
import { escrowErrors } from './escrow.errors.ts';
import { purchaseId, saleStatus } from './escrow.schema.ts';
import { finishRefund, isRefundable, refundStatements, withRefund } from './refund-purchase.ts';
import type { SaleStatus } from './sale.ts';
import { findSale } from './sales.store.ts';
import { releaseShare } from './transfer-share.ts';

const REFUND_REASON = 'dispute';

interface Decided {
  readonly decidedAt: string;
  readonly decision: Decision;
  readonly purchaseId: string;
}

/** For the operator: where the money of a disputed sale goes. */
export const decideDisputeOperation = defineOperation({
  name: 'decideDispute',
  summary: 'Decide a dispute: the money goes back to the buyer, or on to the seller.',
  description:
    'For the operator. The decision stands; the money moves at once, or as soon as the card processor, the chain and ' +
    "the seller's payouts allow. `status` and `money` say how far it got. USDC is moved by the job that runs every minute.",
  area: 'Purchasing',
  auth: 'operator',
  input: z.object({ purchaseId, decision: z.enum(['refund', 'release']) }),
  output: z.object({
    decidedAt: z.iso.datetime(),
    decision: z.enum(['refund', 'release']),
    money: z
      .enum(['moved', 'under_way'])
      .describe(
        '`under_way`: it moves without being asked for again, and is tried until it has. The log says what keeps it: ' +
          '`refund_refused`, `refund_delayed`, `payout_refused`, `payout_delayed`.',
      ),
    purchaseId: z.uuid(),
    status: saleStatus,
  }),
  errors: [escrowErrors.dispute_not_found, escrowErrors.dispute_decided, escrowErrors.refund_not_possible],
  http: { method: 'post', path: '/admin/disputes/{id}/decision', status: 200, names: { purchaseId: 'id' } },
  rate: 'write',
  async replay({ ports }, outcome) {
    const decided = outcome as unknown as Decided;
    const sale = await findSale(ports.market, decided.purchaseId);
    return viewDecided(decided, sale?.status ?? 'held');
  },
  async handle(ctx, { purchaseId, decision }) {
    const { ports } = ctx;
    const [dispute, sale] = await Promise.all([
      findDispute(ports.market, purchaseId),
      findSale(ports.market, purchaseId),
    ]);
    if (!dispute || !sale) throw new Refusal(escrowErrors.dispute_not_found);
    if (dispute.decision !== null || sale.status !== 'held') throw new Refusal(escrowErrors.dispute_decided);
    if (decision === 'refund' && !isRefundable(sale, ports))
      throw new Refusal(escrowErrors.refund_not_possible);

    const decidedAt = isoTime(ctx.now);
    const decided: Decided = { decidedAt, decision, purchaseId };
    const statements = [
      ...decideDispute(purchaseId, decision, decidedAt),
      ...(decision === 'refund' ? refundStatements(ports, sale, REFUND_REASON, decidedAt) : []),
    ];
    try {
      await ctx.commit(statements, decided);
    } catch (error) {
      if (isDecidedBefore(error)) throw new Refusal(escrowErrors.dispute_decided);
      throw error;
    }
    // The escrow clock would do the rest within a minute, and does if this is cut short.
    const moved =
      decision === 'refund'
        ? finishRefund(ports, withRefund(sale, REFUND_REASON, decidedAt))
        : releaseShare(ports, sale);
    await moved.catch((error) => ports.log.error('escrow_delayed', { purchaseId, message: String(error) }));
    const after = await findSale(ports.market, purchaseId);
    return viewDecided(decided, after?.status ?? sale.status);
  },
});

function viewDecided({ decidedAt, decision, purchaseId }: Decided, status: SaleStatus) {
  const isMoved = status === (decision === 'refund' ? 'refunded' : 'released');
  const money = isMoved ? ('moved' as const) : ('under_way' as const);
  return { decidedAt, decision, money, purchaseId, status };
}
