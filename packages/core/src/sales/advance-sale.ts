import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { cancelSaleBestEffort } from './cancel-sale.ts';
import { collectSale, deliverNow } from './collect-sale.ts';
import { advanceEscrow } from './escrow/advance-escrow.ts';
import { cancelLatePayment, followPayment } from './follow-payment.ts';
import { paymentErrors } from './payment.errors.ts';
import { railOf } from './rails/rails.ts';
import { repeatRefund } from './rails/repeat-refund.ts';
import type { Sale } from './sale.ts';
import {
  ADVANCED,
  type Prompt,
  type RequestPrompt,
  type ReservationPrompt,
  type SaleProgress,
} from './sale-progress.ts';
import { collectUntilOf } from './sale-terms.rules.ts';
import { findSale, isStatusConflict, isUnavailable, moveSale, setPayment } from './sales.store.ts';

/**
 * Brings a sale on towards its end: reads where it stands, asks its rail, and writes the next step. Requests, reports
 * of processors, queue messages and the clock all call this. A payment in USDC is the exception: its signature is there in its own
 * request only, which delivers or opens its tab itself (`rails/usdc/buy-with-usdc.ts`, `tabs/begin-tab.ts`). Called twice, late,
 * out of order or by two at once, it changes nothing more. Throws a Refusal where the buyer is to know why it did not go on.
 */
export async function advanceSale(ports: Ports, sale: Sale, prompt: Prompt): Promise<SaleProgress> {
  switch (sale.status) {
    case 'pending_payment':
      return prompt.by === 'request' || prompt.by === 'reservation'
        ? confirmSale(ports, sale, prompt)
        : followPayment(ports, sale, prompt);
    case 'authorized':
      if (prompt.by === 'reservation') return reservedFor(ports, null);
      if (prompt.by === 'request') return deliverToRequest(ports, sale, prompt);
      // The seller of an open tab, or of a query that is being answered, would be asked for nothing that can be taken.
      if (prompt.by === 'buyer') return railOf(sale).capture === null ? ADVANCED : collectSale(ports, sale);
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
      if (prompt.by === 'job' || prompt.by === 'decision') await repeatRefund(ports, sale);
      return ADVANCED;
  }
}

/** Asks for the money of a sale that was just reserved. */
async function confirmSale(
  ports: Ports,
  sale: Sale,
  prompt: RequestPrompt | ReservationPrompt,
): Promise<SaleProgress> {
  const rail = railOf(sale);
  const page = prompt.by === 'request' ? prompt.page : null;
  const confirmation = await rail.confirm(ports, sale, page).catch(async (error: unknown) => {
    // If a page was opened after all, its URL was lost: the sale ends. A job reads a saved card's lost answer.
    if (rail.isPaidLater) await cancelSaleBestEffort(ports, sale, 'failed', 'no_checkout');
    throw error;
  });
  switch (confirmation.kind) {
    case 'authorized': {
      const authorized = await recordAuthorized(ports, sale, confirmation.statements);
      return prompt.by === 'reservation'
        ? reservedFor(ports, confirmation.captureBefore)
        : advanceSale(ports, authorized, prompt);
    }
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

function reservedFor({ clock }: Ports, captureBefore: EpochMs | null): SaleProgress {
  return { kind: 'reserved', collectUntil: collectUntilOf(captureBefore, clock.now()) };
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
    // What was not captured when the lease ends is voided.
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
async function deliverToRequest(ports: Ports, sale: Sale, prompt: RequestPrompt): Promise<SaleProgress> {
  const terms = { commit: prompt.commit, waiting: 'request' as const };
  try {
    return await deliverNow(ports, prompt.listing, sale, terms);
  } catch (error) {
    const isKnown = error instanceof Refusal && error.definition !== paymentErrors.payment_not_confirmed;
    if (!isKnown) await cancelSaleBestEffort(ports, sale, 'failed', null);
    throw error;
  }
}
