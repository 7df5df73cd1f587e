import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import { approvalRefusals } from '../../approvals/index.ts';
import { budgetErrors } from '../../budgets/index.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext, WithHeaders } from '../../kernel/operation/operation.ts';
import type { PaymentFault } from '../../kernel/ports/chain.ts';
import {
  findListing,
  isPersonalHealth,
  isScarce,
  type Listing,
  listingErrors,
  listingId,
  readX402Offer,
  type X402Offer,
  x402Obstacle,
} from '../../listings/index.ts';
import {
  beginTab,
  findTab,
  platformRefusal,
  purchaseErrors,
  requireOnSale,
  requireSale,
  resumeTab,
  settlementErrors,
  type TabOutcome,
  tabErrors,
  tabTooSmall,
  type UsdcPayment,
  usdcErrors,
} from '../../sales/index.ts';
import { subsidyErrors } from '../../subsidies/index.ts';
import { paymentRefused, paymentRequired, resultHeaders } from '../answers.ts';
import { bindingOf, findRecorded, isPaidByKnown, isPaidBySeller } from '../binding.ts';
import { requireKeyApproval, requireKeyBeforeTerms, requireWithinKey } from '../key-limits.ts';
import { receiptHeader } from '../mpp/mpp-challenge.ts';
import { orPayBack, type PaidOrder, refusalOfOutcome } from '../or-pay-back.ts';
import { buyerOf, checkPayment, type PaidQuery, whileClaimed } from '../pay-for-query.ts';
import {
  paymentFields,
  paymentHeaders,
  requireOnePayment,
  settlementHeaderTexts,
} from '../queries/paid-query.ts';
import { faultOf, refuseUsedIdentifier, termsOf, wireOf } from '../query-terms.ts';
import { type ReadPayment, readPayment, type SentPayment } from '../read-payment.ts';
import type { Terms } from '../terms.rules.ts';
import { findLive, isBoundByNonce, networkHash, WAS_USED } from '../used-payment.ts';
import { x402Errors } from '../x402.errors.ts';
import { x402Refusals } from '../x402.schema.ts';
import { tabParameters } from './tab-parameters.ts';
import { tabView, viewTab } from './tab-view.ts';

const MIN_TAB_CENTS = 10;
const MAX_TAB_CENTS = 50_000;

type Context = OperationContext<'optional'>;

/** Clause: x402 pay-per-query. */
export const openTab = defineOperation({
  name: 'openTab',
  summary: 'Open a prepaid tab: one payment in USDC for many queries of a listing.',
  description:
    'Without a payment the answer is 402 with the terms, in x402 versions 1 and 2 and as MPP. The payment is settled before ' +
    'the tab answers anything. Queries are then asked with signed vouchers, each at the priceMicros of the listing, and what is ' +
    'left goes back when the tab is closed. The same payment sent again answers the same tab. An API key may be sent: the tab ' +
    'then counts in the budget of the key, and is a purchase of its agent, as on every other rail.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'buy',
  input: z.object({
    listingId,
    amountCents: z.int().min(MIN_TAB_CENTS).max(MAX_TAB_CENTS).describe('Whole cents: what the tab holds.'),
    ...paymentFields,
  }),
  output: tabView,
  errors: [
    x402Errors.payment_malformed,
    x402Errors.two_payments,
    x402Errors.payment_required,
    x402Errors.payment_refused,
    listingErrors.listing_not_found,
    listingErrors.listing_blocked,
    purchaseErrors.listing_not_active,
    purchaseErrors.sold_out,
    purchaseErrors.listing_changed_while_buying,
    purchaseErrors.own_listing,
    purchaseErrors.buyer_limited,
    ...Object.values(budgetErrors),
    ...Object.values(approvalRefusals),
    tabErrors.tab_not_for_listing,
    tabErrors.tab_too_small,
    x402Errors.payment_used_elsewhere,
    x402Errors.payment_identifier_reused,
    x402Errors.payment_spent,
    settlementErrors.payment_in_progress,
    x402Errors.x402_not_available,
    ...Object.values(usdcErrors),
    ...Object.values(subsidyErrors),
    settlementErrors.settlement_pending,
  ],
  refusals: x402Refusals,
  http: {
    method: 'post',
    path: '/x402/tabs',
    status: 200,
    digestsBody: true,
    headers: paymentHeaders,
    responseHeaders: settlementHeaderTexts,
  },
  rate: 'x402',
  movesMoney: true,
  paymentFields: Object.keys(paymentFields),
  prefetch: (ports, { listingId, ...sent }) => {
    const read = readPayment(sent);
    return Promise.all([
      findListing(ports.market, listingId),
      findRecorded(ports, read),
      isPaidBySeller(ports, listingId, read),
      isPaidByKnown(ports, read),
      readX402Offer(ports),
      read,
    ]);
  },
  async handle(ctx, { amountCents, ...sent }, [listing, recorded, isPaidBySeller, hasPaid, offer, read]) {
    requireOnePayment(ctx.headerFields, sent);
    if (listing === null)
      throw new Refusal(listingErrors.listing_not_found, read.kind === 'none' ? {} : WAS_USED);
    if (read.kind === 'two') throw new Refusal(x402Errors.two_payments, WAS_USED);
    if (read.kind === 'malformed') throw new Refusal(x402Errors.payment_malformed, { detail: read.reason });
    const order: TabRequest = { listing, amountCents, recorded, isPaidBySeller, hasPaid, offer };
    const terms = tabTerms(ctx, order);
    if (read.kind === 'none') {
      requireSellable(ctx, order, read);
      await requireKeyBeforeTerms(ctx, purchaseOf(order), () => null);
      throw await paymentRequired(ctx.ports, terms, null);
    }
    const { payment } = read;
    return orPayBack(ctx, orderOf(order, payment), () => payForTab(ctx, order, payment, terms));
  },
});

