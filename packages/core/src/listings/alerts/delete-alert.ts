import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { alertErrors, alertId } from './alerts.schema.ts';
import { deleteAlertOf, hasAlert } from './alerts.store.ts';

export const deleteAlert = defineOperation({
  name: 'deleteAlert',
  summary: 'Wait for a search no more.',
  area: 'Listings',
  auth: 'agent',
  scope: ['buy', 'manage'],
  input: z.object({ alertId }),
  output: z.object({ id: z.uuid() }),
  errors: [alertErrors.alert_not_found],
  http: { method: 'delete', path: '/agents/me/alerts/{id}', status: 200, names: { alertId: 'id' } },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { alertId: id }) {
    const { ports, caller } = ctx;
    if (!(await hasAlert(ports.market, caller.agentId, id))) throw new Refusal(alertErrors.alert_not_found);
    const answer = { id };
    await ctx.commit([deleteAlertOf(caller.agentId, id)], answer);
    return answer;
  },
});
