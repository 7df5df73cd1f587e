import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { post, refund } from '../ledger/index.ts';
import { closeDispute } from './disputes.store.ts';
import { inLedger } from './ledger-sale.rules.ts';
import type { Sale } from './sale.ts';
import { tellBuyer, tellSeller } from './sale-events.ts';
import { findSale, findUsdcPaid, isOvertaken, moveSale, requestRefund, setPayment } from './sales.store.ts';

type RefundPorts = Pick<Ports, 'market' | 'cards' | 'chain' | 'ids' | 'clock' | 'log'>;

/**
 * `pending`: it will be made; the answer of the processor or of the chain is awaited. `not_here`: it will be
 * made by the jobs, as not every Worker can pay on chain.
 */
type RefundOutcome = 'refunded' | 'pending' | 'not_here' | 'not_in_escrow' | 'not_possible';

/**
 * Gives a buyer its money back out of escrow, exactly once. To a wallet that is one posting; to a card it
 * is noted first, then asked for under one key until the answer is known.
 */
export async function refundPurchase(
  ports: RefundPorts,
  purchaseId: string,
  reason: string,
): Promise<RefundOutcome> {
  const sale = await findSale(ports.market, purchaseId);
  if (sale === null || sale.status !== 'held') return 'not_in_escrow';
  if (!isRefundable(sale, ports)) return 'not_possible';
  if (sale.payment.refundRequestedAt !== null) return finishRefund(ports, sale);
  const at = isoTime(ports.clock.now());
  try {
    await ports.market.commit(refundStatements(ports, sale, reason, at));
  } catch (error) {
    if (isOvertaken(error)) return 'not_in_escrow';
    throw error;
  }
  return finishRefund(ports, withRefund(sale, reason, at));
}

/** The sale once its refund was decided. */
export function withRefund(sale: Sale, reason: string, at: IsoTime): Sale {
  return { ...sale, payment: { ...sale.payment, refundReason: reason, refundRequestedAt: at } };
}

/** Money that came on chain goes back by a transfer of its own. */
export function isRefundable({ rail }: Pick<Sale, 'rail'>, { chain }: Pick<Ports, 'chain'>): boolean {
  return rail !== 'x402' || chain !== null;
}

/** What decides a refund; for a wallet it makes it, too. */
export function refundStatements(
  ports: Pick<Ports, 'ids'>,
  sale: Sale,
  reason: string,
  at: IsoTime,
): Statement[] {
  if (sale.rail !== 'wallet') return requestRefund(sale.id, reason, at);
  return [
    ...refunded(ports, withRefund(sale, reason, at), at, null),
    setPayment(sale.id, { refundReason: reason, refundRequestedAt: at }),
  ];
}

/** Carries out a refund that was decided. Repeating it changes nothing. */
export async function finishRefund(ports: RefundPorts, sale: Sale): Promise<RefundOutcome> {
  if (sale.rail === 'wallet') return 'refunded';
  if (sale.rail === 'x402') return refundOnChain(ports, sale);
  const { paymentId, capturedCents } = sale.payment;
  if (ports.cards === null || paymentId === null) return 'pending';
  try {
    const key = refundKey(sale.id);
    const { refundId } = await ports.cards.refund(key, { paymentId, amountCents: capturedCents });
    await ports.market.commit(refunded(ports, sale, isoTime(ports.clock.now()), refundId));
    return 'refunded';
  } catch (error) {
    if (isOvertaken(error)) return 'refunded';
    ports.log.error('refund_delayed', { purchaseId: sale.id, message: String(error) });
    return 'pending';
  }
}

/** All that was paid, to the account that paid. Asking again under the same reference never pays twice. */
async function refundOnChain(ports: RefundPorts, sale: Sale): Promise<RefundOutcome> {
  const { market, chain, clock, log } = ports;
  const paid = await findUsdcPaid(market, sale.id);
  if (chain === null || paid === null) return 'pending';
  const { chainId, payer: to, units } = paid;
  if (chainId !== chain.token.chainId) {
    // What was paid in the token of one chain is not paid back in that of another.
    log.error('refund_refused', { purchaseId: sale.id, reason: 'other_chain' });
    return 'pending';
  }
  const outcome = await chain.pay({ reference: refundKey(sale.id), to, units });
  if (outcome.kind === 'refused') {
    if (outcome.reason === 'not_configured') return 'not_here';
    log.error('refund_refused', { purchaseId: sale.id, reason: outcome.reason });
  }
  if (outcome.kind !== 'paid') return 'pending';
  try {
    await market.commit(refunded(ports, sale, isoTime(clock.now()), outcome.transaction));
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
  return 'refunded';
}

export const refundKey = (purchaseId: string): string => `purchase:${purchaseId}:refund`;

/** Why a sale was refunded that its cardholder's bank took back. */
const CHARGEBACK = 'chargeback';

/** The card processor gave the money back already: the sale ends refunded, and a buyer's dispute with it. */
export function takeBack(ports: Pick<Ports, 'ids'>, sale: Sale, at: IsoTime): Statement[] {
  const { refundRequestedAt } = sale.payment;
  return [
    ...refunded(ports, withRefund(sale, CHARGEBACK, at), at, null, 'chargebacks'),
    setPayment(sale.id, {
      failure: CHARGEBACK,
      refundReason: CHARGEBACK,
      refundRequestedAt: refundRequestedAt ?? at,
    }),
    closeDispute(sale.id, 'refund', at),
  ];
}

function refunded(
  ports: Pick<Ports, 'ids'>,
  sale: Sale,
  at: IsoTime,
  refundId: string | null,
  way: 'payer' | 'chargebacks' = 'payer',
): Statement[] {
  return [
    ...moveSale(sale.id, 'held', 'refunded'),
    setPayment(sale.id, {
      feeCents: 0,
      refundedCents: sale.payment.capturedCents,
      refundId,
      refundedAt: at,
      dueAt: null,
    }),
    post(refund(inLedger(sale), way), ports.ids.uuid(), at),
    ...tellBuyer(ports, sale, 'purchase.refunded', 'refunded', at),
    ...tellSeller(ports, sale, 'sale.refunded', 'refunded', at, { reason: sale.payment.refundReason }),
  ];
}
