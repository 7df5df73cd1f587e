import { type DeliveryOutcome, isSellersFailure } from '../delivery/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { Listing } from '../listings/index.ts';
import { maybeAutoRecharge } from '../wallet/index.ts';
import { deliveryRefusal, type Undelivered } from './delivery-refusal.ts';
import { type Ending, tryGiveBack } from './give-back.ts';
import { obtainContent } from './obtain-content.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';
import { countFailed, type ToCount } from './purchases.store.ts';
import { type Commit, settleDelivered } from './settle-delivered.ts';

export interface Settled {
  readonly purchase: PaidPurchase;
  readonly outcome: Extract<DeliveryOutcome, { kind: 'delivered' }>;
}

export interface DeliveryTerms {
  readonly commit: Commit;
  /** The buyer is not waiting for the answer, but told of it later. */
  readonly isPushed: boolean;
  /** Whether to leave the reservation as it is after this outcome, to ask the seller again later. */
  keeps(outcome: Undelivered): boolean;
}

/**
 * For a buyer who waits for the answer of this very request. If nobody can tell how it ended, what was
 * reserved goes back at once: the buyer will ask anew.
 */
export async function deliverWhileWaiting(
  { ports, commit }: Pick<OperationContext, 'ports' | 'commit'>,
  listing: Listing,
  purchase: PaidPurchase,
): Promise<Settled> {
  try {
    return await deliverAndSettle(ports, listing, purchase, {
      commit: (statements) => commit(statements, { purchaseId: purchase.id }),
      isPushed: false,
      keeps: () => false,
    });
  } catch (error) {
    const isKnown = error instanceof Refusal && error.definition !== paymentErrors.payment_not_confirmed;
    if (!isKnown) await tryGiveBack(ports, purchase, 'failed', null);
    throw error;
  }
}

/**
 * Query, then charge: asks the seller of an authorised purchase, takes the money if it delivered, and gives
 * everything back if it did not.
 */
export async function deliverAndSettle(
  ports: Ports,
  listing: Listing,
  purchase: PaidPurchase,
  terms: DeliveryTerms,
): Promise<Settled> {
  // The version that was bought: the listing may have changed since.
  const bought = { ...listing, fingerprint: purchase.payment.fingerprint };
  const outcome = await obtainContent(ports, bought, purchase.query, ports.clock.now());
  if (outcome.kind !== 'delivered') {
    const refusal = deliveryRefusal(outcome);
    noteUndelivered(ports, listing, outcome, purchase);
    if (!terms.keeps(outcome)) await tryGiveBack(ports, purchase, endingOf(outcome), refusal.definition.code);
    throw refusal;
  }
  const settled = await settleDelivered(ports, purchase, outcome.digest, terms);
  ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  if (settled.rail === 'wallet' && settled.buyerId !== null)
    ports.background.run(maybeAutoRecharge(ports, settled.buyerId));
  return { purchase: settled, outcome };
}

/** Data that is not what it claims to be is refunded, as the contract calls it; the rest was never charged. */
export function endingOf({ kind }: Undelivered): Ending {
  return kind === 'integrity_mismatch' ? 'refunded' : 'failed';
}

/** Off the request's path: reputation may lag a little. The platform needs none. */
export function noteUndelivered(
  ports: Ports,
  { seller }: Listing,
  outcome: Undelivered,
  purchase: ToCount,
): void {
  if (seller.kind === 'platform' || !isSellersFailure(outcome)) return;
  ports.background.run(ports.market.commit([countFailed(purchase)]));
}
