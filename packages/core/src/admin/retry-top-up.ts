import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { CardProcessorError } from '../kernel/ports/card-processor.ts';
import type { Database } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import {
  findTopUp,
  isRefundUnderWay,
  rescheduleTopUp,
  settleTopUp,
  settleTopUpRefunds,
  type TopUp,
} from '../wallet/index.ts';
import { adminErrors } from './admin.errors.ts';

/** For the operator: a top-up that the processor says nothing of, or whose payment is to go back. */
export const retryTopUp = defineOperation({
  name: 'retryTopUp',
  summary: 'Ask the card processor again now what became of a top-up, or send its payment back again.',
  description:
    'For the operator. What was credited or refunded before is not credited or refunded twice. `isSettled` says whether ' +
    'nothing is left to do.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ topUpId: id, reason: reasonField }),
  output: z.object({
    isSettled: z.boolean(),
    status: z.enum(['open', 'paid', 'expired', 'failed']),
    topUpId: z.uuid(),
  }),
  errors: [
    adminErrors.top_up_not_found,
    adminErrors.top_up_not_overdue,
    adminErrors.card_processor_unavailable,
  ],
  http: { method: 'post', path: '/admin/top-ups/{id}/retry', status: 200, names: { topUpId: 'id' } },
  rate: 'write',
  replay: ({ ports }, _outcome, { topUpId }) => viewTopUp(ports.market, String(topUpId)),
  audit: ({ topUpId, reason }) => ({ subject: { type: 'top_up', id: topUpId }, reason }),
  async handle(ctx, { topUpId }) {
    const { ports } = ctx;
    const topUp = await requireTopUp(ports.market, topUpId);
    if (await isSettled(ports.market, topUp)) throw new Refusal(adminErrors.top_up_not_overdue);
    await ctx.commit([rescheduleTopUp(topUpId, isoTime(ctx.now))], { topUpId });
    const { paymentId } = topUp;
    try {
      await settleTopUp(ports, paymentId === null ? { topUpId } : { paymentId }, { isRetry: true });
      await settleTopUpRefunds(ports, topUpId);
    } catch (error) {
      throw error instanceof CardProcessorError ? new Refusal(adminErrors.card_processor_unavailable) : error;
    }
    return viewTopUp(ports.market, topUpId);
  },
});

const isSettled = async (market: Database, { id: topUpId, status, returnOwedSince }: TopUp) =>
  status !== 'open' && returnOwedSince === null && !(await isRefundUnderWay(market, topUpId));

async function requireTopUp(market: Database, topUpId: string): Promise<TopUp> {
  const topUp = await findTopUp(market, topUpId);
  if (topUp === null) throw new Refusal(adminErrors.top_up_not_found);
  return topUp;
}

async function viewTopUp(market: Database, topUpId: string) {
  const topUp = await requireTopUp(market, topUpId);
  return { isSettled: await isSettled(market, topUp), status: topUp.status, topUpId };
}
