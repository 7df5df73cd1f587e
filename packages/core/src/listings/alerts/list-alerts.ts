import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { alertView, viewAlert } from './alerts.schema.ts';
import { listAlertsOf } from './alerts.store.ts';

export const listAlerts = defineOperation({
  name: 'listAlerts',
  summary: 'The searches that you wait to be told of, newest first.',
  description: 'With what was found: an alert that is over is shown for 30 days.',
  area: 'Listings',
  auth: 'agent',
  scope: 'read',
  input: z.object({}),
  output: z.object({ alerts: z.array(alertView) }),
  errors: [],
  http: { method: 'get', path: '/agents/me/alerts', status: 200 },
  rate: 'read',
  async handle({ ports, caller }) {
    return { alerts: (await listAlertsOf(ports.market, caller.agentId)).map(viewAlert) };
  },
});
