import type { Statement } from '../../kernel/ports/database.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';
import { post, refund } from '../../ledger/index.ts';
import { closeDispute } from '../disputes.store.ts';
import { inLedger } from '../ledger-sale.rules.ts';
import type { RailPorts } from '../rails/rail.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale } from '../sale.ts';
import { buyerEvent, sellerEvent } from '../sale-events.ts';
import { findSale, isStatusConflict, moveSale, setPayment } from '../sales.store.ts';
import { requestRefund } from './escrow.store.ts';

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
    if (outcome.kind !== 'refunded') return outcome.kind;
    await ports.market.commit(recordRefunded(ports, sale, isoTime(ports.clock.now()), outcome.refundId));
    return 'refunded';
  } catch (error) {
    if (isStatusConflict(error)) return 'refunded';
    ports.log.error('refund_delayed', { purchaseId: sale.id, message: String(error) });
    return 'pending';
  }
}

/** Why a sale was refunded that its cardholder's bank took back. */
const CHARGEBACK = 'chargeback';

/** The card processor gave the money back already: the sale ends refunded, and a buyer's dispute with it. */
export function recordChargedBack(ports: Pick<RailPorts, 'ids'>, sale: Sale, at: IsoTime): Statement[] {
  const { refundRequestedAt } = sale.payment;
  return [
    ...recordRefunded(ports, withRefund(sale, CHARGEBACK, at), at, null, 'chargebacks'),
    setPayment(sale.id, {
      failure: CHARGEBACK,
      refundReason: CHARGEBACK,
      refundRequestedAt: refundRequestedAt ?? at,
    }),
    closeDispute(sale.id, 'refund', at),
  ];
}

function recordRefunded(
  ports: Pick<RailPorts, 'ids'>,
  sale: Sale,
  at: IsoTime,
  refundId: string | null,
  destination: 'payer' | 'chargebacks' = 'payer',
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
    ...buyerEvent(ports, refunded, 'purchase.refunded', at),
    ...sellerEvent(ports, refunded, 'sale.refunded', at, { reason: sale.payment.refundReason }),
  ];
}
