import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { findListing, type Listing } from '../listings/index.ts';
import { cancelSale, cancelSaleBestEffort } from './cancel-sale.ts';
import { type Content, type DeliveryTerms, deliverSale } from './delivery/deliver-sale.ts';
import type { Undelivered } from './delivery/delivery-refusal.ts';
import { recordSale, signSale } from './delivery/record-sale.ts';
import { advanceEscrow } from './escrow/advance-escrow.ts';
import { paymentErrors } from './payment.errors.ts';
import { purchaseErrors } from './purchases.errors.ts';
import type { CapturedStanding, PaymentPage, Standing } from './rails/rail.ts';
import { railOf } from './rails/rails.ts';
import { acquireLease, isSoldOutConflict, releaseLease, takePaidUnit } from './reservations.store.ts';
import type { Sale } from './sale.ts';
import { buyerEvent } from './sale-events.ts';
import { isOutcome } from './sale-status.rules.ts';
import { AUTHORIZATION_MS, CALLBACK_TRIES, LEASE_MS, retryAt } from './sale-terms.rules.ts';
import {
  findSale,
  hasCallbackUrl,
  isStatusConflict,
  isUnavailable,
  moveSale,
  rescheduleCheck,
  setPayment,
} from './sales.store.ts';
import { settlementErrors } from './settlement.errors.ts';

/** Who wants a sale brought on. */
export type Prompt =
  /** The request that made it: its buyer waits. */
  | {
      readonly by: 'request';
      readonly listing: Listing;
      readonly page: PaymentPage;
      /** Records the outcome for a repeated request, too. */
      commit(statements: readonly Statement[]): Promise<unknown>;
    }
  /** The request that made it, for a buyer who collects later. */
  | { readonly by: 'reservation' }
  /** Its buyer, who asks for the content. */
  | { readonly by: 'buyer' }
  /** Somebody outside reports of its payment; `standing` is what that object says. */
  | { readonly by: 'report'; readonly standing: Standing }
  /** The operator decided where its money goes. */
  | { readonly by: 'decision' }
  /** The jobs, when it is due. */
  | { readonly by: 'job' };

export type Progress =
  /** Delivered and captured in this call: the content may be shown. */
  | { readonly kind: 'sold'; readonly sale: Sale; readonly content: Content }
  /** A person has to pay first. */
  | { readonly kind: 'awaiting_payment'; readonly sale: Sale; readonly checkoutUrl: string | null }
  /** As far as it goes for now; the row says where it stands. */
  | { readonly kind: 'advanced' };

const ADVANCED: Progress = { kind: 'advanced' };

/**
 * Brings a sale on towards its end: reads where it stands, asks its rail, and writes the next step. Requests, reports
 * of processors, queue messages and the clock all call this, and nothing else does it. Called twice, late, out of order
 * or by two at once, it changes nothing more. Throws a Refusal where the buyer is to know why it did not go on.
 */
export async function advanceSale(ports: Ports, sale: Sale, prompt: Prompt): Promise<Progress> {
  switch (sale.status) {
    case 'pending_payment':
      return prompt.by === 'request' || prompt.by === 'reservation'
        ? confirmSale(ports, sale, prompt)
        : followPayment(ports, sale, prompt);
    case 'authorized':
      if (prompt.by === 'reservation') return ADVANCED;
      if (prompt.by === 'request') return deliverToRequest(ports, sale, prompt);
      if (prompt.by === 'buyer') return collectSale(ports, sale);
      return followPayment(ports, sale, prompt);
    case 'held':
    case 'releasing':
      if (prompt.by === 'job' || prompt.by === 'decision') await advanceEscrow(ports, sale, prompt);
      return ADVANCED;
    case 'released':
      return ADVANCED;
    case 'failed':
    case 'expired':
    case 'refunded':
      if (prompt.by === 'report') await cancelLatePayment(ports, sale, prompt.standing);
      return ADVANCED;
  }
}

type RequestPrompt = Extract<Prompt, { by: 'request' }>;
type ReservationPrompt = Extract<Prompt, { by: 'reservation' }>;

