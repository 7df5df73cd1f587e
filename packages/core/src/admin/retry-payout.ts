import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { findBatch, makeBatchDue } from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';

/** For the operator: a payout in USDC that is not on the chain yet. */
export const retryPayout = defineOperation({
  name: 'retryPayout',
  summary: 'Try again now to send a payout in USDC that is overdue.',
  description:
    'For the operator. The job that runs every minute sends it, under the reference that it has for life: it is paid ' +
    'once, however often it is asked for.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ payoutId: id, reason: reasonField }),
  output: z.object({ payoutId: z.uuid(), status: z.enum(['sending', 'paid', 'refused']) }),
  errors: [adminErrors.payout_not_found, adminErrors.payout_not_overdue],
  http: { method: 'post', path: '/admin/payouts/{id}/retry', status: 200, names: { payoutId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ payoutId, reason }) => ({ subject: { type: 'payout', id: payoutId }, reason }),
  async handle(ctx, { payoutId }) {
    const batch = await findBatch(ctx.ports.market, payoutId);
    if (batch === null) throw new Refusal(adminErrors.payout_not_found);
    const { status } = batch;
    if (status !== 'sending') throw new Refusal(adminErrors.payout_not_overdue);
    const answer = { payoutId, status };
    await ctx.commit([makeBatchDue(payoutId, isoTime(ctx.now))], answer);
    return answer;
  },
});
