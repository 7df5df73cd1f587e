import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import {
  advanceSale,
  type Decision,
  DISPUTE_REFUND_REASON,
  decideDisputeStatements,
  disputeDecidedEvents,
  escrowErrors,
  findSale,
  isDecidedBefore,
  isRefundable,
  purchaseId,
  refundStatements,
  requireSale,
  type SaleStatus,
  saleStatus,
} from '../sales/index.ts';

interface DecidedDispute {
  readonly decidedAt: string;
  readonly decision: Decision;
  readonly purchaseId: string;
}

/** For the operator: where the money of a disputed sale goes. */
export const decideDispute = defineOperation({
  name: 'decideDispute',
  summary: 'Decide a dispute: the money goes back to the buyer, or on to the seller.',
  description:
    'For the operator. The decision stands; the money moves at once, or as soon as the card processor, the chain and ' +
    "the seller's payouts allow. `status` and `money` say how far it got. USDC is moved by the job that runs every minute.",
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ purchaseId, decision: z.enum(['refund', 'release']), reason: reasonField.optional() }),
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
    const decided = outcome as unknown as DecidedDispute;
    const sale = await findSale(ports.market, decided.purchaseId);
    return viewDecided(decided, sale?.status ?? 'held');
  },
  audit: ({ purchaseId, reason }) => ({ subject: { type: 'purchase', id: purchaseId }, reason }),
  async handle(ctx, { purchaseId, decision }) {
    const { ports } = ctx;
    const sale = await findSale(ports.market, purchaseId);
    if (!sale?.dispute) throw new Refusal(escrowErrors.dispute_not_found);
    if (sale.dispute.decision !== null || sale.status !== 'held')
      throw new Refusal(escrowErrors.dispute_decided);
    if (decision === 'refund' && !isRefundable(sale, ports))
      throw new Refusal(escrowErrors.refund_not_possible);

    const decidedAt = isoTime(ctx.now);
    const decided: DecidedDispute = { decidedAt, decision, purchaseId };
    const statements = [
      ...decideDisputeStatements(purchaseId, decision, decidedAt),
      ...(decision === 'refund' ? refundStatements(ports, sale, DISPUTE_REFUND_REASON, decidedAt) : []),
      ...disputeDecidedEvents(ports, sale, decision, 'operator', decidedAt),
    ];
    try {
      await ctx.commit(statements, decided);
    } catch (error) {
      if (isDecidedBefore(error)) throw new Refusal(escrowErrors.dispute_decided);
      throw error;
    }
    // The escrow clock would do the rest within a minute, and does if this is cut short.
    await advanceSale(ports, await requireSale(ports.market, purchaseId), { by: 'decision' });
    const { status } = await requireSale(ports.market, purchaseId);
    return viewDecided(decided, status);
  },
});

function viewDecided({ decidedAt, decision, purchaseId }: DecidedDispute, status: SaleStatus) {
  const isMoved = status === (decision === 'refund' ? 'refunded' : 'released');
  const money = isMoved ? ('moved' as const) : ('under_way' as const);
  return { decidedAt, decision, money, purchaseId, status };
}
