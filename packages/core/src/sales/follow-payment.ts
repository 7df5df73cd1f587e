import { findContentCallback } from '../agents/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { findListing } from '../listings/index.ts';
import { subsidyRefusal, takeSubsidy } from '../subsidies/index.ts';
import { cancelSale } from './cancel-sale.ts';
import { deliverToCallback } from './collect-sale.ts';
import { type RecordTerms, recordSale, signSale } from './delivery/record-sale.ts';
import { isOtherSliceRecorded } from './delivery/slices.store.ts';
import { cancellationOf } from './moderation/sale-effect.rules.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { bookEarlyCapture, earlyCaptureStatements } from './rails/book-early-captures.ts';
import type { CapturedStanding, Standing } from './rails/rail.ts';
import { railOf } from './rails/rails.ts';
import { isHoldConflict } from './reservation/copy-holds.store.ts';
import { holdCopy } from './reservation/hold-copy.ts';
import { isSoldOutConflict, takePaidUnit } from './reservations.store.ts';
import type { Sale } from './sale.ts';
import { buyerEvent } from './sale-events.ts';
import {
  ADVANCED,
  type Prompt,
  type RequestPrompt,
  type ReservationPrompt,
  type SaleProgress,
} from './sale-progress.ts';
import { isOutcome } from './sale-status.rules.ts';
import { collectUntilOf } from './sale-terms.rules.ts';
import {
  findSale,
  isStatusConflict,
  isUnavailable,
  moveSale,
  rescheduleCheck,
  retryLater,
  setPayment,
} from './sales.store.ts';
import { settlementErrors } from './settlement.errors.ts';

/** Goes by what the outside says of the money, for a sale that nobody is delivering just now. */
export async function followPayment(
  ports: Ports,
  sale: Sale,
  prompt: Exclude<Prompt, RequestPrompt | ReservationPrompt>,
): Promise<SaleProgress> {
  const rail = railOf(sale);
  const { outcome, failure } = sale.payment;
  if (outcome !== null && rail.isHeldOutside) {
    await cancelSale(ports, sale, outcome, failure);
    return ADVANCED;
  }
  const standing =
    prompt.by === 'report'
      ? prompt.standing
      : await rail.reconcile(ports, sale, { isOverdue: prompt.by === 'job' });
  if (sale.status === 'pending_payment') await followPending(ports, sale, standing, prompt);
  else await followAuthorized(ports, sale, standing, prompt);
  return ADVANCED;
}

async function followPending(ports: Ports, sale: Sale, standing: Standing, { by }: Prompt): Promise<void> {
  switch (standing.kind) {
    case 'gone':
      return cancelSale(ports, sale, standing.outcome, standing.failure);
    case 'awaiting_payment':
    case 'pending':
      // Paid in a way that is still being decided: looked at again.
      if (by === 'job') throw new Error('The payment is neither made nor over.');
      return;
    case 'reserved':
    case 'captured':
      if (railOf(sale).isPaidLater) return authorizePaid(ports, sale, standing);
      // A saved card's payment is its own request's to record; once that is dead, it is let go.
      if (by !== 'job') return;
      await ports.market.commit(standing.statements);
      return cancelSale(ports, sale, 'failed', null);
  }
}

type PaidStanding = Extract<Standing, { kind: 'reserved' | 'captured' }>;

