import type { Statement } from '../../kernel/ports/database.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';
import { post, type RefundWay, refund, restore } from '../../ledger/index.ts';
import { closeDispute, reopenDispute, resumeDispute } from '../disputes.store.ts';
import { inLedger } from '../ledger-sale.rules.ts';
import type { RailPorts } from '../rails/rail.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale } from '../sale.ts';
import { buyerNotice, refundedEvents, sellerEvent } from '../sale-events.ts';
import { REFUND_FAILED } from '../sale-status.rules.ts';
import { findSale, isStatusConflict, moveSale, setPayment } from '../sales.store.ts';
import { decideBy } from './disputes/dispute.rules.ts';
import { disputeDecidedEvents } from './disputes/dispute-decided-events.ts';
import { requestRefund, revertRefund } from './escrow.store.ts';

/** Why a sale was refunded whose dispute was decided for the buyer. */
export const DISPUTE_REFUND_REASON = 'dispute';

/**
 * `pending`: it will be made; the answer of the processor or of the chain is awaited. `not_here`: it will be made by the
 * jobs, as not every Worker can pay on chain.
 */
export type RefundResult = 'refunded' | 'pending' | 'not_here';

/**
 * Gives a buyer its money back out of escrow, exactly once. Where the ledger alone holds it that is one posting;
 * elsewhere it is noted first, then asked for under one key until the answer is known.
 */
export async function refundSale(
  ports: RailPorts,
  purchaseId: string,
  reason: string,
): Promise<RefundResult | 'not_in_escrow' | 'not_possible'> {
  const sale = await findSale(ports.market, purchaseId);
  if (sale === null || sale.status !== 'held') return 'not_in_escrow';
  if (!isRefundable(sale, ports)) return 'not_possible';
  if (sale.payment.refundRequestedAt !== null) return finishRefund(ports, sale);
  const at = isoTime(ports.clock.now());
  try {
    await ports.market.commit(refundStatements(ports, sale, reason, at));
  } catch (error) {
    if (isStatusConflict(error)) return 'not_in_escrow';
    throw error;
  }
  return finishRefund(ports, withRefund(sale, reason, at));
}

/** The sale once its refund was decided. */
export function withRefund(sale: Sale, reason: string, at: IsoTime): Sale {
  return { ...sale, payment: { ...sale.payment, refundReason: reason, refundRequestedAt: at } };
}

export function isRefundable(sale: Sale, ports: RailPorts): boolean {
  return railOf(sale).canRefund(ports);
}

/** What decides a refund; where the ledger alone holds the money it makes it, too. */
export function refundStatements(ports: RailPorts, sale: Sale, reason: string, at: IsoTime): Statement[] {
  if (railOf(sale).refund !== null) return requestRefund(sale.id, reason, at);
  return [
    ...recordRefunded(ports, withRefund(sale, reason, at), at, null),
    setPayment(sale.id, { refundReason: reason, refundRequestedAt: at }),
  ];
}

/** Carries out a refund that was decided. Repeating it changes nothing. */
export async function finishRefund(ports: RailPorts, sale: Sale): Promise<RefundResult> {
  const rail = railOf(sale);
  if (rail.refund === null) return 'refunded';
  try {
    const outcome = await rail.refund(ports, sale);
    if (outcome.kind === 'failed') {
      await ports.market.commit(recordRefundFailed(ports, sale, isoTime(ports.clock.now())));
      return 'pending';
    }
    if (outcome.kind !== 'refunded') return outcome.kind;
    await ports.market.commit(recordRefunded(ports, sale, isoTime(ports.clock.now()), outcome.refundId));
    return 'refunded';
  } catch (error) {
    if (isStatusConflict(error)) return 'refunded';
    ports.log.error('refund_delayed', { purchaseId: sale.id, message: String(error) });
    return 'pending';
  }
}

/** Why a sale was refunded that its cardholder's bank took back, or finance in the processor's dashboard. */
export type TakenBackReason = 'chargeback' | 'refunded_elsewhere';

