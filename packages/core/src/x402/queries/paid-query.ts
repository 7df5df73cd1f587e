import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { approvalRefusals } from '../../approvals/index.ts';
import { budgetErrors } from '../../budgets/index.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { findListing, listingErrors, readX402Offer } from '../../listings/index.ts';
import { purchaseView } from '../../purchases/index.ts';
import { deliveryErrors, purchaseErrors, settlementErrors, usdcErrors } from '../../sales/index.ts';
import { closedByCost, findClosed, readSpentOn, subsidyErrors } from '../../subsidies/index.ts';
import { answerQuery } from '../answer-query.ts';
import { findRecorded, isPaidByKnown, isPaidBySeller } from '../binding.ts';
import type { SentQuery } from '../query-parameters.rules.ts';
import { MAX_HEADER_CHARACTERS, readPayment } from '../read-payment.ts';
import { RESUME_HEADER } from '../resume-token.ts';
import { WAS_USED } from '../used-payment.ts';
import { x402Errors } from '../x402.errors.ts';

// How a query is paid and answered, wherever it is sent: in the URL of a GET, or in the body of a POST.

// A longer one is refused as a payment, and not as a field.
const header = z.string().optional().meta({ maxLength: MAX_HEADER_CHARACTERS });

/** A payment, in the header of its protocol. */
export const paymentFields = {
  payment: header.describe('A payment of x402 version 1: base64 of its JSON.'),
  paymentSignature: header.describe('A payment of x402 version 2: base64 of its JSON.'),
  credential: header.describe(
    '`Payment` and base64url of a credential that answers the challenge of a 402 (MPP, method `evm`, intent `charge`). A key beside it goes in X-API-Key.',
  ),
};

export const paymentHeaders = {
  payment: 'X-PAYMENT',
  paymentSignature: 'PAYMENT-SIGNATURE',
  credential: 'Authorization',
};

/** What comes with a query, in headers. */
export const queryFields = {
  ...paymentFields,
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
};

export const queryHeaders = {
  ...paymentHeaders,
  resume: RESUME_HEADER,
  maxPriceCents: BRAND.header.maxPriceCents,
};

export const settlementHeaderTexts = {
  'PAYMENT-REQUIRED': 'Base64 of the terms of x402 version 2; with 402.',
  'WWW-Authenticate': 'A challenge of the scheme `Payment` (MPP) for the same; with 402.',
  'Payment-Receipt': 'With a payment by MPP: base64url of what was settled.',
  'PAYMENT-RESPONSE': 'Base64 of what was or was not settled, as x402 version 2 has it.',
  'X-PAYMENT-RESPONSE': 'The same for version 1.',
};

export const resultHeaderTexts = {
  ...settlementHeaderTexts,
  [RESUME_HEADER]: 'With a payment: what the same payment of version 1 shows to be answered again.',
};

export const queryAnswer = z.object({
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

/** Those of a query in a body; one in a URL may be too long besides. */
export const queryErrors = [
  x402Errors.payment_malformed,
  x402Errors.two_payments,
  commonErrors.number_not_exact,
  purchaseErrors.query_not_accepted,
  purchaseErrors.query_required,
  x402Errors.payment_required,
  x402Errors.payment_refused,
  listingErrors.listing_not_found,
  listingErrors.listing_blocked,
  purchaseErrors.listing_not_active,
  purchaseErrors.sold_out,
  purchaseErrors.metered_listing,
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
];

type PaymentFields = z.output<z.ZodObject<typeof paymentFields>>;
type QueryFields = z.output<z.ZodObject<typeof queryFields>>;

/** All are asked for in one turn, and travel together. */
export function readForQuery(ports: Ports, sent: QueryFields & { readonly listingId: string }) {
  const { listingId } = sent;
  const read = readPayment(sent);
  return Promise.all([
    findListing(ports.market, listingId),
    findRecorded(ports, read),
    isPaidBySeller(ports, listingId, read),
    isPaidByKnown(ports, read),
    readX402Offer(ports),
    readSpentOn(ports, listingId),
    read,
  ]);
}

/** A body may have the payment as well: that of a header is not passed over for another. */
export function requireOnePayment(headerFields: Readonly<Record<string, string>>, sent: PaymentFields): void {
  for (const field of ['payment', 'paymentSignature', 'credential'] as const)
    if (headerFields[field] !== undefined && headerFields[field] !== sent[field])
      throw new Refusal(x402Errors.two_payments, WAS_USED);
}

/** The answer to a query, or the terms of its payment. */
export async function answerPaidQuery(
  ctx: OperationContext<'optional'>,
  query: SentQuery,
  { resume, maxPriceCents }: QueryFields,
  [listing, recorded, isPaidBySeller, hasPaid, offer, spent, read]: Awaited<ReturnType<typeof readForQuery>>,
) {
  if (listing === null)
    throw new Refusal(listingErrors.listing_not_found, read.kind === 'none' ? {} : WAS_USED);
  const sold = { priceCents: listing.priceCents, sellerId: listing.seller.id };
  return answerQuery(ctx, {
    listing,
    query,
    read,
    recorded,
    isPaidBySeller,
    hasPaid,
    offer,
    closed: findClosed(closedByCost(ctx.ports, sold, spent, ctx.now), 'x402'),
    resume: resume ?? null,
    maxCents: maxPriceCents,
  });
}
