import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Chain, PaymentFault } from '../kernel/ports/chain.ts';
import type { PaymentClaims } from '../kernel/ports/payment-claims.ts';
import { MINUTE_MS } from '../kernel/time.ts';
import { isScarce, type Listing } from '../listings/index.ts';
import {
  buyWithUsdc,
  FRESH_ROOM_MS,
  findUsdcPayments,
  limitRefusal,
  platformRefusal,
  repeatForUsdc,
  resumeWithUsdc,
  settlementErrors,
  spenderOf,
  TIME_FAULTS,
  timeFault,
  type UsdcOffer,
  type UsdcOutcome,
} from '../sales/index.ts';
import { type UsedPayment, WAS_USED } from './used-payment.ts';
import { x402Errors } from './x402.errors.ts';

/** A request as long as a purchase may be worked on. */
const CLAIM_MS = MINUTE_MS;

/** One request with a payment that fits. */
export interface PaidQuery {
  readonly ctx: Pick<OperationContext<'optional'>, 'ports' | 'now' | 'settings' | 'requestId' | 'caller'>;
  readonly chain: Chain;
  readonly claims: PaymentClaims;
  readonly listing: Listing;
  readonly query: JsonObject | null;
  readonly offer: UsdcOffer;
  readonly approvalId: string | null;
  /** Its nonce is made of the challenge that was given for this very query, which is not on chain. */
  readonly isBoundByNonce: boolean;
}

/** Of a transfer whose nonce is used. */
export const USED_FAULT: PaymentFault = 'invalid_transaction_state';

/** A payment that was not used yet, or was given up: checked, claimed, and then bought for. */
export async function payForQuery(paid: PaidQuery, isGivenUp: boolean): Promise<UsdcOutcome> {
  const { ctx, chain, listing, query, offer } = paid;
  const checked = await checkPayment(paid, isGivenUp);
  if (checked.kind !== 'good') return checked;
  const work = { ports: ctx.ports, chain, listing, offer };
  const { settledBy } = checked;
  const order = { ...buyerOf(paid), query, amountCents: listing.priceCents, terms: ctx.settings };
  return whileClaimed(paid, settledBy === null, () => buyWithUsdc(work, order, settledBy, ctx.now));
}

/** Whose purchase it is, and what bounds it. */
export function buyerOf({ ctx: { caller }, approvalId }: PaidQuery) {
  return { buyerId: caller?.agentId ?? null, spender: spenderOf(caller, approvalId) };
}

/** The same payment again, for what it was used for: the purchase goes on, or its data is sent again. */
export async function payAgain(paid: PaidQuery, { recorded, sale }: UsedPayment): Promise<UsdcOutcome> {
  const { ctx, chain, listing, offer } = paid;
  const work = { ports: ctx.ports, chain, listing, offer, sale };
  if (sale.status !== 'authorized') return repeatForUsdc(work, recorded);
  return whileClaimed(paid, recorded.contentDigest === null, () => resumeWithUsdc(work, recorded));
}

export type PaymentCheck =
  | Exclude<UsdcOutcome, { kind: 'sold' }>
  | { readonly kind: 'good'; readonly settledBy: Hex | null };

