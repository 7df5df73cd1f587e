import { isOvertaken, retryAt } from '../escrow/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Chain, Hex, PaymentFault } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import { endingOf, noteUndelivered, type Settled } from './deliver-and-settle.ts';
import { deliveryRefusal, type Undelivered } from './delivery-refusal.ts';
import { tryGiveBack } from './give-back.ts';
import { obtainContent } from './obtain-content.ts';
import type { PaidPurchase } from './purchase.ts';
import { WORK_MS } from './purchase-terms.rules.ts';
import { commitSurely } from './reserve.ts';
import { recordSale, type SignedSale, signSale } from './settle-delivered.ts';
import { usdcErrors } from './usdc.errors.ts';
import type { UsdcOffer } from './usdc-payment.ts';
import { noteDelivered, noteSettling } from './usdc-payments.store.ts';
import { SETTLE_MS, SETTLE_ROOM_MS, TIME_FAULTS, timeFault } from './usdc-times.rules.ts';

export type UsdcOutcome =
  | { readonly kind: 'sold'; readonly settled: Settled; readonly transaction: Hex }
  /** Nothing was charged, and this payment is free again. */
  | { readonly kind: 'refused'; readonly fault: PaymentFault }
  /** Nobody knows yet. */
  | { readonly kind: 'pending'; readonly transaction: Hex | null };

/** What is known of the money before the seller is asked. */
export type UsdcStanding =
  | { readonly kind: 'unasked' }
  /** Settlement was asked for before; the chain does not show it, and may yet. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'paid'; readonly transaction: Hex };

/** Everything that one request works with. */
export interface UsdcWork {
  readonly ports: Ports;
  readonly chain: Chain;
  readonly listing: Listing;
  readonly purchase: PaidPurchase;
  readonly offer: UsdcOffer;
}

/**
 * Query, then charge: asks the seller, has the payer's transfer settled if it delivered, and records the
 * sale. Nothing is shown before that. What is not paid and never will be is given back.
 */
export async function deliverForUsdc(work: UsdcWork, standing: UsdcStanding): Promise<UsdcOutcome> {
  const { ports, listing, purchase } = work;
  // The version that was bought: the listing may have changed since.
  const bought = { ...listing, fingerprint: purchase.payment.fingerprint };
  const outcome = await obtainContent(ports, bought, purchase.query, ports.clock.now());
  if (outcome.kind !== 'delivered') return undelivered(work, standing, outcome);

  let sale: SignedSale;
  try {
    sale = await signSale(ports, purchase, outcome.digest, isoTime(ports.clock.now()));
  } catch (error) {
    return unsigned(work, standing, error);
  }
  const money = await takeMoney(work, standing, sale);
  if (money.kind !== 'paid') return money;
  const { transaction } = money;
  try {
    const settled = await recordSale(ports, sale, transaction, {
      commit: (statements) => ports.market.commit(statements),
      isPushed: false,
    });
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return { kind: 'sold', settled: { purchase: settled, outcome }, transaction };
  } catch (error) {
    // Paid on chain and not written down: the same payment again, or a job, records it.
    ports.log.error('usdc_sale_not_recorded', { purchaseId: purchase.id, message: String(error) });
    return stillPending(work, transaction);
  }
}

async function takeMoney(
  work: UsdcWork,
  standing: UsdcStanding,
  { contentDigest, deliveredAt }: SignedSale,
): Promise<{ kind: 'paid'; transaction: Hex } | Exclude<UsdcOutcome, { kind: 'sold' }>> {
  const { ports, chain, purchase, offer } = work;
  const { transfer, wire } = offer;
  const now = ports.clock.now();
  const late = timeFault(transfer.authorization, now, SETTLE_ROOM_MS);
  if (late !== null && standing.kind === 'asked') return stillPending(work, null);
  if (late !== null && standing.kind === 'unasked') return giveUp(work, TIME_FAULTS[late]);

  const noted = { contentDigest, deliveredAt };
  const workedUntil = isoTime(now + WORK_MS);
  try {
    await commitSurely(() => ports.market.commit(noteDelivered(purchase.id, noted, workedUntil)));
  } catch (error) {
    // Sold or given back by somebody else: the same payment again finds out which.
    if (isOvertaken(error))
      throw new Refusal(usdcErrors.payment_in_progress, { charged: null, retryAfterSeconds: 1 });
    if (standing.kind === 'unasked') throw error;
    return stillPending(work, null);
  }
  if (standing.kind === 'paid') return standing;

  const outcome = await chain.settle(transfer, wire, SETTLE_MS);
  if (outcome.kind === 'settled') return { kind: 'paid', transaction: outcome.transaction };
  if (outcome.kind === 'pending') return stillPending(work, outcome.transaction);
  // Whoever settles may be wrong about it; the chain is not.
  const trace = await chain.find(transfer.authorization);
  switch (trace.kind) {
    case 'settled':
      return { kind: 'paid', transaction: trace.transaction };
    case 'pending':
      return stillPending(work, trace.transaction);
    case 'unavailable':
      return stillPending(work, null);
    case 'unused':
    case 'void':
      return giveUp(work, outcome.fault);
  }
}

/** Nothing is asked for that no receipt can be made of; what was paid already is for the next try, or goes back. */
async function unsigned(work: UsdcWork, standing: UsdcStanding, error: unknown): Promise<UsdcOutcome> {
  const { ports, purchase } = work;
  if (standing.kind === 'unasked') {
    await tryGiveBack(ports, purchase, 'failed', null);
    throw error;
  }
  ports.log.error('usdc_sale_not_recorded', { purchaseId: purchase.id, message: String(error) });
  return stillPending(work, standing.kind === 'paid' ? standing.transaction : null);
}

async function undelivered(
  work: UsdcWork,
  standing: UsdcStanding,
  outcome: Undelivered,
): Promise<UsdcOutcome> {
  const { ports, listing, purchase } = work;
  noteUndelivered(ports, listing, outcome, purchase);
  if (standing.kind === 'paid') throw paidNotDelivered(outcome);
  const refusal = deliveryRefusal(outcome);
  if (standing.kind === 'asked') return stillPending(work, null);
  await tryGiveBack(ports, purchase, endingOf(outcome), refusal.definition.code);
  throw refusal;
}

export function paidNotDelivered(outcome: Undelivered): Refusal {
  const [why] = deliveryRefusal(outcome).definition.title.split('.');
  const detail = `${why}. The payment is settled and stays good for this query.`;
  return new Refusal(usdcErrors.paid_not_delivered, { detail, charged: true, retryAfterSeconds: 5 });
}

/** This payment will not be settled by what was done here: the reservation ends. */
export async function giveUp(
  { ports, purchase }: Pick<UsdcWork, 'ports' | 'purchase'>,
  fault: PaymentFault,
): Promise<{ kind: 'refused'; fault: PaymentFault }> {
  await tryGiveBack(ports, purchase, 'failed', fault.slice(0, 64));
  return { kind: 'refused', fault };
}

/** Leaves it to the same payment sent again, and to a job that looks soon. */
export async function stillPending(
  { ports, purchase }: Pick<UsdcWork, 'ports' | 'purchase'>,
  transaction: Hex | null,
): Promise<{ kind: 'pending'; transaction: Hex | null }> {
  const soon = retryAt(0, ports.clock.now());
  await ports.market.commit(noteSettling(purchase.id, transaction, soon)).catch((error: unknown) => {
    ports.log.error('settlement_not_noted', {
      purchaseId: purchase.id,
      transaction,
      message: String(error),
    });
  });
  return { kind: 'pending', transaction };
}