/** Asks for the money of a sale that was just reserved. */
async function confirmSale(
  ports: Ports,
  sale: Sale,
  prompt: RequestPrompt | ReservationPrompt,
): Promise<Progress> {
  const rail = railOf(sale);
  const page = prompt.by === 'request' ? prompt.page : null;
  const confirmation = await rail.confirm(ports, sale, page).catch(async (error: unknown) => {
    // If there is a page after all, nobody knows its address. An answer of another kind is learnt by a job.
    if (rail.isPaidLater) await cancelSaleBestEffort(ports, sale, 'failed', 'no_checkout');
    throw error;
  });
  switch (confirmation.kind) {
    case 'authorized':
      return advanceSale(ports, await recordAuthorized(ports, sale, confirmation.statements), prompt);
    case 'awaiting_payment': {
      if (prompt.by !== 'request') throw new Error(`Purchase ${sale.id} opened a page for nobody.`);
      const { checkoutUrl, dueAt, statements } = confirmation;
      const opened = setPayment(sale.id, { dueAt, leasedUntil: null });
      await prompt.commit([...statements, opened]);
      return { kind: 'awaiting_payment', sale, checkoutUrl };
    }
    case 'refused':
      return refuseSale(ports, sale, confirmation.error);
  }
}

async function refuseSale(ports: Ports, sale: Sale, definition: ErrorDefinition): Promise<never> {
  await cancelSaleBestEffort(ports, sale, 'failed', definition.code);
  throw new Refusal(definition);
}

/** For a saved card, whose buyer waits for the answer of this very request. */
async function recordAuthorized(ports: Ports, sale: Sale, statements: readonly Statement[]): Promise<Sale> {
  const { id, payment } = sale;
  const changes = {
    authorizedAt: isoTime(ports.clock.now()),
    // Until then the buyer waits for the answer; what is left after it goes back.
    collectUntil: payment.leasedUntil,
  };
  const authorized: Sale = { ...sale, status: 'authorized', payment: { ...payment, ...changes } };
  const step = [...moveSale(id, 'pending_payment', 'authorized'), setPayment(id, changes), ...statements];
  try {
    await ports.market.commit(step);
    return authorized;
  } catch (error) {
    if (isStatusConflict(error)) throw new Refusal(paymentErrors.reservation_gone);
    const found = isUnavailable(error) ? await findSale(ports.market, id) : null;
    if (found?.status === 'authorized' && found.payment.outcome === null) return authorized;
    throw error;
  }
}

/**
 * For a buyer who waits for the answer of this very request. If nobody can tell how it ended, what was reserved goes
 * back at once: the buyer will ask anew.
 */
async function deliverToRequest(ports: Ports, sale: Sale, prompt: RequestPrompt): Promise<Progress> {
  const terms = { commit: prompt.commit, isForCallback: false };
  try {
    return await deliverNow(ports, prompt.listing, sale, terms);
  } catch (error) {
    const isKnown = error instanceof Refusal && error.definition !== paymentErrors.payment_not_confirmed;
    if (!isKnown) await cancelSaleBestEffort(ports, sale, 'failed', null);
    throw error;
  }
}

