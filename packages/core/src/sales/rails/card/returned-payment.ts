import type { CardDispute, CardProcessor, Payment } from '../../../kernel/ports/card-processor.ts';
import type { Sale } from '../../sale.ts';
import type { Chargeback, OwnDispute } from './chargeback.rules.ts';

/** What finance refunds in the processor's dashboard is worked off as what a bank takes back: under this name. */
const PREFIX = 'refund:';

export const returnOf = (paymentId: string): string => `${PREFIX}${paymentId}`;

/** Null: it is a cardholder's dispute. */
export const paymentOfReturn = (disputeId: string): string | null =>
  isReturn(disputeId) ? disputeId.slice(PREFIX.length) : null;

export const isReturn = (disputeId: string): boolean => disputeId.startsWith(PREFIX);

/** What was taken of a payment, by its cardholder's bank or by refunds, those that we made included. */
export async function readTaken(cards: CardProcessor, disputeId: string): Promise<CardDispute> {
  const paymentId = paymentOfReturn(disputeId);
  return paymentId === null ? cards.getDispute(disputeId) : takenOf(await cards.getPayment(paymentId));
}

/** The refunds of a payment, those that we made included, as what a bank takes. */
export function takenOf({ paymentId, amountCents, refundedCents, reference }: Payment): CardDispute {
  const status = refundedCents > 0 ? 'lost' : 'won';
  const disputeId = returnOf(paymentId);
  return { disputeId, paymentId, amountCents, status, withdrawnCents: refundedCents, reference };
}

/** What of the refunds of a sale's payment we made, or are about to. */
export function ownRefundCents({ status, payment }: Sale): number {
  const { capturedCents, takenNetCents, takenFeeCents, refundId, refundRequestedAt } = payment;
  const isOwn = status === 'refunded' ? refundId !== null : refundRequestedAt !== null;
  return isOwn ? capturedCents - takenNetCents - takenFeeCents : 0;
}

/** Of a payment's refunds, those that others made, as what a bank takes. Where all of them failed, it has come back. */
export function asTaken(known: Chargeback | null, dispute: OwnDispute, withdrawnCents: number): OwnDispute {
  if (withdrawnCents > 0) return { ...dispute, amountCents: withdrawnCents, withdrawnCents, status: 'lost' };
  return {
    ...dispute,
    amountCents: known?.amountCents ?? dispute.amountCents,
    withdrawnCents,
    status: 'won',
  };
}