interface TabRequest {
  readonly listing: Listing;
  readonly amountCents: number;
  /** What is recorded of the payment that came. */
  readonly recorded: readonly UsdcPayment[];
  readonly isPaidBySeller: boolean;
  readonly hasPaid: boolean;
  readonly offer: X402Offer | null;
}

const purchaseOf = ({ listing, amountCents }: TabRequest) => ({ listing, amountCents, isTab: true as const });

/** A payment for a tab is bound to it, and is none for a query of its listing. */
const boundTo = ({ listing }: TabRequest) => `tab:${listing.id}`;

function orderOf(request: TabRequest, sent: SentPayment): PaidOrder {
  const { listing, recorded, amountCents } = request;
  const parameters = tabParameters(amountCents);
  return { listing, parameters, sent, recorded, opensTab: true };
}

function tabOffer({ bodyDigest }: Context, request: TabRequest) {
  const { listing, amountCents } = request;
  if (bodyDigest === null) throw new Error('A tab is asked for in a body.');
  const parameters = tabParameters(amountCents);
  return {
    listing: { ...listing, id: boundTo(request), priceCents: amountCents },
    query: { from: 'body' as const, parameters, bodyDigest },
  };
}

function tabTerms(ctx: Context, request: TabRequest): Terms {
  const { title } = request.listing;
  const terms = termsOf(ctx, tabOffer(ctx, request));
  return { ...terms, resource: `${ctx.baseUrl}/x402/tabs`, description: `Tab: ${title}` };
}

function requireSellable(ctx: Context, order: TabRequest, read: Pick<ReadPayment, 'kind'>): void {
  const { listing, amountCents, isPaidBySeller, offer } = order;
  requireOnSale(listing, { agentId: ctx.caller?.agentId ?? null, isPaidBySeller });
  const isForTab =
    listing.priceCents > 0 &&
    listing.priceCents <= MAX_TAB_CENTS &&
    !isScarce(listing) &&
    listing.fulfilment === 'digital' &&
    !isPersonalHealth(listing);
  if (!isForTab) throw new Refusal(tabErrors.tab_not_for_listing);
  if (amountCents < listing.priceCents) throw tabTooSmall(listing, { isOpen: false });
  requireWithinKey(ctx, purchaseOf(order));
  const charged = read.kind === 'none' ? false : null;
  // A tab sells by units, too.
  if (x402Obstacle({ ...listing, meter: null }, offer) === 'closed' && offer?.closedBy)
    throw platformRefusal(ctx.ports, offer.closedBy, { charged });
}