/** Whether the payment is good now; a nonce that is used up is, if it was used for this very transfer. */
export async function checkPayment(paid: PaidQuery, isGivenUp: boolean): Promise<PaymentCheck> {
  const { ctx, chain, listing, offer, isBoundByNonce } = paid;
  const { authorization } = offer.transfer;
  const fault = timeFault(authorization, ctx.ports.clock.now(), FRESH_ROOM_MS);
  // It was recorded back as unpaid, or its payer comes too late to have it settled: should it be on chain, it is not asked for
  // twice.
  if (isGivenUp || (fault !== null && isBoundByNonce)) {
    const trace = await chain.find(authorization);
    if (trace.kind === 'settled') return { kind: 'good', settledBy: trace.transaction };
    if (trace.kind === 'pending') return trace;
    // Whoever were told to sign anew now might pay twice.
    if (trace.kind === 'unavailable') throw chainUnavailable(ctx, null);
  }
  if (fault !== null) return { kind: 'refused', fault: TIME_FAULTS[fault] };
  const { network, hasPaid } = offer;
  const check = await chain.check(offer.transfer, { network, hasPaid });
  switch (check.kind) {
    case 'valid':
      if (isScarce(listing) && check.hasCode && !hasPaid) throw new Refusal(x402Errors.scarce_to_contract);
      return { kind: 'good', settledBy: null };
    case 'limited':
      throw limitRefusal(check.limit, check);
    case 'closed':
      throw platformRefusal(ctx.ports, check.reason);
    case 'invalid':
      // It may have come to the chain between two answers of the node.
      if (check.fault === USED_FAULT) return checkUsedPayment(paid);
      return { kind: 'refused', fault: check.fault };
    case 'unavailable':
      throw chainUnavailable(ctx, false);
    case 'nonce_used':
      return checkUsedPayment(paid);
  }
}

/**
 * "Used" is said of cancelled and of strangers' transfers, too: only the transfer itself is payment. Whoever reads the chain
 * can send a transfer that somebody else brought there, signature and all, so it buys nothing where nothing binds it to what
 * is asked for: it goes back to the account that paid.
 */
async function checkUsedPayment(paid: PaidQuery): Promise<PaymentCheck> {
  const { ctx, chain, offer, isBoundByNonce } = paid;
  const { authorization } = offer.transfer;
  const trace = await chain.find(authorization);
  switch (trace.kind) {
    case 'settled':
    case 'pending':
      if (isBoundByNonce)
        return trace.kind === 'pending' ? trace : { kind: 'good', settledBy: trace.transaction };
      // Another request with it may have begun since it was looked for.
      if (await isLive(paid))
        throw new Refusal(settlementErrors.payment_in_progress, { retryAfterSeconds: 1 });
      return { kind: 'refused', fault: USED_FAULT };
    case 'void':
      return { kind: 'refused', fault: USED_FAULT };
    case 'unused':
    case 'unavailable':
      throw chainUnavailable(ctx, null);
  }
}

async function isLive({ ctx, offer }: PaidQuery): Promise<boolean> {
  const { from: payer, nonce } = offer.transfer.authorization;
  const recorded = await findUsdcPayments(ctx.ports.market, { payer, nonce, identifier: null });
  return recorded.some((one) => one.isLive);
}

/** `charged` is null where the transfer may have been made before, by whomever. */
function chainUnavailable({ ports }: PaidQuery['ctx'], charged: false | null): Refusal {
  return platformRefusal(ports, 'chain', { charged, retryAfterSeconds: 5 });
}

/** One request at a time works with one payment, wherever the others arrive. */
export async function whileClaimed<Outcome extends { readonly kind: string }>(
  { ctx, claims, offer }: PaidQuery,
  isUncharged: boolean,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { from: payer, nonce } = offer.transfer.authorization;
  const payment = { payer, nonce };
  const holder = ctx.requestId;
  const now = ctx.ports.clock.now();
  const claim = { binding: offer.binding, holder, now, until: now + CLAIM_MS };
  switch (await claims.take(payment, claim)) {
    case 'taken':
      break;
    case 'in_use':
      throw new Refusal(settlementErrors.payment_in_progress, { retryAfterSeconds: 2 });
    case 'bound_elsewhere':
      throw new Refusal(x402Errors.payment_used_elsewhere, WAS_USED);
    case 'unavailable':
      throw new Refusal(commonErrors.service_unavailable, {
        charged: isUncharged ? false : null,
        retryAfterSeconds: 2,
      });
  }
  let isFree = false;
  try {
    const outcome = await work();
    isFree = outcome.kind === 'refused';
    return outcome;
  } catch (error) {
    // The seller failed before anything was paid: the payment may be used for something else.
    isFree = error instanceof Refusal && error.definition.kind.startsWith('upstream');
    throw error;
  } finally {
    await claims.drop(payment, holder, isFree);
  }
}
