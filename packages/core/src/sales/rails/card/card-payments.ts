import { Refusal } from '../../../kernel/errors.ts';
import {
  type CaptureOutcome,
  type CardProcessor,
  CardProcessorError,
  type Payment as ProcessorPayment,
} from '../../../kernel/ports/card-processor.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import { isoTime } from '../../../kernel/time.ts';
import { leftCents } from '../../ledger-sale.rules.ts';
import { paymentErrors } from '../../payment.errors.ts';
import type { Sale } from '../../sale.ts';
import { refundKey } from '../../sale-terms.rules.ts';
import { setPayment } from '../../sales.store.ts';
import type { Cancellation, Capture, RailPorts, RefundOutcome, Standing } from '../rail.ts';
import { isTakenWhole } from './chargeback.rules.ts';
import { coverChargebacks, isTakenInPart, listLostChargebacks } from './chargebacks.store.ts';
import { isReturn } from './returned-payment.ts';

/** What one payment of the processor knows, whether a saved card or a page made it. */
export interface ProcessorSale {
  readonly sale: Sale;
  readonly paymentId: string | null;
  /** Writes down what charged it. */
  setCharge(chargeId: string | null): Statement;
}

/** Takes the money that a payment reserved. */
export async function capturePayment(
  ports: RailPorts,
  { sale, paymentId, setCharge }: ProcessorSale,
): Promise<Capture> {
  if (ports.cards === null)
    throw new Refusal(paymentErrors.payments_not_available, { retryAfterSeconds: 60 });
  if (paymentId === null) throw new Error(`Purchase ${sale.id} has no payment.`);
  const { cards } = ports;
  try {
    const captured = await askTwice(() => cards.capture(`purchase:${sale.id}:capture`, paymentId));
    if (captured.kind === 'expired') return { kind: 'gone' };
    if (captured.capturedCents < sale.amountCents) {
      ports.log.error('payment_mismatch', { purchaseId: sale.id });
      return { kind: 'gone' };
    }
    if (await isGivenBack(cards, paymentId, captured)) return { kind: 'gone' };
    return { kind: 'captured', reference: captured.chargeId, statements: [setCharge(captured.chargeId)] };
  } catch (error) {
    throw toPaymentRefusal(error);
  }
}

/** Captured in the processor's dashboard and refunded there or lost to a bank, whose reports may be lost: nothing pays for content. */
async function isGivenBack(
  cards: CardProcessor,
  paymentId: string,
  { capturedCents, refundedCents, isDisputed }: Extract<CaptureOutcome, { kind: 'captured' }>,
): Promise<boolean> {
  if (refundedCents >= capturedCents) return true;
  if (!isDisputed) return false;
  const { disputeIds } = await cards.getPayment(paymentId);
  const disputes = await Promise.all(disputeIds.map((disputeId) => cards.getDispute(disputeId)));
  const lost = disputes.filter(({ status }) => status === 'lost');
  return isTakenWhole([...lost, { withdrawnCents: refundedCents }], capturedCents);
}

/** A payment is cancelled or captured, never both: the processor's own object says which. */
export async function cancelPayment(
  ports: RailPorts,
  { sale, paymentId, setCharge }: ProcessorSale,
): Promise<Cancellation> {
  if (paymentId === null) return { kind: 'released' };
  const cards = processorOf(ports);
  try {
    await cards.cancel(`purchase:${sale.id}:cancel`, paymentId);
  } catch (error) {
    if (!isRefusedOutright(error)) throw error;
  }
  const payment = await cards.getPayment(paymentId);
  if (payment.status === 'authorized') throw new CardProcessorError('still authorized', true);
  if (payment.status !== 'captured') return { kind: 'released' };
  const refunded = await refundCaptured(ports, cards, sale, payment);
  if (refunded === null) return { kind: 'pending' };
  return { ...refunded, statements: [setCharge(payment.chargeId), ...refunded.statements] };
}

/**
 * Captured by a request that did not live to record it, or by others: nothing was shown, all of it goes back, less what
 * finance refunded of it before the sale ended.
 */