/** The card processor gave the money back already: the sale ends refunded, and a buyer's dispute with it. */
export function recordChargedBack(
  ports: Pick<RailPorts, 'ids'>,
  sale: Sale,
  at: IsoTime,
  reason: TakenBackReason = 'chargeback',
): Statement[] {
  const { refundRequestedAt } = sale.payment;
  return [
    ...recordRefunded(ports, withRefund(sale, reason, at), at, null, 'chargebacks'),
    setPayment(sale.id, {
      failure: reason,
      refundReason: reason,
      refundRequestedAt: refundRequestedAt ?? at,
    }),
    closeDispute(sale.id, 'refund', null, at),
    ...(reason === 'chargeback' ? disputeDecidedEvents(ports, sale, 'refund', 'bank', at) : []),
  ];
}

/**
 * A refund failed, before or after it counted as made: the sale is in escrow again, and stays there until the operator
 * decides anew.
 */
export function recordRefundFailed(
  ports: Pick<RailPorts, 'ids' | 'log'>,
  sale: Sale,
  at: IsoTime,
): Statement[] {
  const { id, status, payment } = sale;
  ports.log.error('refund_failed', { purchaseId: id, refundId: payment.refundId });
  return [
    ...(status === 'refunded' ? restoreStatements(ports, sale, 'payer', at) : revertRefund(sale)),
    setPayment(id, { failure: REFUND_FAILED, refundFailures: payment.refundFailures + 1, dueAt: null }),
    reopenDispute(sale, 'The refund failed.', at),
    ...buyerNotice(ports, { ...sale, status: 'held' }, REFUND_FAILED, at),
    ...sellerEvent(ports, { ...sale, status: 'held' }, 'sale.held', at, {
      reason: REFUND_FAILED,
      failures: payment.refundFailures + 1,
    }),
  ];
}

/**
 * The bank gave back what it had taken: the sale goes on from where it was. The buyer's dispute that ended with it is open
 * again, with its whole time; a refund that was decided is made after all.
 */
export function recordGivenBack(ports: Pick<RailPorts, 'ids'>, sale: Sale, at: IsoTime): Statement[] {
  const { dispute, payment } = sale;
  const held: Sale = { ...sale, status: 'held' };
  const isResumed = dispute?.decision === 'refund' && dispute.decidedBy === null;
  const isOwed = dispute?.decision === 'refund' && dispute.decidedBy !== null;
  return [
    ...restoreStatements(ports, sale, 'chargebacks', at),
    setPayment(sale.id, {
      failure: null,
      dueAt: isResumed ? null : at,
      // Under the key of before, the processor would repeat that it refunds nothing that a bank has taken.
      ...(isOwed && {
        refundRequestedAt: at,
        refundReason: DISPUTE_REFUND_REASON,
        refundFailures: payment.refundFailures + 1,
      }),
    }),
    ...(isResumed
      ? [resumeDispute(sale.id, decideBy(at)), ...sellerEvent(ports, held, 'sale.disputed', at)]
      : []),
    ...sellerEvent(ports, held, 'sale.held', at, { reason: 'given_back' }),
  ];
}

function restoreStatements(
  { ids }: Pick<RailPorts, 'ids'>,
  sale: Sale,
  way: 'payer' | 'chargebacks',
  at: IsoTime,
): Statement[] {
  const { id, payment, platformFeeCents } = sale;
  return [
    ...moveSale(id, 'refunded', 'held'),
    setPayment(id, {
      refundedCents: 0,
      refundId: null,
      refundedAt: null,
      refundReason: null,
      refundRequestedAt: null,
      feeCents: platformFeeCents - payment.takenFeeCents,
      restorations: payment.restorations + 1,
      attempts: 0,
    }),
    post(restore(inLedger(sale), way), ids.uuid(), at),
  ];
}

/** The sale ends refunded. `destination`: where its money went, if not back to its payer. */
export function recordRefunded(
  ports: Pick<RailPorts, 'ids'>,
  sale: Sale,
  at: IsoTime,
  refundId: string | null,
  destination: RefundWay = 'payer',
): Statement[] {
  const refunded: Sale = { ...sale, status: 'refunded' };
  return [
    ...moveSale(sale.id, 'held', 'refunded'),
    setPayment(sale.id, {
      feeCents: 0,
      refundedCents: sale.payment.capturedCents,
      refundId,
      refundedAt: at,
      dueAt: null,
    }),
    post(refund(inLedger(sale), destination), ports.ids.uuid(), at),
    ...refundedEvents(ports, refunded, at),
    ...sellerEvent(ports, refunded, 'sale.refunded', at, { reason: sale.payment.refundReason }),
  ];
}
