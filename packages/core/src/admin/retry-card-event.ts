import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { CardProcessorError } from '../kernel/ports/card-processor.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { checkObject, findCardEvent, saveCardEvent } from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';

/** For the operator: a report of the card processor that never came, and cannot be worked off. */
export const retryCardEvent = defineOperation({
  name: 'retryCardEvent',
  summary: 'Look again now at what a report of the card processor is about that never came.',
  description:
    'For the operator. It reads the object as it stands, as the report would have; what was done before is not done twice.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ eventId: z.string().max(255), reason: reasonField }),
  output: z.object({ eventId: z.string() }),
  errors: [adminErrors.card_event_not_found, adminErrors.card_processor_unavailable],
  http: { method: 'post', path: '/admin/card-events/{id}/retry', status: 200, names: { eventId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ eventId, reason }) => ({ subject: { type: 'card_event', id: eventId }, reason }),
  async handle(ctx, { eventId }) {
    const { ports } = ctx;
    const recorded = await findCardEvent(ports.market, eventId);
    if (recorded === null) throw new Refusal(adminErrors.card_event_not_found);
    const answer = { eventId };
    if (recorded.takenAt !== null) return answer;
    const { id, about, createdAt } = recorded;
    try {
      await checkObject(ports, about);
    } catch (error) {
      throw error instanceof CardProcessorError ? new Refusal(adminErrors.card_processor_unavailable) : error;
    }
    const event = { id, about, createdAtMs: epochOf(createdAt) };
    // Only here: a retry that found the report worked off would leave no entry in the audit chain.
    await ctx.commit([saveCardEvent(event, isoTime(ctx.now))], answer);
    return answer;
  },
});
