import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { newSecret } from './new-secret.ts';
import { operatorErrors } from './operators.errors.ts';
import { operatorName, operatorRole, operatorSecret, operatorView } from './operators.schema.ts';
import { insertOperator, isNameTaken } from './operators.store.ts';

/** For the operator: another one. */
export const createOperator = defineOperation({
  name: 'createOperator',
  summary: 'Make an operator, with a name, a role and a secret of its own.',
  description:
    'For the operator. The secret is shown in this answer only, to you: whoever it is for sets one that you have not ' +
    'seen with POST /admin/operators/{id}/secret.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({ name: operatorName, role: operatorRole, reason: reasonField }),
  output: operatorView.extend({ secret: operatorSecret }),
  errors: [operatorErrors.operator_name_taken],
  http: { method: 'post', path: '/admin/operators', status: 201 },
  rate: 'write',
  replay: 'refused',
  audit: ({ reason }) => ({ subject: { type: 'operator', id: null }, reason }),
  async handle({ ports, operator, now, commit }, { name, role }) {
    const { secret, secretHash } = await newSecret(ports);
    const at = isoTime(now);
    const by = operator.id;
    const row = {
      ...{ createdAt: at, createdBy: by, id: ports.ids.uuid(), name, revokedAt: null, role },
      ...{ secretSetAt: at, secretSetBy: by },
    };
    try {
      await commit([insertOperator({ ...row, secretHash })], null, { subjectId: row.id, after: row });
    } catch (error) {
      throw isNameTaken(error) ? new Refusal(operatorErrors.operator_name_taken) : error;
    }
    return { ...row, secret };
  },
});
