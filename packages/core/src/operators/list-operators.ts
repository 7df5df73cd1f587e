import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { operatorRole, operatorView } from './operators.schema.ts';
import { readOperators } from './operators.store.ts';

/** For the operator: who else is one, and who oneself is. */
export const listOperators = defineOperation({
  name: 'listOperators',
  summary: 'All operators, also those that were revoked, and who you are.',
  description:
    'For the operator. Where `secretSetBy` is another operator, that one has seen the secret: set another with POST ' +
    '/admin/operators/{id}/secret.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({}),
  output: z.object({
    operators: z.array(operatorView),
    you: z.object({
      id: z.string().describe('`operator`: whoever has the secret of the deployment.'),
      name: z.string(),
      role: operatorRole,
    }),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/operators', status: 200 },
  rate: 'read',
  prefetch: ({ market }) => readOperators(market),
  async handle({ operator: { id, name, role } }, _input, operators) {
    return { operators, you: { id, name, role } };
  },
});
