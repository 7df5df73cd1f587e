import { Refusal } from '../kernel/errors.ts';
import type { CardProcessor, ChargeOutcome } from '../kernel/ports/card-processor.ts';
import { CardProcessorError } from '../kernel/ports/card-processor.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';

/** Reserves the price on a saved card. The same for the same purchase, to the letter, however often asked. */
export function authorizeSaved(cards: CardProcessor, purchase: PaidPurchase): Promise<ChargeOutcome> {
  const { id, amountCents, payment } = purchase;
  const { customerId, paymentMethodId } = payment;
  if (customerId === null || paymentMethodId === null) throw new Error(`Purchase ${id} has no card.`);
  return surely(() =>
    cards.chargeSaved(`purchase:${id}:authorize`, {
      reference: { kind: 'purchase', id },
      customerId,
      paymentMethodId,
      amountCents,
      description: `Marketplace purchase ${id}`,
      capture: 'manual',
    }),
  );
}

/** The processor will not do it as it was asked, now or later, and nothing happened. */
export function isRefusedOutright(error: unknown): error is CardProcessorError {
  return error instanceof CardProcessorError && !error.retryable;
}

/** Takes the money that a card payment reserved; null: the reservation is gone and nothing was taken. */
export async function captureReserved(cards: CardProcessor, purchase: PaidPurchase): Promise<string | null> {
  const { paymentId } = purchase.payment;
  if (paymentId === null) throw new Error(`Purchase ${purchase.id} has no payment.`);
  const outcome = await surely(() => cards.capture(`purchase:${purchase.id}:capture`, paymentId));
  return outcome.kind === 'captured' ? outcome.chargeId : null;
}

/** Asks once more where the answer was lost: under the same key it happens once. */
async function surely<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CardProcessorError) || !error.retryable) throw error;
    return ask();
  }
}

/** What a caller is told while the processor's answer is not known. */
export function asPaymentRefusal(error: unknown): unknown {
  return error instanceof CardProcessorError
    ? new Refusal(paymentErrors.payment_not_confirmed, { retryAfterSeconds: 60 })
    : error;
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
