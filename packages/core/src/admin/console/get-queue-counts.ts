import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { readWaiting, waitingView } from './waiting.ts';

/** For the operator: how much waits in each queue. Nobody outside is asked for it. */
export const getQueueCounts = defineOperation({
  name: 'getQueueCounts',
  summary: 'How many things wait for an operator, by queue.',
  description: 'For the operator. Of overdue money at most 500 of each source are counted.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({}),
  output: z.object({ waiting: waitingView }),
  errors: [],
  http: { method: 'get', path: '/admin/queues', status: 200 },
  rate: 'read',
  async handle({ ports, now }) {
    const { waiting } = await readWaiting(ports.market, now);
    return { waiting };
  },
});
