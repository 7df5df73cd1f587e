import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { hasRole } from '../kernel/operation/operators/operator.ts';
import { isoTime } from '../kernel/time.ts';
import { newSecret } from './new-secret.ts';
import { operatorErrors } from './operators.errors.ts';
import { operatorId, operatorSecret } from './operators.schema.ts';
import { setSecret } from './operators.store.ts';
import { refusalOfChange, requireLiveOperator } from './require-operator-row.ts';

/** For the operator: a secret in place of the one before. */
export const rotateOperatorSecret = defineOperation({
  name: 'rotateOperatorSecret',
  summary: 'Give yourself, or as an admin another operator, a new secret.',
  description:
    'For the operator. The one before is dead at once. Everybody may do it for themselves; for others it needs the role ' +
    'admin. The secret is shown in this answer only.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({ operatorId, reason: reasonField.optional() }),
  output: z.object({
    id: z.uuid(),
    secret: operatorSecret,
    secretSetAt: z.iso.datetime(),
    secretSetBy: z.string(),
  }),
  errors: [operatorErrors.operator_not_found, operatorErrors.operator_revoked],
  http: { method: 'post', path: '/admin/operators/{id}/secret', status: 201, names: { operatorId: 'id' } },
  rate: 'write',
  replay: 'refused',
  audit: ({ operatorId, reason }) => ({ subject: { type: 'operator', id: operatorId }, reason }),
  async handle({ ports, operator, now, commit }, { operatorId }) {
    if (operatorId !== operator.id && !hasRole(operator, 'admin')) {
      throw new Refusal(commonErrors.role_missing, {
        detail: `For another operator this needs the role admin; yours is ${operator.role}.`,
      });
    }
    await requireLiveOperator(ports, operatorId);
    const { secret, secretHash } = await newSecret(ports);
    const secretSetAt = isoTime(now);
    try {
      await commit(setSecret(operatorId, secretHash, secretSetAt, operator), null, {
        after: { secretSetAt, secretSetBy: operator.id },
      });
    } catch (error) {
      throw refusalOfChange(error);
    }
    return { id: operatorId, secret, secretSetAt, secretSetBy: operator.id };
  },
});
