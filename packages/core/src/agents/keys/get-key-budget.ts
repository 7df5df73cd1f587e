import * as z from 'zod';
import { policyView, viewBudget } from '../../budgets/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findKey } from './key-changes.store.ts';
import { keyErrors } from './keys.errors.ts';
import { keyId } from './keys.schema.ts';

const cents = z.int();

/** What a key may spend, and what of it is left. */
export const budgetView = z
  .object({
    asOf: z.iso.datetime(),
    keyId,
    policy: policyView.nullable().describe('Null: the key may spend as much as the agent.'),
    policyId: z.uuid().nullable(),
    windows: z.array(
      z.object({
        endsAt: z.iso.datetime().nullable().describe('Null: never.'),
        leftCents: cents.nullable().describe('By this policy and all above it; null: without limit.'),
        limitCents: cents.nullable(),
        period: z.enum(['day', 'week', 'month', 'total']),
        reservedCents: cents.describe('For what is not delivered yet, and for open offers.'),
        spentCents: cents,
        startsOn: z.iso.date().nullable().describe('The first day, in UTC.'),
      }),
    ),
  })
  .meta({ id: 'KeyBudget' });

export const getKeyBudget = defineOperation({
  name: 'getKeyBudget',
  summary: 'What a key may spend, what it has spent, and what is left.',
  description:
    'Days, weeks (from Monday) and months are those of UTC. A key sees its own budget and those of the keys made with it.',
  area: 'Agents',
  auth: 'agent',
  scope: ['read', 'buy', 'manage'],
  input: z.object({ keyId }),
  output: budgetView,
  errors: [keyErrors.key_not_found, keyErrors.key_not_below],
  http: { method: 'get', path: '/agents/me/keys/{id}/budget', status: 200, names: { keyId: 'id' } },
  rate: 'read',
  async handle({ ports, caller, now }, { keyId: id }) {
    const key = await findKey(ports.market, caller.agentId, { id, callerKeyId: caller.keyId, now });
    if (key === null) throw new Refusal(keyErrors.key_not_found);
    if (!key.isBelow) throw new Refusal(keyErrors.key_not_below);
    return { ...(await viewBudget(ports.market, key.policyId, now)), keyId: id };
  },
});
