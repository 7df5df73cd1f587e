import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { z } from 'zod';
import { approvalRefusals } from '../approvals/index.ts';
import { budgetErrors } from '../budgets/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { findListing, listingErrors, listingId, readX402Offer } from '../listings/index.ts';
import { purchaseView } from '../purchases/index.ts';
import { deliveryErrors, purchaseErrors, settlementErrors, usdcErrors } from '../sales/index.ts';
import { closedRailsOf, findClosed, readSpentOn, subsidyErrors } from '../subsidies/index.ts';
import { answerQuery } from './answer-query.ts';
import { findRecorded, isPaidByKnown, isPaidBySeller } from './binding.ts';
import { queryParameters } from './query-parameters.schema.ts';
import { MAX_HEADER_CHARACTERS, readPayment } from './read-payment.ts';
import { RESUME_HEADER } from './resume-token.ts';
import { x402Errors } from './x402.errors.ts';
import { x402Refusals } from './x402.schema.ts';

// A longer one is refused as a payment, and not as a field.
const header = z.string().optional().meta({ maxLength: MAX_HEADER_CHARACTERS });

const input = z.object({
  listingId,
  parameters: queryParameters.describe(
    "The query, as the listing's inputSchema says; exampleQuery is one. At most 64 KiB. Where the listing is priced, up to 7000 characters are always taken; more may be refused with query_too_long.",
  ),
  payment: header.describe('A payment of x402 version 1: base64 of its JSON.'),
  paymentSignature: header.describe('A payment of x402 version 2: base64 of its JSON.'),
  credential: header.describe(
    '`Payment` and base64url of a credential that answers the challenge of a 402 (MPP, method `evm`, intent `charge`). A key beside it goes in X-API-Key.',
  ),
  resume: z
    .string()
    .max(128)
    .optional()
    .describe('With a payment that is sent again: what the first answer to it had in this header.'),
  maxPriceCents: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe(
      'Whole cents: the price that you saw. What costs more now is refused before anything is asked for or settled. ' +
        'Clients that sign whatever a 402 asks for should send it.',
    ),
});

const output = z.object({
  ...purchaseView.shape,
  payment: z
    .object({
      amountUnits: z.string(),
      asset: z.string(),
      network: z.string().describe('As CAIP-2.'),
      payer: z.string(),
      transaction: z.string().describe('Settles the payment; verify it on chain.'),
    })
    .nullable()
    .describe('Null for free listings.'),
  purchaseUrl: z
    .url()
    .nullable()
    .describe(
      'A page of this purchase: whoever has its address may collect the content again, and dispute while the money is ' +
        'in escrow. Its `token` collects it with GET /marketplace/purchases/{id} and disputes with POST ' +
        '/marketplace/purchases/{id}/dispute, both until `linkExpiresAt`. Null for free listings, and where a ' +
        'payment without identifier is sent again, as anyone could send it.',
    ),
});

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
  input,
  opaqueFields: ['parameters'],
  output,
  errors: [
    x402Errors.payment_malformed,
    x402Errors.two_payments,
    x402Errors.query_too_long,
    commonErrors.number_not_exact,
    purchaseErrors.query_not_accepted,
    purchaseErrors.query_required,
    x402Errors.payment_required,
    x402Errors.payment_refused,
    listingErrors.listing_not_found,
    listingErrors.listing_blocked,
    purchaseErrors.listing_not_active,
    purchaseErrors.sold_out,
    purchaseErrors.listing_changed_while_buying,
    x402Errors.not_over_x402,
    x402Errors.scarce_to_contract,
    purchaseErrors.own_listing,
    purchaseErrors.price_above_max,
    ...Object.values(budgetErrors),
    ...Object.values(approvalRefusals),
    purchaseErrors.buyer_limited,
    x402Errors.payment_used_elsewhere,
    x402Errors.payment_identifier_reused,
    x402Errors.payment_spent,
    x402Errors.resume_token_required,
    settlementErrors.payment_in_progress,
    ...Object.values(deliveryErrors),
    x402Errors.x402_not_available,
    ...Object.values(usdcErrors),
    ...Object.values(subsidyErrors),
    settlementErrors.settlement_pending,
    settlementErrors.paid_not_delivered,
  ],
  refusals: x402Refusals,
  http: {
    method: 'get',
    path: '/x402/listings/{id}/query',
    status: 200,
    names: { listingId: 'id' },
    queryField: 'parameters',
    headers: {
      payment: 'X-PAYMENT',
      paymentSignature: 'PAYMENT-SIGNATURE',
      credential: 'Authorization',
      resume: RESUME_HEADER,
      maxPriceCents: BRAND.header.maxPriceCents,
    },
    responseHeaders: {
      'PAYMENT-REQUIRED': 'Base64 of the terms of x402 version 2; with 402.',
      'WWW-Authenticate': 'A challenge of the scheme `Payment` (MPP) for the same; with 402.',
      'Payment-Receipt': 'With a payment by MPP: base64url of what was settled.',
      'PAYMENT-RESPONSE': 'Base64 of what was or was not settled, as x402 version 2 has it.',
      'X-PAYMENT-RESPONSE': 'The same for version 1.',
      [RESUME_HEADER]: 'With a payment: what the same payment of version 1 shows to be answered again.',
    },
  },
  rate: 'x402',
  movesMoney: true,
  prefetch: (ports, { listingId, ...sent }) => {
    const read = readPayment(sent);
    // All are asked for in one turn, and travel together.
    return Promise.all([
      findListing(ports.market, listingId),
      findRecorded(ports, read),
      isPaidBySeller(ports, listingId, read),
      isPaidByKnown(ports, read),
      readX402Offer(ports),
      readSpentOn(ports, listingId),
      read,
    ]);
  },
  async handle(
    ctx,
    { parameters, resume = null, maxPriceCents },
    [listing, recorded, isBySeller, hasPaid, offer, spent, read],
  ) {
    if (listing === null) throw new Refusal(listingErrors.listing_not_found);
    const sold = { priceCents: listing.priceCents, sellerId: listing.seller.id };
    return answerQuery(ctx, {
      listing,
      parameters,
      read,
      recorded,
      isBySeller: isBySeller || ctx.caller?.agentId === listing.seller.id,
      hasPaid,
      offer,
      closed: findClosed(closedRailsOf(ctx.ports, sold, spent, ctx.now), 'x402'),
      resume,
      maxCents: maxPriceCents,
    });
  },
});