/** A person paid: what is reserved waits to be collected, and takes its unit of the listing. */
async function authorizePaid(ports: Ports, sale: Sale, standing: PaidStanding): Promise<void> {
  const { statements } = standing;
  const instrument = standing.kind === 'reserved' ? (standing.instrument ?? null) : null;
  const captureBefore = standing.kind === 'reserved' ? standing.captureBefore : null;
  // Nobody collects what goes back.
  const isPart = standing.kind === 'captured' && standing.isPart === true;
  const { market, clock, jobs, background } = ports;
  const now = clock.now();
  const at = isoTime(now);
  const hold = await holdCopy(ports, sale, instrument, collectUntilOf(captureBefore, now));
  if (hold === null) {
    await market.commit(statements);
    return cancelSale(ports, sale, 'failed', purchaseErrors.copy_holds_limited.code);
  }
  try {
    await market.commit([
      ...moveSale(sale.id, 'pending_payment', 'authorized'),
      ...takePaidUnit(sale),
      ...(sale.payment.holdsUnit ? [] : takeSubsidy(ports, sale, instrument)),
      ...hold.statements,
      ...statements,
      setPayment(sale.id, {
        authorizedAt: at,
        collectUntil: hold.collectUntil,
        // At once: a buyer with a callback URL is delivered to, the others have until it expires.
        dueAt: at,
        leasedUntil: null,
        attempts: 0,
      }),
      ...(standing.kind === 'captured' && !isPart ? earlyCaptureStatements(ports, sale, at) : []),
      ...(isPart ? [] : buyerEvent(ports, { ...sale, status: 'authorized' }, 'purchase.authorized', at)),
    ]);
  } catch (error) {
    if (isSoldOutConflict(error)) {
      // Somebody else paid first: the payment is let go.
      await market.commit(statements);
      return cancelSale(ports, sale, 'failed', purchaseErrors.sold_out.code);
    }
    const spent = subsidyRefusal(error, now);
    if (spent !== null) {
      await market.commit(statements);
      return cancelSale(ports, sale, 'failed', spent.definition.code);
    }
    // Another page was paid at the same moment: this one is judged anew.
    if (isHoldConflict(error)) return authorizePaid(ports, sale, standing);
    if (!isStatusConflict(error)) throw error;
    const found = await findSale(market, sale.id);
    // Given up in between: the money is not kept. Authorised by another report: all is done.
    if (found && isOutcome(found.status))
      await cancelLatePayment(ports, found, { kind: 'reserved', statements, captureBefore });
    return;
  }
  background.run(jobs.send({ kind: 'outbox' }));
  // A slow seller of another purchase must not hold this one up.
  if (sale.buyerId !== null && !isPart) background.run(jobs.send({ kind: 'collect', purchaseId: sale.id }));
}

/**
 * Paid at the last moment, when the sale had ended: the money is not kept, whoever captured it since. Of a sale that is
 * refunded, what was captured went back already.
 */
export async function cancelLatePayment(ports: Ports, sale: Sale, standing: Standing): Promise<void> {
  const rail = railOf(sale);
  if (!rail.isPaidLater) return;
  const isCaptured =
    standing.kind === 'captured' || (standing.kind === 'gone' && standing.outcome === 'refunded');
  if (isCaptured ? sale.status === 'refunded' : standing.kind !== 'reserved') return;
  if (isCaptured) ports.log.error('paid_not_delivered', { purchaseId: sale.id });
  if ('statements' in standing && standing.statements.length > 0)
    await ports.market.commit(standing.statements);
  await rail.cancel(ports, sale, null);
}

async function followAuthorized(ports: Ports, sale: Sale, standing: Standing, { by }: Prompt): Promise<void> {
  if (standing.kind === 'gone') return followGone(ports, sale, standing);
  // Whatever is reported, who collects sees it, and a job does. What was captured by others is booked meanwhile.
  if (by !== 'job') {
    if (standing.kind === 'captured' && railOf(sale).isPaidLater) await bookEarlyCapture(ports, sale);
    return;
  }
  switch (standing.kind) {
    case 'reserved':
      return followUncollected(ports, sale, null);
    case 'captured':
      return railOf(sale).undeliveredGraceMs === 0
        ? followUncollected(ports, sale, standing)
        : followCaptured(ports, sale, standing);
    case 'awaiting_payment':
    case 'pending':
      await ports.market.commit([retryLater(sale, ports.clock.now())]);
      return;
  }
}

