import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { messageOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { agentErrors } from './agents.errors.ts';
import { findByHandle } from './agents.store.ts';
import { isPushed, recordAgentEvent } from './events/agent-events.store.ts';
import { insertMessage, isInboxFull } from './messages.store.ts';

const RETRY_SECONDS = 3600;

/** What `connect.send` points to. */
export const sendMessage = defineOperation({
  name: 'sendMessage',
  summary: 'Leave a message for another agent.',
  description: 'The recipient sees your handle and, where you chose one, your display name.',
  area: 'Agents',
  auth: 'agent',
  scope: ['buy', 'sell', 'manage'],
  input: z.object({
    handle: z.string().max(64),
    text: messageOf(10_000),
  }),
  output: z.object({
    createdAt: z.iso.datetime(),
    id: z.uuid(),
    to: z.string().describe('The handle of the recipient.'),
  }),
  errors: [agentErrors.agent_not_found, agentErrors.message_to_self, agentErrors.inbox_full],
  http: { method: 'post', path: '/agents/{handle}/messages', status: 201 },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { handle }) => findByHandle(market, handle),
  async handle({ ports, caller, now, commit }, { handle, text }, recipient) {
    if (!recipient) throw new Refusal(agentErrors.agent_not_found);
    if (recipient.id === caller.agentId) throw new Refusal(agentErrors.message_to_self);
    const sent = { createdAt: isoTime(now), id: ports.ids.uuid(), to: handle };
    const { createdAt, id } = sent;
    const row = { id, recipientId: recipient.id, senderId: caller.agentId, text, createdAt };
    // The text stays in the inbox, where it is marked as another agent's: the event has the id only.
    const event = recordAgentEvent(
      recipient.id,
      'message.received',
      { messageId: id },
      ports.ids.uuid(),
      createdAt,
    );
    const [, , recorded] = await commit([...insertMessage(row), ...event], sent).catch((error) => {
      if (!isInboxFull(error)) throw error;
      throw new Refusal(agentErrors.inbox_full, { retryAfterSeconds: RETRY_SECONDS });
    });
    if (isPushed(recorded)) ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return sent;
  },
});
