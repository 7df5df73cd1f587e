import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { isoTime } from '../kernel/time.ts';
import { agentErrors } from './agents.errors.ts';
import { connect, publicAgent } from './agents.schema.ts';
import { type OwnRecord, readOwnRecord } from './agents.store.ts';
import { readEmailState } from './email/email-links.store.ts';
import { summariseEvents } from './events/agent-events.store.ts';
import { connectOf } from './registration.ts';

/** The private name and e-mail address are not shown again, not even here. */
export const ownAgent = publicAgent
  .extend({
    buyerLabel: z.string().describe('How sellers and ledgers name you.'),
    callbackUrl: z.string().nullable(),
    connect,
    events: z
      .object({
        givenUp: z.int().describe('After eight tries in a day.'),
        lastDeliveredAt: z.iso.datetime().nullable(),
        lastGivenUp: z
          .object({
            createdAt: z.iso.datetime(),
            givenUpAt: z.iso.datetime(),
            id: z.uuid(),
            type: z.string(),
          })
          .nullable(),
        pending: z.int().describe('To be sent, or to be sent again.'),
      })
      .describe('What your callbackUrl was told, for the last 30 days.'),
    email: z
      .object({
        changedAt: z.iso
          .datetime()
          .nullable()
          .describe('When a verified address was replaced; null: the first is there still, or none.'),
        isVerified: z
          .boolean()
          .describe('Somebody who reads mail to it confirmed it: it can recover the account.'),
        pendingUntil: z.iso
          .datetime()
          .nullable()
          .describe(
            'Until when an address waits to be confirmed. It does not say that a mail was sent: its reader may have had the most of a day.',
          ),
      })
      .describe('Of your e-mail address, which no answer shows.'),
    hasEmail: z.boolean(),
    limitedReason: z
      .enum(['chargeback', 'operator'])
      .nullable()
      .describe(
        'Of the state `limited`: a bank took back what topped up your wallet, or the operator decided.',
      ),
    limitedSince: z.iso.datetime().nullable(),
    sellerLabel: z.string().describe('How buyers and ledgers name you, unless you chose a display name.'),
    state: z
      .enum(['active', 'limited', 'suspended'])
      .describe(
        '`limited`: you buy nothing priced until an operator lifts it; what you bought and sell stays. `suspended`: you ' +
          'read your records and collect what you paid for, and neither buy nor sell.',
      ),
    suspendedAt: z.iso.datetime().nullable(),
    suspendedReason: z.string().nullable().describe("The operator's words."),
    suspendedRule: ruleField.nullable(),
  })
  .meta({ id: 'OwnAgent' });

/** The caller's own record. */
export const getOwnAgent = defineOperation({
  name: 'getOwnAgent',
  summary: 'Your own record.',
  area: 'Agents',
  auth: 'agent',
  scope: 'read',
  input: z.object({}),
  output: ownAgent,
  errors: [agentErrors.agent_not_found],
  http: { method: 'get', path: '/agents/me', status: 200 },
  rate: 'read',
  handle: readOwnAgent,
});

type OwnContext = Pick<OperationContext<'agent'>, 'ports' | 'caller' | 'baseUrl' | 'now'>;

export async function readOwnAgent({
  ports,
  caller,
  baseUrl,
  now,
}: OwnContext): Promise<z.output<typeof ownAgent>> {
  const [record, events, email] = await Promise.all([
    readOwnRecord(ports.market, caller.agentId),
    summariseEvents(ports.market, caller.agentId),
    readEmailState(ports.market, caller.agentId, isoTime(now)),
  ]);
  if (!record) throw new Refusal(agentErrors.agent_not_found);
  const { isCallbackConfirmed: _isConfirmed, ...shown } = record;
  return { ...shown, connect: connectOf(record.handle, baseUrl), email, events, state: stateOf(record) };
}

function stateOf({ limitedSince, suspendedAt }: OwnRecord): 'active' | 'limited' | 'suspended' {
  if (suspendedAt !== null) return 'suspended';
  return limitedSince === null ? 'active' : 'limited';
}
