import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { listingId } from '../../listings/index.ts';
import { queryParameters } from '../query-parameters.schema.ts';
import { x402Errors } from '../x402.errors.ts';
import { x402Refusals } from '../x402.schema.ts';
import {
  answerPaidQuery,
  paymentFields,
  queryAnswer,
  queryErrors,
  queryFields,
  queryHeaders,
  readForQuery,
  resultHeaderTexts,
} from './paid-query.ts';

/** Clause: x402 pay-per-query. */
export const queryListing = defineOperation({
  name: 'queryListing',
  summary: 'Pay for one query in USDC and get the data: no key, no account.',
  description:
    'Without a payment a priced listing answers 402 with what it costs, in x402 versions 1 (body) and 2 ' +
    '(`PAYMENT-REQUIRED`). With one, the seller is asked live, and the transfer is settled only if it delivered. The ' +
    'same payment sent again for the same query brings the data again and is never charged twice: that is what to do ' +
    'after 409 `payment_in_progress`, after 503, and after a lost answer. A 429 is no payment failure. An API key may be ' +
    'sent: what is paid then counts in the budget of the key, and is a purchase of its agent, as on every other rail.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'buy',
  input: z.object({
    listingId,
    parameters: queryParameters.describe(
      "The query, as the listing's inputSchema says; exampleQuery is one. At most 64 KiB. Where the listing is priced, up to 7000 characters are always taken; more may be refused with query_too_long, and go in the body of a POST.",
    ),
    ...queryFields,
  }),
  opaqueFields: ['parameters'],
  output: queryAnswer,
  errors: [x402Errors.query_too_long, ...queryErrors],
  refusals: x402Refusals,
  http: {
    method: 'get',
    path: '/x402/listings/{id}/query',
    status: 200,
    names: { listingId: 'id' },
    queryField: 'parameters',
    headers: queryHeaders,
    responseHeaders: resultHeaderTexts,
  },
  rate: 'x402',
  movesMoney: true,
  paymentFields: Object.keys(paymentFields),
  prefetch: readForQuery,
  handle: (ctx, { parameters, ...sent }, found) =>
    answerPaidQuery(ctx, { from: 'url', parameters }, sent, found),
});