async function deliverNow(
  ports: Ports,
  listing: Listing,
  sale: Sale,
  terms: DeliveryTerms,
): Promise<Progress> {
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
async function collectSale(
  ports: Ports,
  sale: Sale,
  callback: Pick<DeliveryTerms, 'isForCallback' | 'retriesLater'> = { isForCallback: false },
): Promise<Progress> {
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

/** Goes by what the outside says of the money, for a sale that nobody is delivering just now. */
async function followPayment(
  ports: Ports,
  sale: Sale,
  prompt: Exclude<Prompt, RequestPrompt | ReservationPrompt>,
): Promise<Progress> {
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
      if (railOf(sale).isPaidLater) return authorizePaid(ports, sale, standing.statements);
      // A saved card's payment is its own request's to record; once that is dead, it is let go.
      if (by !== 'job') return;
      await ports.market.commit(standing.statements);
      return cancelSale(ports, sale, 'failed', null);
  }
}

/** A person paid: what is reserved waits to be collected, and takes its unit of the listing. */
async function authorizePaid(ports: Ports, sale: Sale, statements: readonly Statement[]): Promise<void> {
  const { market, clock, jobs, background } = ports;
  const now = clock.now();
  const at = isoTime(now);
  try {
    await market.commit([
      ...moveSale(sale.id, 'pending_payment', 'authorized'),
      ...takePaidUnit(sale),
      ...statements,
      setPayment(sale.id, {
        authorizedAt: at,
        collectUntil: isoTime(now + AUTHORIZATION_MS),
        // At once: a buyer with a callback URL is delivered to, the others have until it expires.
        dueAt: at,
        leasedUntil: null,
        attempts: 0,
      }),
      ...buyerEvent(ports, { ...sale, status: 'authorized' }, 'purchase.authorized', at),
    ]);
  } catch (error) {
    if (isSoldOutConflict(error)) {
      // Somebody else paid first: the payment is let go.
      await market.commit(statements);
      return cancelSale(ports, sale, 'failed', purchaseErrors.sold_out.code);
    }
    if (!isStatusConflict(error)) throw error;
    const found = await findSale(market, sale.id);
    // Given up in between: the money is not kept. Authorised by another report: all is done.
    if (found && isOutcome(found.status))
      await cancelLatePayment(ports, found, { kind: 'reserved', statements });
    return;
  }
  background.run(jobs.send({ kind: 'outbox' }));
}

/** Paid at the last moment, when the sale had ended: the money is not kept. */
async function cancelLatePayment(ports: Ports, sale: Sale, standing: Standing): Promise<void> {
  const rail = railOf(sale);
  if (standing.kind !== 'reserved' || !rail.isPaidLater) return;
  if (standing.statements.length > 0) await ports.market.commit(standing.statements);
  await rail.cancel(ports, sale, null);
}

async function followAuthorized(ports: Ports, sale: Sale, standing: Standing, { by }: Prompt): Promise<void> {
  if (standing.kind === 'gone') return followGone(ports, sale, standing);
  // Whatever else is reported, who collects sees it; and a job does.
  if (by !== 'job') return;
  switch (standing.kind) {
    case 'reserved':
      return followUncollected(ports, sale, null);
    case 'captured':
      return railOf(sale).undeliveredGraceMs === 0
        ? followUncollected(ports, sale, standing)
        : followCaptured(ports, sale, standing);
    case 'awaiting_payment':
    case 'pending':
      return lookLater(ports, sale);
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
  await lookLater(ports, sale);
}

async function lookLater({ market, clock }: Ports, sale: Sale): Promise<void> {
  const { attempts } = sale.payment;
  await market.commit([rescheduleCheck(sale, retryAt(attempts, clock.now()), attempts + 1)]);
}

/**
 * It waits to be collected. A request that died while it collected may have captured the money already: what was not
 * shown is given back, unless a callback is still to be tried.
 */
async function followUncollected(ports: Ports, sale: Sale, captured: CapturedStanding | null): Promise<void> {
  const { collectUntil, failure } = sale.payment;
  if (collectUntil === null || collectUntil <= isoTime(ports.clock.now()))
    return cancelSale(ports, sale, 'expired', failure);
  if (railOf(sale).isPaidLater && (await hasCallbackUrl(ports.market, sale.buyerId)))
    return deliverToCallback(ports, sale);
  if (captured !== null) return cancelSale(ports, sale, 'refunded', null, captured);
  await ports.market.commit([rescheduleCheck(sale, collectUntil, 0)]);
}

/** A buyer with a callback URL does not come back by itself. */
async function deliverToCallback(ports: Ports, sale: Sale): Promise<void> {
  const isLastTry = sale.payment.attempts + 1 >= CALLBACK_TRIES;
  await collectSale(ports, sale, {
    isForCallback: true,
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
      const signed = await signSale(ports, sale, delivery.contentDigest, delivery.deliveredAt);
      const commit: DeliveryTerms['commit'] = (all) => ports.market.commit(all);
      await recordSale(ports, signed, statements, { commit, isForCallback: false });
      return;
    } catch (error) {
      // A database that is down says nothing about the sale, and could not take a decision either.
      if (isUnavailable(error) || isOwed) throw error;
      ports.log.error('sale_not_recordable', { purchaseId: id, reference, message: String(error) });
    }
  } else {
    ports.log.error('paid_not_delivered', { purchaseId: id, reference });
    if (payment.outcome === null && isOwed) {
      await ports.market.commit([...statements, rescheduleCheck(sale, isoTime(refundAt), 0)]);
      return;
    }
  }
  await cancelSale(ports, sale, 'refunded', settlementErrors.paid_not_delivered.code, standing);
}
