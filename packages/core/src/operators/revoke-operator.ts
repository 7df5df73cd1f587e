import * as z from 'zod';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { operatorErrors } from './operators.errors.ts';
import { operatorId, operatorView } from './operators.schema.ts';
import { revoke } from './operators.store.ts';
import { refusalOfChange, requireOperatorRow } from './require-operator-row.ts';

/** For the operator: the end of another's secret. */
export const revokeOperator = defineOperation({
  name: 'revokeOperator',
  summary: 'End what an operator may do, at once and for good.',
  description:
    'For the operator. The secret is refused from the next request on, in every Worker, and what was under way under it ' +
    'changes nothing any more. What was done stays under the name in the audit chain.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({ operatorId, reason: reasonField }),
  output: operatorView,
  errors: [operatorErrors.operator_not_found, operatorErrors.operator_revoked, operatorErrors.last_admin],
  http: { method: 'post', path: '/admin/operators/{id}/revoke', status: 200, names: { operatorId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ operatorId, reason }) => ({ subject: { type: 'operator', id: operatorId }, reason }),
  async handle({ ports, operator, now, commit }, { operatorId }) {
    const found = await requireOperatorRow(ports, operatorId);
    if (found.revokedAt !== null) return found;
    const revokedAt = isoTime(now);
    const answer = { ...found, revokedAt };
    try {
      await commit(revoke(operatorId, revokedAt, operator), answer);
    } catch (error) {
      throw refusalOfChange(error);
    }
    return answer;
  },
});
