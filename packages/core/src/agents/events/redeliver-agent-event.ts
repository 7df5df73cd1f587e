import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { eventErrors } from './events.errors.ts';
import {
  findOwnEvent,
  isRedeliveryConflict,
  MAX_REDELIVERIES,
  redeliverEvent,
} from './redeliveries.store.ts';

/** Sends an event to the agent's callback URL once more, as if it were new; without content, as all that is not sent at once. */
export const redeliverAgentEvent = defineOperation({
  name: 'redeliverAgentEvent',
  summary: 'Have one of your events sent to your callback URL again.',
  description: `It keeps its id, and is tried as a new one is. Each event at most ${MAX_REDELIVERIES} times.`,
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({ eventId: id }),
  output: z.object({ id: z.uuid(), redeliveries: z.int().describe('This one included.') }),
  errors: Object.values(eventErrors),
  http: { method: 'post', path: '/agents/me/events/{id}/redeliver', status: 202, names: { eventId: 'id' } },
  rate: 'write',
  replay: 'stored',
  async handle({ ports, caller, now, commit }, { eventId }) {
    const event = await findOwnEvent(ports.market, caller.agentId, eventId);
    if (!event) throw new Refusal(eventErrors.event_not_found);
    if (!event.hasCallback) throw new Refusal(eventErrors.no_callback_url);
    if (event.redeliveries >= MAX_REDELIVERIES) throw new Refusal(eventErrors.redeliveries_spent);
    const answer = { id: eventId, redeliveries: event.redeliveries + 1 };
    await commit(redeliverEvent(caller.agentId, eventId, event.redeliveries, isoTime(now)), answer).catch(
      (error) => {
        throw isRedeliveryConflict(error) ? new Refusal(eventErrors.redeliveries_spent) : error;
      },
    );
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
