import {
  type Chargeback,
  coverChargeback,
  findLostChargeback,
  inLedger,
  isOvertaken,
  refundKey,
  retryAt,
  tellBuyer,
} from '../escrow/index.ts';
import { type CardProcessor, CardProcessorError, type Payment } from '../kernel/ports/card-processor.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { capture, post, refund, releaseReserve } from '../ledger/index.ts';
import type { PaidPurchase } from './purchase.ts';
import { decideEnding, recordEnding, requireUndecided } from './reservations.store.ts';

export type Ending = 'failed' | 'refunded' | 'expired';
type GiveBackPorts = Pick<Ports, 'market' | 'cards' | 'ids' | 'clock' | 'log'>;

/**
 * Ends a purchase without a sale: its money and its copy of the listing go back, once, however often this
 * is called and whoever else does. Throws if the outcome is not known; calling again is always safe.
 */
export async function giveBack(
  ports: GiveBackPorts,
  purchase: PaidPurchase,
  ending: Ending,
  failure: string | null,
): Promise<void> {
  try {
    if (isOwnMoney(purchase)) await ports.market.commit(released(ports, purchase, ending, failure));
    else await giveBackToCard(ports, purchase, ending, failure);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}

/** The same where its failure must not hide why it was called: a job finishes what is left undone. */
export async function tryGiveBack(
  ports: GiveBackPorts,
  purchase: PaidPurchase,
  ending: Ending,
  failure: string | null,
): Promise<void> {
  await giveBack(ports, purchase, ending, failure).catch((error: unknown) => {
    ports.log.error('give_back_delayed', { purchaseId: purchase.id, message: String(error) });
  });
}

/** Money that never left the platform's ledger, or none at all; over x402 it never left its payer. */
function isOwnMoney({ rail, amountCents }: PaidPurchase): boolean {
  return rail === 'wallet' || rail === 'x402' || amountCents === 0;
}

function released(
  ports: GiveBackPorts,
  purchase: PaidPurchase,
  ending: Ending,
  failure: string | null,
): Statement[] {
  const at = isoTime(ports.clock.now());
  return [
    ...requireUndecided(purchase.id),
    ...recordEnding(purchase, ending, { failure }),
    ...(purchase.rail === 'wallet' && purchase.amountCents > 0
      ? [post(releaseReserve(inLedger(purchase)), ports.ids.uuid(), at)]
      : []),
    ...told(ports, purchase, ending, at),
  ];
}

/** What is decided is written first, so that whoever finds this half done ends it the same way. */
async function giveBackToCard(
  ports: GiveBackPorts,
  purchase: PaidPurchase,
  ending: Ending,
  failure: string | null,
): Promise<void> {
  const { market, cards, clock, ids } = ports;
  const { id, payment, amountCents } = purchase;
  const decided = payment.ending ?? ending;
  const again = retryAt(payment.attempts, clock.now());
  await market.commit(decideEnding(id, decided, failure, again));
  if (payment.paymentId === null) {
    await market.commit(recordEnding(purchase, decided, {}));
    return;
  }
  if (cards === null) throw new Error('There is no card processor to give money back with.');
  const returned = await cancel(cards, id, payment.paymentId);
  const at = isoTime(clock.now());
  if (returned.status !== 'captured') {
    await market.commit([...recordEnding(purchase, decided, {}), ...told(ports, purchase, decided, at)]);
    return;
  }
  // Captured by a request that did not live to say so: nothing was shown, so the buyer has it back.
  const { refundId, chargeback } = await refundCaptured({ market, cards }, purchase, payment.paymentId);
  await market.commit([
    ...recordEnding(purchase, 'refunded', {
      capturedCents: amountCents,
      capturedAt: at,
      chargeId: returned.chargeId,
      refundedCents: amountCents,
      refundedAt: at,
      refundId,
    }),
    post(capture(inLedger(purchase)), ids.uuid(), at),
    post(refund(inLedger(purchase), chargeback ? 'chargebacks' : 'payer'), ids.uuid(), at),
    ...(chargeback ? coverChargeback(chargeback, at) : []),
    ...told(ports, purchase, 'refunded', at),
  ]);
}

/** What the cardholder's bank has taken back already is not refunded again: the processor refuses that. */
async function refundCaptured(
  { market, cards }: { market: Ports['market']; cards: CardProcessor },
  { id, amountCents }: PaidPurchase,
  paymentId: string,
): Promise<{ refundId: string | null; chargeback: Chargeback | null }> {
  try {
    return { ...(await cards.refund(refundKey(id), { paymentId, amountCents })), chargeback: null };
  } catch (error) {
    const isRefused = error instanceof CardProcessorError && !error.retryable;
    const chargeback = isRefused ? await findLostChargeback(market, id, amountCents) : null;
    if (chargeback === null) throw error;
    return { refundId: null, chargeback };
  }
}

/** A payment is cancelled or captured, never both: the processor's own object says which. */
async function cancel(cards: CardProcessor, id: string, paymentId: string): Promise<Payment> {
  try {
    await cards.cancel(`purchase:${id}:cancel`, paymentId);
  } catch (error) {
    if (!(error instanceof CardProcessorError) || error.retryable) throw error;
  }
  const payment = await cards.getPayment(paymentId);
  if (payment.status === 'authorized') throw new CardProcessorError('still authorized', true);
  return payment;
}

function told(ports: GiveBackPorts, purchase: PaidPurchase, ending: Ending, at: string): Statement[] {
  return ending === 'refunded' ? tellBuyer(ports, purchase, 'purchase.refunded', ending, at) : [];
}
