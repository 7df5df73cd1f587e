import { Refusal } from '../kernel/errors.ts';
import type { Chain, Hex } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, epochOf, SECOND_MS } from '../kernel/time.ts';
import { newReservation, type Order } from './new-reservation.ts';
import { obtainContent } from './obtain-content.ts';
import {
  deliverForUsdc,
  giveUp,
  paidNotDelivered,
  stillPending,
  type UsdcOutcome,
  type UsdcStanding,
  type UsdcWork,
} from './pay-with-usdc.ts';
import type { PaidPurchase } from './purchase.ts';
import { findPurchase } from './purchases.store.ts';
import { asSaleRefusal } from './require-for-sale.ts';
import { isUnavailable, reservationStatements } from './reserve.ts';
import { usdcErrors } from './usdc.errors.ts';
import type { UsdcPayment } from './usdc-payment.ts';
import { insertUsdcPayment, isPaymentTaken } from './usdc-payments.store.ts';
import { FRESH_ROOM_MS, TIME_FAULTS, timeFault } from './usdc-times.rules.ts';

type NewWork = Omit<UsdcWork, 'purchase'>;

/** Buys for a payment that was checked; `paidBy`: the chain shows it already. */
export async function buyWithUsdc(
  work: NewWork,
  order: Omit<Order, 'buyerId' | 'email'>,
  paidBy: Hex | null,
  now: EpochMs,
): Promise<UsdcOutcome> {
  const { ports, listing, chain, offer } = work;
  const purchase = newReservation(ports, listing, { ...order, buyerId: null, email: null }, 'x402', now);
  try {
    await ports.market.commit([
      ...reservationStatements(ports, purchase),
      insertUsdcPayment(purchase.id, chain.token.chainId, offer),
    ]);
  } catch (error) {
    if (isPaymentTaken(error))
      throw new Refusal(usdcErrors.payment_in_progress, { charged: null, retryAfterSeconds: 1 });
    // Only the reply may be lost.
    if (!isUnavailable(error) || (await findPurchase(ports.market, purchase.id)) === null)
      throw asSaleRefusal(error);
  }
  const standing: UsdcStanding =
    paidBy === null ? { kind: 'unasked' } : { kind: 'paid', transaction: paidBy };
  return deliverForUsdc({ ...work, purchase }, standing);
}

/**
 * Goes on where an earlier request with the same payment stopped: reserved, delivered, perhaps settled. The
 * chain says which.
 */
export async function resumeWithUsdc(
  work: NewWork & { readonly purchase: PaidPurchase },
  recorded: UsdcPayment,
): Promise<UsdcOutcome> {
  const { ports, chain, offer, purchase } = work;
  const wasAsked = recorded.contentDigest !== null;
  const trace = await chain.find(offer.transfer.authorization, hintOf(purchase, recorded));
  switch (trace.kind) {
    case 'settled':
      return deliverForUsdc(work, { kind: 'paid', transaction: trace.transaction });
    case 'pending':
      return stillPending(work, trace.transaction);
    case 'void':
      return giveUp(work, 'invalid_transaction_state');
    case 'unavailable':
      if (wasAsked) return { kind: 'pending', transaction: recorded.transactionHash };
      throw new Refusal(usdcErrors.chain_unavailable, { charged: null, retryAfterSeconds: 5 });
    case 'unused': {
      if (trace.isExpired) return giveUp(work, TIME_FAULTS.valid_before);
      if (wasAsked) return deliverForUsdc(work, { kind: 'asked' });
      const late = timeFault(offer.transfer.authorization, ports.clock.now(), FRESH_ROOM_MS);
      return late ? giveUp(work, TIME_FAULTS[late]) : deliverForUsdc(work, { kind: 'unasked' });
    }
  }
}

/** What was paid on one chain is not looked for on another: there it would seem never to have been. */
export function requireSameChain({ token }: Pick<Chain, 'token'>, { chainId }: UsdcPayment): void {
  if (token.chainId !== chainId) throw new Error(`It was paid on chain ${chainId}, which is not asked here.`);
}

/** So that the chain finds a transfer however long ago it was. */
export function hintOf(purchase: PaidPurchase, { transactionHash }: UsdcPayment) {
  return { transaction: transactionHash, seenAt: Math.floor(epochOf(purchase.createdAt) / SECOND_MS) };
}

/** The purchase that a payment is recorded for, as far as it got. */
export async function findPaidPurchase(
  { market }: Pick<Ports, 'market'>,
  { purchaseId }: UsdcPayment,
): Promise<PaidPurchase> {
  const found = await findPurchase(market, purchaseId);
  if (!found?.payment) throw new Error(`There is no payment of purchase ${purchaseId}.`);
  return { ...found, payment: found.payment };
}

/** The data of a sale again, for its payment sent again; the sale is not affected. */
export async function repeatForUsdc(work: Omit<UsdcWork, 'chain'>): Promise<UsdcOutcome> {
  const { ports, listing, purchase } = work;
  const outcome = await obtainContent(ports, listing, purchase.query, ports.clock.now());
  if (outcome.kind !== 'delivered') throw paidNotDelivered(outcome);
  const transaction = (purchase.payment.chargeId ?? '0x') as Hex;
  return { kind: 'sold', settled: { purchase, outcome }, transaction };
}
