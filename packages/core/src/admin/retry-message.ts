import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { adminErrors } from './admin.errors.ts';
import { deleteDeadMessage, findDeadMessage } from './dead-messages.store.ts';

/** For the operator: a message that failed eight times. */
export const retryMessage = defineOperation({
  name: 'retryMessage',
  summary: 'Send a message of the queue again that failed eight times.',
  description:
    'For the operator, once what broke it is mended. A message is only a wake-up: what it was about the jobs have tried ' +
    'since, and do not do twice.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ messageId: z.string().max(64), reason: reasonField }),
  output: z.object({ messageId: z.string() }),
  errors: [adminErrors.message_not_found],
  http: { method: 'post', path: '/admin/messages/{id}/retry', status: 200, names: { messageId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ messageId, reason }) => ({ subject: { type: 'message', id: messageId }, reason }),
  async handle(ctx, { messageId }) {
    const { market, jobs, background } = ctx.ports;
    const dead = await findDeadMessage(market, messageId);
    if (dead === null) throw new Refusal(adminErrors.message_not_found);
    const answer = { messageId };
    await ctx.commit(deleteDeadMessage(messageId), answer);
    // If it is lost, the cron does its work within a minute.
    background.run(jobs.send(dead.message));
    return answer;
  },
});
