import * as z from 'zod';
import { jsonObjectUpTo } from '../../kernel/json/json-schema.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { listingId } from '../../listings/index.ts';
import { x402Refusals } from '../x402.schema.ts';
import {
  answerPaidQuery,
  paymentFields,
  queryAnswer,
  queryErrors,
  queryFields,
  queryHeaders,
  readForQuery,
  requireOnePayment,
  resultHeaderTexts,
} from './paid-query.ts';

/** Clause: x402 pay-per-query. */
export const queryListingWithBody = defineOperation({
  name: 'queryListingWithBody',
  summary: 'Pay for one query in USDC and get the data, with the query in the body.',
  description:
    'As GET of the same path, for a query that is long or has members that are no texts. The payment is bound to the ' +
    'RFC 8785 form of `query`: the same query with its members in another order is the same, and a payment for another ' +
    'is refused. The challenge of MPP has the digest of the body, too.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'buy',
  input: z.object({
    listingId,
    query: jsonObjectUpTo(64 * 1024)
      .default({})
      .describe("The query, as the listing's inputSchema says; exampleQuery is one; at most 64 KiB."),
    ...queryFields,
  }),
  opaqueFields: ['query'],
  output: queryAnswer,
  errors: queryErrors,
  refusals: x402Refusals,
  http: {
    method: 'post',
    path: '/x402/listings/{id}/query',
    status: 200,
    names: { listingId: 'id' },
    headers: queryHeaders,
    responseHeaders: resultHeaderTexts,
    digestsBody: true,
  },
  rate: 'x402',
  movesMoney: true,
  paymentFields: Object.keys(paymentFields),
  prefetch: readForQuery,
  handle(ctx, { query, ...sent }, found) {
    if (ctx.bodyDigest === null) throw new Error('A query with a body has the digest of it.');
    requireOnePayment(ctx.headerFields, sent);
    return answerPaidQuery(ctx, { from: 'body', parameters: query, bodyDigest: ctx.bodyDigest }, sent, found);
  },
});