async function refundCaptured(
  ports: RailPorts,
  cards: CardProcessor,
  sale: Sale,
  { paymentId, capturedCents: amountCents }: ProcessorPayment,
) {
  const { market, clock, log } = ports;
  const { id, payment } = sale;
  const { refundFailures } = payment;
  const refunded = { kind: 'refunded' as const, capturedCents: amountCents };
  const at = isoTime(clock.now());
  const returned = (await listLostChargebacks(market, id)).filter(({ disputeId }) => isReturn(disputeId));
  const returnedCents = returned.reduce((sum, { withdrawnCents }) => sum + withdrawnCents, 0);
  if (isTakenWhole(returned, amountCents)) {
    const statements = coverChargebacks(returned, amountCents, at);
    return { ...refunded, refundId: null, isChargedBack: true, statements };
  }
  try {
    const { refundId, status } = await cards.refund(refundKey(id, refundFailures), {
      paymentId,
      amountCents: amountCents - returnedCents,
    });
    if (status === 'failed') {
      log.error('refund_failed', { purchaseId: id, refundId });
      // The next try is another refund: under this key the processor would only repeat its answer.
      await market.commit([setPayment(id, { refundFailures: refundFailures + 1 })]);
    }
    if (status !== 'succeeded') return null;
    const statements = coverChargebacks(returned, returnedCents, at);
    return { ...refunded, refundId, isChargedBack: false, takenCents: returnedCents, statements };
  } catch (error) {
    // What the cardholder's bank has taken back already the processor does not refund again.
    const lost = isRefusedOutright(error) ? await listLostChargebacks(market, id) : [];
    if (!isTakenWhole(lost, amountCents)) throw error;
    const statements = coverChargebacks(lost, amountCents, at);
    return { ...refunded, refundId: null, isChargedBack: true, statements };
  }
}

/**
 * Gives back what is left of what was captured, under one key until the answer is known. The processor refunds nothing
 * of a payment of which a bank took a part: asked again, it would refuse for ever.
 */
export async function refundPayment(
  { cards, market }: RailPorts,
  { sale, paymentId }: ProcessorSale,
): Promise<RefundOutcome> {
  if (cards === null || paymentId === null) return { kind: 'pending' };
  const amountCents = Math.min(leftCents(sale), sale.payment.capturedCents);
  const isWhole = amountCents === sale.payment.capturedCents;
  const key = refundKey(sale.id, sale.payment.refundFailures);
  // Another amount is another request: the processor refuses it under the key of the first.
  const keyOfPart = isWhole ? key : `${key}:${amountCents}`;
  try {
    const { refundId, status } = await cards.refund(keyOfPart, { paymentId, amountCents });
    return status === 'succeeded' ? { kind: 'refunded', refundId } : { kind: status };
  } catch (error) {
    if (isRefusedOutright(error) && (await isTakenInPart(market, sale.id))) return { kind: 'failed' };
    throw error;
  }
}

/** What a payment of the processor means for the sale that it pays. */
export function standingOfPayment(
  { log }: RailPorts,
  { sale, setCharge }: ProcessorSale,
  payment: ProcessorPayment,
  noted: readonly Statement[],
): Standing {
  if (payment.amountCents !== sale.amountCents) {
    log.error('payment_mismatch', { purchaseId: sale.id });
    return { kind: 'pending' };
  }
  switch (payment.status) {
    case 'requires_payment':
      return { kind: 'pending' };
    case 'authorized':
      return {
        kind: 'reserved',
        statements: noted,
        captureBefore: payment.captureBeforeMs,
        instrument: payment.cardFingerprint,
      };
    case 'captured': {
      const { chargeId } = payment;
      const statements = [...noted, setCharge(chargeId)];
      const captured = { kind: 'captured' as const, delivery: null, reference: chargeId, statements };
      if (payment.capturedCents >= sale.amountCents) return captured;
      // A part is not the price. What was never authorized is noted first: its refund names the payment.
      if (sale.status === 'pending_payment') return { ...captured, isPart: true };
      log.error('payment_mismatch', { purchaseId: sale.id });
      return { kind: 'gone', outcome: 'refunded', failure: paymentErrors.reservation_gone.code };
    }
    case 'canceled':
      // A page whose payment failed may be paid again, until it is closed.
      return sale.status === 'authorized'
        ? { kind: 'gone', outcome: 'expired', failure: null }
        : { kind: 'pending' };
  }
}

/** The processor will not do it as it was asked, now or later, and nothing happened. */
export function isRefusedOutright(error: unknown): error is CardProcessorError {
  return error instanceof CardProcessorError && !error.retryable;
}

/** Asks once more where the answer was lost: under the same key it happens once. */
export async function askTwice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CardProcessorError) || !error.retryable) throw error;
    return ask();
  }
}

/** What a caller is told while the processor's answer is not known. */
export function toPaymentRefusal(error: unknown): unknown {
  return error instanceof CardProcessorError
    ? new Refusal(paymentErrors.payment_not_confirmed, { retryAfterSeconds: 60 })
    : error;
}

/** For what cannot wait for an answer to the buyer: jobs, and what follows a delivery. */
export function processorOf({ cards }: RailPorts): CardProcessor {
  if (cards === null) throw new Error('There is no card processor to ask.');
  return cards;
}

export function requireCards(cards: CardProcessor | null, amountCents: number): CardProcessor {
  if (cards === null) throw new Refusal(paymentErrors.payments_not_available, { retryAfterSeconds: 3600 });
  const { minCents, maxCents } = cards.chargeLimits;
  if (amountCents < minCents || amountCents > maxCents) {
    throw new Refusal(paymentErrors.amount_not_payable_by_card, {
      detail: `Cards take between ${minCents} and ${maxCents} cents at a time.`,
    });
  }
  return cards;
}
