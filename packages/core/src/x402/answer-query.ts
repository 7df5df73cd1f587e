import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { type OperationContext, WithHeaders } from '../kernel/operation/operation.ts';
import type { PaymentFault } from '../kernel/ports/chain.ts';
import { epochOf } from '../kernel/time.ts';
import { type Listing, type X402Offer, x402Obstacle } from '../listings/index.ts';
import { type PurchaseView, relayedOf, viewPurchase, withOpenRails } from '../purchases/index.ts';
import {
  type PurchasePage,
  platformRefusal,
  purchaseErrors,
  purchasePageOf,
  requireFittingQuery,
  requireMaxPrice,
  requireOnSale,
  sellFree,
  settlementErrors,
  spenderOf,
  type UsdcOutcome,
} from '../sales/index.ts';
import { type ClosedRail, refusalOf } from '../subsidies/index.ts';
import { paymentRefused, paymentRequired, requireShortQuery, resultHeaders } from './answers.ts';
import { bindingOf } from './binding.ts';
import { requireKeyApproval, requireKeyBeforeTerms, requireWithinKey } from './key-limits.ts';
import { receiptHeader } from './mpp/mpp-challenge.ts';
import { signedReceipt } from './offers/offer-receipt.ts';
import { orPayBack, type PaidOrder, refusalOfOutcome } from './or-pay-back.ts';
import { type PaidQuery, payAgain, payForQuery } from './pay-for-query.ts';
import { queryKeyOf } from './query-key.ts';
import {
  inexactParameters,
  queryOf,
  type SentQuery,
  unreadableParameters,
} from './query-parameters.rules.ts';
import { faultOf, type QueriedListing, refuseUsedIdentifier, termsOf, wireOf } from './query-terms.ts';
import type { ReadPayment, SentPayment } from './read-payment.ts';
import { RESUME_HEADER, resumeTokenOf } from './resume-token.ts';
import { networkName, type Terms } from './terms.rules.ts';
import {
  findUsedPayment,
  hasSecret,
  isBoundByNonce,
  isGivenUpBefore,
  networkHash,
  type SentFor,
  type UsedPayment,
  WAS_USED,
} from './used-payment.ts';
import { x402Errors } from './x402.errors.ts';

type Context = OperationContext<'optional'>;
type Sold = Extract<UsdcOutcome, { kind: 'sold' }>;

export interface QueryRequest extends QueriedListing {
  readonly read: ReadPayment;
  /** Paid from the wallet to which the listing's seller is paid. */
  readonly isPaidBySeller: boolean;
  /** Whether an earlier payment of the same account was settled. */
  readonly hasPaid: boolean;
  readonly offer: X402Offer | null;
  /** The budget of its cost has no room for another payment; null: it has. */
  readonly closed: ClosedRail | null;
  /** The token of an earlier answer to the same payment. */
  readonly resume: string | null;
  /** What the payer would give at most; undefined: whatever it costs. */
  readonly maxCents: number | undefined;
}

/** How a query over x402 was paid for. */
export interface QueryPayment {
  readonly amountUnits: string;
  readonly asset: string;
  readonly network: string;
  readonly payer: string;
  readonly transaction: string;
}

type Answer = PurchaseView & {
  readonly payment: QueryPayment | null;
  readonly purchaseUrl: string | null;
};

/** A refusal of this way to pay names the others. */
export async function answerQuery(
  ctx: Context,
  request: QueryRequest,
): Promise<Answer | WithHeaders<Answer>> {
  const { read } = request;
  const sent = read.kind === 'read' ? read.payment : null;
  try {
    return await orPayBack(ctx, sent && orderOf(request, sent), () => answerOrRefuse(ctx, request));
  } catch (error) {
    throw error instanceof Refusal ? await withOpenRails(ctx, request.listing, error, 'x402') : error;
  }
}

