import { Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { findListing, type Listing } from '../listings/index.ts';
import { cancelSaleBestEffort } from './cancel-sale.ts';
import { type DeliveryTerms, deliverSale } from './delivery/deliver-sale.ts';
import type { Undelivered } from './delivery/delivery-refusal.ts';
import { paymentErrors } from './payment.errors.ts';
import { acquireLease, releaseLease } from './reservations.store.ts';
import type { Sale } from './sale.ts';
import { ADVANCED, type SaleProgress } from './sale-progress.ts';
import { CALLBACK_TRIES, LEASE_MS, retryAt } from './sale-terms.rules.ts';
import { isStatusConflict } from './sales.store.ts';

/** Delivers in this call; a Refusal says why nothing can be shown. */
export async function deliverNow(
  ports: Ports,
  listing: Listing,
  sale: Sale,
  terms: DeliveryTerms,
): Promise<SaleProgress> {
  const result = await deliverSale(ports, listing, sale, terms);
  switch (result.kind) {
    case 'sold':
      return { kind: 'sold', sale: result.sale, content: result.content };
    case 'pending':
      throw new Refusal(paymentErrors.payment_not_confirmed, { retryAfterSeconds: 60 });
    case 'refused':
      throw new Refusal(paymentErrors.reservation_gone);
  }
}

/**
 * Collects what is authorised: the seller is asked, the money captured, the content handed over. One request at a time;
 * the others are told to come back.
 */
export async function collectSale(
  ports: Ports,
  sale: Sale,
  callback: Pick<DeliveryTerms, 'waiting' | 'retriesLater'> = { waiting: 'request' },
): Promise<SaleProgress> {
  const { outcome, failure, attempts } = sale.payment;
  if (outcome !== null) {
    // Decided, and the money is on its way back.
    await cancelSaleBestEffort(ports, sale, outcome, failure);
    return ADVANCED;
  }
  const now = ports.clock.now();
  const until = isoTime(now + LEASE_MS);
  const [listing] = await Promise.all([
    findListing(ports.market, sale.listingId),
    lease(ports, acquireLease(sale.id, isoTime(now), until)),
  ]);
  if (!listing) throw new Error(`Purchase ${sale.id} has no listing.`);
  const leased: Sale = { ...sale, payment: { ...sale.payment, leasedUntil: until } };
  try {
    const commit: DeliveryTerms['commit'] = (statements) => ports.market.commit(statements);
    return await deliverNow(ports, listing, leased, { ...callback, commit });
  } catch (error) {
    // Whatever was left undone is looked at soon, and whoever asks again need not wait.
    const soon = retryAt(attempts, ports.clock.now());
    await ports.market.commit([releaseLease(sale.id, until, soon)]).catch(() => {});
    throw error;
  }
}

async function lease({ market }: Ports, statements: readonly Statement[]): Promise<void> {
  try {
    await market.commit(statements);
  } catch (error) {
    if (!isStatusConflict(error)) throw error;
    throw new Refusal(paymentErrors.purchase_in_progress, { retryAfterSeconds: 2 });
  }
}

/** A buyer with a callback URL does not come back by itself. */
export async function deliverToCallback(ports: Ports, sale: Sale): Promise<void> {
  const isLastTry = sale.payment.attempts + 1 >= CALLBACK_TRIES;
  await collectSale(ports, sale, {
    waiting: 'callback',
    retriesLater: (outcome) => !isLastTry && isTemporary(outcome),
  });
}

function isTemporary(outcome: Undelivered): boolean {
  return (
    outcome.kind === 'timed_out' ||
    outcome.kind === 'unavailable' ||
    (outcome.kind === 'failed' && outcome.retryable)
  );
}
