import * as z from 'zod';
import { DEPLOYMENT_OPERATOR, OPERATOR_ROLES } from '../kernel/operation/operators/operator.ts';
import { lineOf } from '../kernel/text-schema.ts';

export const operatorId = z.uuid().toLowerCase().describe('The id of the operator.');

export const operatorRole = z.enum(OPERATOR_ROLES).meta({ id: 'OperatorRole' });

export const operatorName = lineOf(100)
  .refine((name) => name.toLowerCase() !== DEPLOYMENT_OPERATOR.name.toLowerCase(), {
    error: 'This name is that of the deployment’s secret.',
  })
  .describe('Who it is: the audit chain and other operators show it.');

const by = z
  .string()
  .describe(
    `The id of an operator; \`${DEPLOYMENT_OPERATOR.id}\` is whoever has the secret of the deployment.`,
  );

export const operatorView = z
  .object({
    createdAt: z.iso.datetime(),
    createdBy: by,
    id: z.uuid(),
    name: z.string(),
    revokedAt: z.iso.datetime().nullable(),
    role: operatorRole,
    secretSetAt: z.iso.datetime(),
    secretSetBy: by,
  })
  .meta({ id: 'Operator' });

/** The answers that show a secret. */
export const operatorSecret = z.string().describe('Shown once: to be sent as X-MKT-Admin.');
