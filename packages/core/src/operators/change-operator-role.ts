import * as z from 'zod';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { operatorErrors } from './operators.errors.ts';
import { operatorId, operatorRole, operatorView } from './operators.schema.ts';
import { setRole } from './operators.store.ts';
import { refusalOfChange, requireLiveOperator } from './require-operator-row.ts';

/** For the operator: what another may do from now on. */
export const changeOperatorRole = defineOperation({
  name: 'changeOperatorRole',
  summary: 'Change the role of an operator.',
  description: 'For the operator. It holds from the next request on, in every Worker.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({ operatorId, role: operatorRole, reason: reasonField }),
  output: operatorView,
  errors: [operatorErrors.operator_not_found, operatorErrors.operator_revoked, operatorErrors.last_admin],
  http: { method: 'patch', path: '/admin/operators/{id}', status: 200, names: { operatorId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ operatorId, reason }) => ({ subject: { type: 'operator', id: operatorId }, reason }),
  async handle({ ports, operator, commit }, { operatorId, role }) {
    const found = await requireLiveOperator(ports, operatorId);
    if (found.role === role) return found;
    const answer = { ...found, role };
    try {
      await commit(setRole(operatorId, role, operator), answer);
    } catch (error) {
      throw refusalOfChange(error);
    }
    return answer;
  },
});
