import { Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { epochOf, type IsoTime, isoTime, SECOND_MS } from '../kernel/time.ts';
import { findListing, type Listing } from '../listings/index.ts';
import { cancelSaleBestEffort } from './cancel-sale.ts';
import { collectableAt, staysCollectable } from './collection.rules.ts';
import { countFailureOf, noteRequest } from './delivery/count-outcome.ts';
import { type DeliveryResult, type DeliveryTerms, deliverSale } from './delivery/deliver-sale.ts';
import { deliveryRefusal } from './delivery/delivery-refusal.ts';
import { type ContentPush, newContentPush, pushContent } from './delivery/push-content.ts';
import { cancellationOf } from './moderation/sale-effect.rules.ts';
import { paymentErrors } from './payment.errors.ts';
import { acquireLease, releaseLease } from './reservations.store.ts';
import type { Sale } from './sale.ts';
import { ADVANCED, type SaleProgress } from './sale-progress.ts';
import { LEASE_MS, retryCollectionAt } from './sale-terms.rules.ts';
import { isStatusConflict } from './sales.store.ts';

/** Delivers in this call; a Refusal says why nothing can be shown. */
export async function deliverNow(
  ports: Ports,
  listing: Listing,
  sale: Sale,
  terms: Pick<DeliveryTerms, 'waiting' | 'commit'>,
): Promise<SaleProgress> {
  const result = await deliverSale(ports, listing, sale, terms);
  if (result.kind === 'undelivered') throw deliveryRefusal(result.outcome);
  return progressOf(result);
}

function progressOf(result: Exclude<DeliveryResult, { kind: 'undelivered' }>): SaleProgress {
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
 * the others are told to come back. A seller that fails in a way that may pass may be asked again.
 */
export async function collectSale(
  ports: Ports,
  sale: Sale,
  waiting: DeliveryTerms['waiting'] = 'request',
): Promise<SaleProgress> {
  const { outcome, failure, failedCollections } = sale.payment;
  if (outcome !== null) {
    // Decided, and the money is on its way back.
    await cancelSaleBestEffort(ports, sale, outcome, failure);
    return ADVANCED;
  }
  const now = ports.clock.now();
  const againAt = collectableAt(failedCollections, now);
  if (againAt !== null) {
    const retryAfterSeconds = Math.ceil((epochOf(againAt) - now) / SECOND_MS);
    throw new Refusal(paymentErrors.collections_limited, { charged: false, retryAfterSeconds });
  }
  const until = isoTime(now + LEASE_MS);
  const [listing] = await Promise.all([
    findListing(ports.market, sale.listingId),
    lease(ports, acquireLease(sale, isoTime(now), until)),
  ]);
  if (!listing) throw new Error(`Purchase ${sale.id} has no listing.`);
  const cancellation = cancellationOf(listing, sale.status);
  if (cancellation !== null) {
    await cancelSaleBestEffort(ports, sale, 'expired', cancellation);
    return ADVANCED;
  }
  const leased: Sale = { ...sale, payment: { ...sale.payment, leasedUntil: until } };
  const terms: DeliveryTerms = {
    waiting,
    staysReserved: (outcome) => staysCollectable(outcome, failedCollections),
    commit: (statements) => ports.market.commit(statements),
  };
  // Whatever was left undone is looked at soon, and whoever asks again need not wait.
  const release = async (failure: Undelivery | null) => {
    const at = ports.clock.now();
    const counts = failure === null ? [] : countsOf(listing, sale, failure, isoTime(at));
    const failedAt = failure && isoTime(at);
    const leaseEnd = releaseLease(sale.id, until, retryCollectionAt(sale.payment, at), failedAt);
    await ports.market.commit([leaseEnd, ...counts]).catch(() => {});
  };
  const result = await deliverSale(ports, listing, leased, terms).catch(async (error: unknown) => {
    await release(null);
    throw error;
  });
  if (result.kind === 'sold') return progressOf(result);
  await release(result.kind === 'undelivered' ? result : null);
  if (result.kind !== 'undelivered') return progressOf(result);
  const { definition, details } = deliveryRefusal(result.outcome);
  // Asking for the same purchase again helps only while its money is reserved.
  throw new Refusal({ ...definition, retryable: result.staysReserved }, details);
}

type Undelivery = Extract<DeliveryResult, { kind: 'undelivered' }>;

/** Where the sale ended, the failure is counted with its end, and the lease is not there to be released. */
function countsOf(
  listing: Listing,
  sale: Sale,
  { outcome, staysReserved }: Undelivery,
  at: IsoTime,
): readonly Statement[] {
  const counts = countFailureOf(listing, outcome, sale, at, 'previous_statement');
  return staysReserved ? [...counts, noteRequest(sale, outcome, at)] : counts;
}

async function lease({ market }: Ports, statements: readonly Statement[]): Promise<void> {
  try {
    await market.commit(statements);
  } catch (error) {
    if (!isStatusConflict(error)) throw error;
    throw new Refusal(paymentErrors.purchase_in_progress, { retryAfterSeconds: 2 });
  }
}

/** A buyer with a callback URL does not come back by itself: what it paid for is collected and sent there. */
export async function deliverToCallback(ports: Ports, sale: Sale, callbackUrl: string): Promise<void> {
  const callback: ContentPush = newContentPush(ports, callbackUrl);
  const progress = await collectSale(ports, sale, callback).catch((error: unknown) => {
    if (error instanceof Refusal && error.definition.retryable) scheduleCollection(ports, sale);
    throw error;
  });
  if (progress.kind === 'sold') await pushContent(ports, progress.sale, progress.content, callback);
}

/** Back to the queue, until the time that the sale is due again. */
function scheduleCollection({ background, clock, jobs }: Ports, { id, payment }: Sale): void {
  const now = clock.now();
  const delayMs = epochOf(retryCollectionAt(payment, now)) - now;
  background.run(jobs.send({ kind: 'collect', purchaseId: id }, delayMs));
}