async function answerOrRefuse(
  ctx: Context,
  request: QueryRequest,
): Promise<Answer | WithHeaders<Answer> | Refusal> {
  const { listing, read, offer } = request;
  if (read.kind === 'two') throw new Refusal(x402Errors.two_payments, WAS_USED);
  if (read.kind === 'malformed') throw new Refusal(x402Errors.payment_malformed, { detail: read.reason });
  // Before anything is said of the listing: whether it is the one that was paid for is the payer's alone to know.
  const used = read.kind === 'read' ? await findUsedPayment(ctx, sentFor(request, read.payment)) : null;
  const obstacle = x402Obstacle(listing, offer);
  if (obstacle === 'personal_health') throw new Refusal(x402Errors.not_over_x402);
  // It is not for sale anew: the listing may have changed, or be sold out by it.
  if (used !== null && read.kind === 'read') return payWith(ctx, request, read.payment, used);

  requireSellable(ctx, request);
  requireOverX402(listing, offer);
  // What came with it was not looked for: its payer may have brought it to the chain.
  if (obstacle === 'closed' && offer?.closedBy)
    throw platformRefusal(ctx.ports, offer.closedBy, { charged: read.kind === 'none' ? false : null });
  if (listing.priceCents === 0) return answerFree(ctx, request);
  const terms = termsOf(ctx, request);
  requireShortQuery(terms);
  if (read.kind === 'none') {
    if (request.closed !== null) throw refusalOf(request.closed, ctx.now);
    await requireKeyBeforeTerms(ctx, purchaseOf(request), () => readQuery(listing, request.query));
    throw await paymentRequired(ctx.ports, terms, listing);
  }
  return payWith(ctx, request, read.payment, null);
}

function orderOf({ listing, query, recorded }: QueryRequest, sent: SentPayment): PaidOrder {
  return { listing, parameters: query.parameters, sent, recorded };
}

function sentFor({ listing, query, resume, recorded }: QueryRequest, payment: SentPayment): SentFor {
  return { listingId: listing.id, parameters: query.parameters, payment, resume, recorded };
}

/** For sale to whoever asks, at the price that was seen, within the limits of the key that was sent: before anything is signed. */
function requireSellable(ctx: Context, request: QueryRequest): void {
  const { listing, isPaidBySeller } = request;
  requireOnSale(listing, { agentId: ctx.caller?.agentId ?? null, isPaidBySeller });
  requireMaxPrice(request.maxCents, listing.priceCents);
  requireWithinKey(ctx, purchaseOf(request));
}

const purchaseOf = ({ listing }: QueryRequest) => ({ listing, amountCents: listing.priceCents });

/** Refuses what is not paid for by the query: the listing, or the smallest price, may have changed since it was. */
function requireOverX402(listing: Listing, offer: X402Offer | null): void {
  const obstacle = x402Obstacle(listing, offer);
  if (obstacle === 'metered') throw new Refusal(purchaseErrors.metered_listing);
  if (obstacle === 'price_too_small')
    throw new Refusal(x402Errors.not_over_x402, {
      detail: `The smallest price over x402 is ${offer?.minCents} cents here. Buy with a key, on another rail.`,
    });
}

async function answerFree(ctx: Context, request: QueryRequest): Promise<Answer> {
  const { listing } = request;
  const query = readQuery(listing, request.query);
  const { sale, content } = await sellFree(ctx, listing, {
    query,
    email: null,
    attested: null,
    spender: spenderOf(ctx.caller),
    rail: 'x402',
  });
  return { ...viewPurchase(sale, content), payment: null, purchaseUrl: null };
}

/** The query that the seller is asked. A query of no members is none, in a body as in a URL. */
function readQuery(listing: Listing, sent: SentQuery): JsonObject | null {
  if (sent.from === 'body')
    return requireFittingQuery(listing, Object.keys(sent.parameters).length === 0 ? null : sent.parameters);
  const { parameters } = sent;
  const inexact = inexactParameters(parameters, listing.inputSchema);
  if (inexact.length > 0) throw new Refusal(commonErrors.number_not_exact, { fields: inexact });
  const fields = unreadableParameters(parameters, listing.inputSchema);
  if (fields.length > 0) throw new Refusal(purchaseErrors.query_not_accepted, { fields });
  return requireFittingQuery(listing, queryOf(parameters, listing.inputSchema));
}