/** What goes back already is waited for, whatever is to be seen of it just now. */
async function followGone(
  ports: Ports,
  sale: Sale,
  { outcome, failure }: Extract<Standing, { kind: 'gone' }>,
): Promise<void> {
  if (sale.payment.outcome === null) return cancelSale(ports, sale, outcome, failure);
  ports.log.error('payment_untraced', { purchaseId: sale.id });
  await ports.market.commit([retryLater(sale, ports.clock.now())]);
}

/**
 * It waits to be collected. A request that died while it collected may have captured the money already: what was not
 * shown is given back, unless a callback is still to be tried. What others captured waits for its buyer as before.
 */
async function followUncollected(ports: Ports, sale: Sale, standing: CapturedStanding | null): Promise<void> {
  const isEarly = railOf(sale).isPaidLater && isCapturedByOthers(sale);
  const captured = isEarly ? null : standing;
  const { collectUntil, failure } = sale.payment;
  const listing = await findListing(ports.market, sale.listingId);
  const cancellation = listing && cancellationOf(listing, sale.status);
  if (cancellation !== null)
    return cancelSale(ports, sale, captured === null ? 'expired' : 'refunded', cancellation, { captured });
  if (collectUntil === null || collectUntil <= isoTime(ports.clock.now()))
    return cancelSale(ports, sale, 'expired', failure);
  const callback = railOf(sale).isPaidLater ? await findContentCallback(ports.market, sale.buyerId) : null;
  const isPaused = (callback?.pausedUntil ?? '') > isoTime(ports.clock.now());
  if (callback !== null && !isPaused) return deliverToCallback(ports, sale, callback.callbackUrl);
  if (captured !== null) return cancelSale(ports, sale, 'refunded', null, { captured });
  if (standing !== null) await bookEarlyCapture(ports, sale);
  // It is left to a request meanwhile: an answer that is bound and not sent would be owed a second time.
  const resumeAt = Math.min(epochOf(callback?.pausedUntil ?? collectUntil), epochOf(collectUntil));
  await ports.market.commit([rescheduleCheck(sale, isoTime(resumeAt), 0)]);
}

/** No request has collected it since it was paid, or it was captured before one did. */
const isCapturedByOthers = ({ payment: { setAsideAt, leasedUntil } }: Sale): boolean =>
  setAsideAt !== null || leasedUntil === null;

/**
 * Captured for good by a request that did not live to record it. What was delivered for it is a sale; what was not goes
 * back, after the time for which its payer may still ask for the content.
 */
async function followCaptured(ports: Ports, sale: Sale, standing: CapturedStanding): Promise<void> {
  const { id, payment, createdAt } = sale;
  const { delivery, reference, statements } = standing;
  const refundAt = epochOf(createdAt) + railOf(sale).undeliveredGraceMs;
  const isOwed = ports.clock.now() < refundAt;
  if (delivery !== null && payment.outcome === null) {
    try {
      const signed = await signSale(ports, sale, delivery);
      const commit: RecordTerms['commit'] = (all) => ports.market.commit(all);
      await recordSale(ports, signed, statements, { commit, waiting: 'nobody' });
      return;
    } catch (error) {
      // A database that is down says nothing about the sale, and could not take a decision either.
      // Nor does another slice of the day, after which the fee is judged anew.
      if (isUnavailable(error) || isOtherSliceRecorded(error) || isOwed) throw error;
      ports.log.error('sale_not_recordable', { purchaseId: id, reference, message: String(error) });
    }
  } else {
    ports.log.error('paid_not_delivered', { purchaseId: id, reference });
    if (payment.outcome === null && isOwed) {
      await ports.market.commit([...statements, rescheduleCheck(sale, isoTime(refundAt), 0)]);
      return;
    }
  }
  await cancelSale(ports, sale, 'refunded', settlementErrors.paid_not_delivered.code, {
    captured: standing,
  });
}