async function payForTab(ctx: Context, request: TabRequest, sent: SentPayment, terms: Terms) {
  const { ports } = ctx;
  const { listing, amountCents, recorded, hasPaid } = request;
  const { chain, paymentClaims: claims } = ports;
  if (chain === null || claims === null) throw new Refusal(x402Errors.x402_not_available);
  const { transfer, identifier } = sent;
  const { listing: offered, query } = tabOffer(ctx, request);
  const { parameters } = query;
  const refused = (fault: PaymentFault) =>
    paymentRefused(ports, fault, terms, null, transfer?.authorization ?? null);
  const binding = transfer === null ? '' : await bindingOf(offered.id, parameters, sent);
  const used = findLive(recorded, sent);
  if (used !== undefined && used.binding !== binding)
    throw new Refusal(x402Errors.payment_used_elsewhere, WAS_USED);
  if (used === undefined) {
    refuseUsedIdentifier(recorded, sent);
    requireSellable(ctx, request, { kind: 'read' });
  }
  const fault = used === undefined ? await faultOf(ctx, request, sent, { terms, binding }) : null;
  if (fault !== null || transfer === null) throw await refused(fault ?? 'invalid_scheme');
  const approvalId = used === undefined ? await requireKeyApproval(ctx, purchaseOf(request), null) : null;
  const offer = {
    transfer,
    identifier,
    binding,
    queryKey: '',
    parametersDigest: await canonicalDigest(parameters),
    network: await networkHash(ctx),
    hasPaid,
    wire: wireOf(sent, transfer, terms),
    opensTab: true as const,
  };
  const paid: PaidQuery = {
    ctx,
    chain,
    claims,
    listing,
    query: null,
    offer,
    approvalId,
    isBoundByNonce: isBoundByNonce(sent),
  };
  const isGivenUp = recorded.some((one) => !one.isLive && one.binding === binding);
  const outcome =
    used === undefined ? await beginPaid(paid, amountCents, isGivenUp) : await resumePaid(paid, used);
  switch (outcome.kind) {
    case 'open': {
      const { transaction, tab } = outcome;
      const { chainId } = chain.token;
      const { authorization } = transfer;
      const headers =
        sent.protocol === 'mpp'
          ? {
              'Payment-Receipt': receiptHeader(transaction, tab.expiresAt ?? ''),
              'cache-control': 'private, no-store',
            }
          : resultHeaders({ success: true, transaction, chainId, authorization });
      return new WithHeaders(viewTab(tab), headers);
    }
    case 'refused':
      return refusalOfOutcome(ports, outcome.fault, refused);
    case 'pending':
      throw new Refusal(settlementErrors.settlement_pending, { charged: true, retryAfterSeconds: 5 });
  }
}

async function beginPaid(paid: PaidQuery, amountCents: number, isGivenUp: boolean): Promise<TabOutcome> {
  const { ctx, chain, listing, offer } = paid;
  const checked = await checkPayment(paid, isGivenUp);
  if (checked.kind !== 'good') return checked;
  const { settledBy } = checked;
  const order = { ...buyerOf(paid), amountCents, terms: ctx.settings };
  return whileClaimed(paid, settledBy === null, () =>
    beginTab({ ports: ctx.ports, chain, listing, offer }, order, settledBy),
  );
}

/** The same payment again: its tab, or how far its settlement got. */
async function resumePaid(paid: PaidQuery, { purchaseId, settledBy }: UsdcPayment): Promise<TabOutcome> {
  const { ctx, chain, listing, offer } = paid;
  const { market } = ctx.ports;
  const [tab, sale] = await Promise.all([findTab(market, purchaseId), requireSale(market, purchaseId)]);
  if (tab === null)
    throw new Refusal(commonErrors.service_unavailable, { charged: null, retryAfterSeconds: 2 });
  const isEnded = sale.status === 'failed' || sale.status === 'expired' || sale.status === 'refunded';
  if (isEnded) throw new Refusal(x402Errors.payment_spent, WAS_USED);
  if (settledBy !== null) return { kind: 'open', tab, transaction: settledBy };
  return whileClaimed(paid, false, () => resumeTab({ ports: ctx.ports, chain, listing, offer, sale }));
}
