import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import { DELIVERY_MAX_BYTES } from '../delivery/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { deliveryAnswer } from './delivery-answer.rules.ts';
import { sellingErrors } from './selling.errors.ts';

/** Room for the other members and for whitespace. */
const ENVELOPE_BYTES = 64 * 1024;

/** Where a polling seller answers. The buyer's request waits for the answer, and nothing is stored. */
export const answerDelivery = defineOperation({
  name: 'answerDelivery',
  summary: 'Answer a message from GET /sell/deliveries.',
  description:
    'Send exactly one of: `data` (the deliverable, at most 10 MB), `available: false` (the buyer is not ' +
    'charged), `nonce` (for a verification_challenge).',
  area: 'Selling',
  // For every agent: it becomes a seller by answering the challenge of its first endpoint.
  auth: 'agent',
  scope: 'sell',
  input: z.object({
    id,
    // Not an object schema, which would copy the value and drop a member named `__proto__`.
    data: z
      .unknown()
      .refine((data) => data === undefined || isJsonObject(data), 'Expected an object.')
      .meta({ type: 'object', description: 'The deliverable, at most 10 MB.' })
      .optional(),
    units: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('With `data` of a listing that is priced by units: how many the query used.'),
    available: z.literal(false).optional(),
    nonce: z.string().max(1000).optional(),
  }),
  opaqueFields: ['data'],
  output: z.object({ accepted: z.literal(true) }),
  errors: [sellingErrors.delivery_not_pending],
  http: {
    method: 'post',
    path: '/sell/deliveries/{id}',
    status: 200,
    maxBodyBytes: DELIVERY_MAX_BYTES + ENVELOPE_BYTES,
  },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  async handle({ ports, caller, commit, requestId }, { id, data, units, available, nonce }) {
    const answer = deliveryAnswer({ data: data as JsonObject | undefined, units, available, nonce });
    if (!answer) {
      const message = 'Send exactly one of `data`, `available` and `nonce`.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: '' }] });
    }
    const body = utf8(canonicalJson(answer));
    // Refused here, where the seller sees why: the buyer would only see a failed delivery.
    if (body.length > DELIVERY_MAX_BYTES) {
      throw new Refusal(commonErrors.body_too_large, { detail: 'A delivery is at most 10 MB of JSON.' });
    }
    const result = await ports.pollingMailbox.answer(caller.agentId, id, body);
    if (result === 'unavailable')
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 2 });
    if (result === 'unknown') throw new Refusal(sellingErrors.delivery_not_pending);
    const accepted = { accepted: true as const };
    // The buyer has the data by now: failing to store the outcome for replays must not fail the answer.
    await commit([], accepted).catch((error: unknown) => {
      ports.log.error('outcome_not_kept', { requestId, message: String(error) });
    });
    return accepted;
  },
});