async function payWith(
  ctx: Context,
  request: QueryRequest,
  sent: SentPayment,
  used: UsedPayment | null,
): Promise<WithHeaders<Answer> | Refusal> {
  const { listing, recorded, hasPaid } = request;
  const { parameters } = request.query;
  const { transfer, identifier } = sent;
  const terms = termsOf(ctx, request);
  const refused = (fault: PaymentFault) =>
    paymentRefused(ctx.ports, fault, terms, listing, transfer?.authorization ?? null);
  if (used === null) refuseUsedIdentifier(recorded, sent);
  const binding = transfer === null ? '' : await bindingOf(listing.id, parameters, sent);
  const fault = used === null ? await faultOf(ctx, request, sent, { terms, binding }) : null;
  if (fault !== null || transfer === null) throw await refused(fault ?? 'invalid_scheme');
  // What is sent again is answered for the query that was paid for.
  const query = used === null ? readQuery(listing, request.query) : null;
  const { chain, paymentClaims: claims } = ctx.ports;
  if (chain === null || claims === null) throw new Refusal(x402Errors.x402_not_available);
  const { from: payer, nonce: paymentNonce } = transfer.authorization;
  const offer = {
    transfer,
    identifier,
    binding,
    queryKey: await queryKeyOf(parameters, { payer, paymentNonce }),
    parametersDigest: used?.recorded.parametersDigest ?? (await canonicalDigest(parameters)),
    network: await networkHash(ctx),
    hasPaid,
    wire: wireOf(sent, transfer, terms),
  };
  const approvalId = used === null ? await requireKeyApproval(ctx, purchaseOf(request), query) : null;
  const paid: PaidQuery = {
    ctx,
    chain,
    claims,
    listing,
    query,
    offer,
    approvalId,
    isBoundByNonce: isBoundByNonce(sent),
  };
  const outcome =
    used === null
      ? await payForQuery(paid, await isGivenUpBefore(ctx, sentFor(request, sent)))
      : await payAgain(paid, used);
  switch (outcome.kind) {
    case 'sold':
      return answerSold(outcome, paid, {
        protocol: sent.protocol,
        page: used === null || hasSecret(sent) ? await pageOf(ctx, outcome, offer.queryKey) : null,
        resumeToken: await resumeTokenOf(ctx.ports, offer),
        receipt:
          sent.protocol === 'mpp'
            ? null
            : await receiptOf(ctx, terms, { ...outcome, payer: transfer.authorization.from }),
      });
    case 'refused':
      return refusalOfOutcome(ctx.ports, outcome.fault, refused);
    case 'pending':
      throw settlementPending(outcome.transaction, await resumeTokenOf(ctx.ports, offer));
  }
}

function settlementPending(transaction: string | null, resumeToken: string): Refusal {
  const known = transaction === null ? '' : ` Its transaction is ${transaction}.`;
  return new Refusal(settlementErrors.settlement_pending, {
    detail: `The payment may be settled already.${known} Send the same payment again, with the ${RESUME_HEADER} of this answer; do not sign another.`,
    // Unknown, and to be taken for paid until the chain says otherwise.
    charged: true,
    retryAfterSeconds: 5,
    headers: { [RESUME_HEADER]: resumeToken },
  });
}

/** The right to object goes to whoever knows what is not on chain, or was first. */
function pageOf(
  { ports, baseUrl, settings: { siteUrl } }: Context,
  { sale }: Sold,
  queryKey: string,
): Promise<PurchasePage> {
  return purchasePageOf(ports, { baseUrl, siteUrl }, sale.id, queryKey);
}

/** The receipt of the extension of x402. The sale's own is in the answer, however it was paid. */
function receiptOf(
  { ports }: Context,
  terms: Terms,
  { sale, transaction, payer }: Sold & { readonly payer: Hex },
): Promise<JsonObject> {
  const servedAt = epochOf(sale.deliveredAt ?? sale.createdAt);
  return signedReceipt(ports, terms, { payer, transaction, servedAt });
}

function answerSold(
  { sale, answer, transaction }: Sold,
  { chain, offer }: PaidQuery,
  {
    protocol,
    page,
    resumeToken,
    receipt,
  }: {
    readonly protocol: SentPayment['protocol'];
    readonly page: PurchasePage | null;
    readonly resumeToken: string;
    readonly receipt: JsonObject | null;
  },
): WithHeaders<Answer> {
  const { authorization } = offer.transfer;
  const { chainId, address } = chain.token;
  const view = { ...viewPurchase(sale, relayedOf(answer)), linkExpiresAt: page?.expiresAt ?? null };
  const payment: QueryPayment = {
    amountUnits: String(authorization.units),
    asset: address,
    network: networkName(chainId, 2),
    payer: authorization.from,
    transaction,
  };
  return new WithHeaders(
    { ...view, payment, purchaseUrl: page?.url ?? null },
    {
      ...(protocol === 'mpp'
        ? {
            'Payment-Receipt': receiptHeader(transaction, sale.deliveredAt ?? sale.createdAt),
            'cache-control': 'private, no-store',
          }
        : resultHeaders({ success: true, transaction, chainId, authorization }, receipt)),
      [RESUME_HEADER]: resumeToken,
    },
  );
}
