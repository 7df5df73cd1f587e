import * as z from 'zod';
import { deliver, explainVerdict, VERDICTS, verdictOf } from '../../delivery/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { jsonValue } from '../../kernel/json/json-schema.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findListing, listingErrors, listingId } from '../../listings/index.ts';
import { endpointFields } from '../endpoint.schema.ts';

const SHOWN_BYTES = 16 * 1024;

/** A delivery without a purchase: nothing is sold, charged, counted or kept. */
export const testListing = defineOperation({
  name: 'testListing',
  summary: 'Have your endpoint asked as a buyer would ask it, with the example query of a listing of yours.',
  description:
    'Your verified endpoint gets a delivery_request with `exampleQuery` (without one, an empty query). The answer is judged as ' +
    'a delivery is. Nothing is sold or charged, and it counts in no measured quality. Waits up to 30 seconds.',
  area: 'Selling',
  auth: 'seller',
  scope: 'sell',
  input: z.object({ listingId }),
  output: z.object({
    answerBytes: z.int().nullable().describe('Null where nothing was delivered.'),
    answerText: z
      .string()
      .nullable()
      .describe('What a buyer would get, as JSON text: its first 16 KiB. Null where nothing was delivered.'),
    detail: z.string().describe('The verdict in a sentence.'),
    latencyMs: z.int().describe('From asking to the last byte of the answer.'),
    listingId: z.uuid(),
    request: z.object({
      callbackType: endpointFields.callbackType.unwrap().nullable(),
      callbackUrl: z.string().nullable().describe('Null while no endpoint is verified.'),
      query: jsonValue,
    }),
    verdict: z.enum(VERDICTS).describe('Only `delivered` would be charged for.'),
  }),
  errors: [listingErrors.listing_not_found, listingErrors.not_listing_owner],
  http: {
    method: 'post',
    path: '/sell/listings/{id}/test',
    status: 200,
    names: { listingId: 'id' },
  },
  rate: 'write',
  prefetch: ({ market }, { listingId }) => findListing(market, listingId),
  async handle({ ports, caller }, _input, listing) {
    if (!listing) throw new Refusal(listingErrors.listing_not_found);
    if (listing.seller.id !== caller.agentId) throw new Refusal(listingErrors.not_listing_owner);
    const { id, fingerprint, title, verticalSlug, seller, outputSchema, exampleQuery } = listing;
    const endpoint = seller.endpoint ?? { callbackType: 'webhook' as const, callbackUrl: null };
    const beganAt = ports.clock.now();
    const delivery = await deliver(
      ports,
      { listingId: id, fingerprint, title, verticalSlug, query: exampleQuery },
      { sellerId: seller.id, outputSchema, ...endpoint },
    );
    const latencyMs = ports.clock.now() - beganAt;
    const content = delivery.kind === 'delivered' ? delivery.content : null;
    const verdict = verdictOf(delivery);
    return {
      answerBytes: content?.length ?? null,
      answerText: content && new TextDecoder().decode(content.subarray(0, SHOWN_BYTES)),
      detail: explainVerdict(verdict),
      latencyMs,
      listingId: id,
      request: {
        callbackType: seller.endpoint?.callbackType ?? null,
        callbackUrl: seller.endpoint?.callbackUrl ?? null,
        query: exampleQuery ?? {},
      },
      verdict,
    };
  },
});
