import type { CardDispute, CardEvent, CardProcessor, Payment } from '../../../kernel/ports/card-processor.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../../kernel/time.ts';
import { isOverCap, isOverdrawn } from '../../../ledger/index.ts';
import { settleTopUpRefunds } from '../../../wallet/index.ts';
import { cancelSale } from '../../cancel-sale.ts';
import { disputeDecidedEvents } from '../../escrow/disputes/dispute-decided-events.ts';
import {
  recordChargedBack,
  recordGivenBack,
  recordRefundFailed,
  type TakenBackReason,
} from '../../escrow/refund-sale.ts';
import { isClaimConflict } from '../../escrow/reserve/seller-claims.store.ts';
import { leftCents } from '../../ledger-sale.rules.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import { findSale, isStatusConflict } from '../../sales.store.ts';
import { recordRefundOwed } from '../repeat-refund.ts';
import { saveCardEvent } from './card-events.store.ts';
import { processorOf } from './card-payments.ts';
import {
  type Chargeback,
  isNews,
  lossCents,
  NEXT_CHECK_MS,
  nextCheckAt,
  type OwnDispute,
  type SaleVerdict,
  SETTLE_CHECK_MS,
  verdictOnSale,
  withNews,
} from './chargeback.rules.ts';
import { chargebackOfTopUp } from './chargeback-of-top-up.ts';
import {
  chargebackPostings,
  claimDueChargebacks,
  findChargeback,
  isRevisionConflict,
  listOtherChargebacks,
  saveChargeback,
} from './chargebacks.store.ts';
import { claimOnSeller } from './claim-on-seller.ts';
import {
  asTaken,
  isReturn,
  ownRefundCents,
  paymentOfReturn,
  readTaken,
  returnOf,
  takenOf,
} from './returned-payment.ts';
import { takeFromSale } from './share-chargeback.ts';

type ChargebackPorts = Pick<Ports, 'market' | 'cards' | 'chain' | 'clock' | 'ids' | 'log' | 'subsidies'>;
type AskingPorts = ChargebackPorts & { readonly cards: CardProcessor };

const TRIES = 4;
const BATCH = 20;

/**
 * Brings a cardholder's dispute to where the processor's object says it is, however often and in whatever
 * order this is called: the clock of a sale in escrow stops and goes on, money that the processor took is in the
 * ledger. False: it is about nothing of ours. Throws where the outcome is not known; calling again is always safe.
 */
export async function settleChargeback(ports: ChargebackPorts, disputeId: string): Promise<boolean> {
  const { cards } = ports;
  return cards !== null && settle({ ...ports, cards }, disputeId, () => readTaken(cards, disputeId));
}

async function settle(
  ports: AskingPorts,
  disputeId: string,
  read: () => Promise<CardDispute>,
): Promise<boolean> {
  const { market } = ports;
  for (let tries = 1; ; tries += 1) {
    // Read before the processor is asked: a later write over what was read here knows at least as much.
    const known = await findChargeback(market, disputeId);
    const dispute = await read();
    const next = await nextOf(ports, known, dispute);
    if (next === null) {
      if (!isReturn(disputeId)) ports.log.error('chargeback_unknown', { disputeId });
      return false;
    }
    try {
      await save(ports, known, next);
      if (next.uncollected !== undefined)
        await cancelSale(ports, next.uncollected, 'refunded', reasonOf(disputeId));
      return true;
    } catch (error) {
      const isAnothers = isRevisionConflict(error) || isStatusConflict(error) || isClaimConflict(error);
      if (tries >= TRIES || !(isAnothers || isOverdrawn(error) || isOverCap(error))) throw error;
    }
  }
}

/**
 * The same for all that others did to a payment: refunds, those that failed after they counted as made, and disputes.
 * Returns the payment as it was read.
 */
export async function settlePayment(ports: ChargebackPorts, paymentId: string): Promise<Payment> {
  const cards = processorOf(ports);
  let payment: Payment | undefined;
  await settle({ ...ports, cards }, returnOf(paymentId), async () => {
    payment = await cards.getPayment(paymentId);
    return takenOf(payment);
  });
  if (payment === undefined) throw new Error(`Payment ${paymentId} was not read.`);
  for (const disputeId of payment.disputeIds) await settleChargeback(ports, disputeId);
  return payment;
}

async function save(ports: ChargebackPorts, known: Chargeback | null, { chargeback, statements }: Next) {
  const { market, clock } = ports;
  if (chargeback === null) {
    if (statements.length > 0) await market.commit(statements);
    return;
  }
  const checkAt = nextCheckAt(chargeback, clock.now());
  if (isNews(known, chargeback) || statements.length > 0) {
    report(ports, known, chargeback);
    await market.commit([...saveChargeback(known, { ...chargeback, checkAt }), ...statements]);
  } else if (known !== null && checkAt === null && known.checkAt !== null) {
    await market.commit(saveChargeback(known, { ...known, checkAt }));
  }
}

/** Asks about those whose reports may be lost, and about those that waited for a payout to end. */
export async function sweepChargebacks(ports: ChargebackPorts): Promise<void> {
  const { market, cards, clock, log } = ports;
  if (cards === null) return;
  const now = clock.now();
  const next = { ofLost: isoTime(now + SETTLE_CHECK_MS), ofOthers: isoTime(now + NEXT_CHECK_MS) };
  for (const disputeId of await claimDueChargebacks(market, isoTime(now), next, BATCH)) {
    try {
      await settleChargeback(ports, disputeId);
    } catch (error) {
      log.error('chargeback_delayed', { disputeId, message: String(error) });
      await market.commit([saveCardEvent(delayedReport(disputeId, now), null)]).catch(() => {});
    }
  }
}

/**
 * In place of the report that would have it looked at again: like one that never came, it is tried every minute, and
 * overdue until it was taken. One a day, as one that was taken stays so.
 */
function delayedReport(disputeId: string, now: EpochMs): CardEvent {
  const paymentId = paymentOfReturn(disputeId);
  return {
    id: `delayed:${disputeId}:${isoTime(now).slice(0, 10)}`,
    createdAtMs: now,
    about: paymentId === null ? { kind: 'dispute', disputeId } : { kind: 'payment', paymentId },
  };
}

interface Next {
  /** Null: nothing was taken, or what was is somebody else's to record. */
  readonly chargeback: Chargeback | null;
  /** What has to be true together with it. */
  readonly statements: readonly Statement[];
  /** Ends with it: others gave back all that it had cost before anybody collected it. */
  readonly uncollected?: Sale;
}

const reasonOf = (disputeId: string): TakenBackReason =>
  isReturn(disputeId) ? 'refunded_elsewhere' : 'chargeback';

const NOTHING: Next = { chargeback: null, statements: [] };

function nextOf(ports: AskingPorts, known: Chargeback | null, dispute: CardDispute): Promise<Next | null> {
  const { reference, paymentId } = dispute;
  if (reference === null || paymentId === null) return Promise.resolve(null);
  switch (reference.kind) {
    case 'purchase':
      return ofPurchase(ports, known, { ...dispute, paymentId }, reference.id);
    case 'top_up':
      return ofTopUp(ports, known, { ...dispute, paymentId }, reference.id);
    case 'setup':
      return Promise.resolve(null);
  }
}

async function ofTopUp(
  ports: AskingPorts,
  known: Chargeback | null,
  dispute: OwnDispute,
  topUpId: string,
): Promise<Next | null> {
  if (!isReturn(dispute.disputeId)) return chargebackOfTopUp(ports, known, dispute, topUpId);
  // What we sent back ourselves was taken out of the wallet before.
  const ownCents = await settleTopUpRefunds(ports, topUpId);
  const withdrawnCents = Math.max(0, dispute.withdrawnCents - ownCents);
  if (known === null && withdrawnCents === 0) return NOTHING;
  return chargebackOfTopUp(ports, known, asTaken(known, dispute, withdrawnCents), topUpId);
}

async function ofPurchase(
  ports: AskingPorts,
  known: Chargeback | null,
  dispute: OwnDispute,
  purchaseId: string,
): Promise<Next | null> {
  const sale = await findSale(ports.market, purchaseId);
  if (sale === null) return null;
  if (!isReturn(dispute.disputeId)) return ofSale(ports, known, dispute, sale);
  const at = isoTime(ports.clock.now());
  const ownCents = ownRefundCents(sale);
  let refundedCents = dispute.withdrawnCents;
  // A refund that was recorded since the payment was read is not one that failed: the payment is read after the sale.
  if (sale.status === 'refunded' && refundedCents < ownCents)
    refundedCents = (await ports.cards.getPayment(dispute.paymentId)).refundedCents;
  const isCollectable = sale.status === 'authorized' && sale.payment.outcome === null;
  if (sale.deliveredAt === null && !isCollectable) {
    // What was never delivered is refunded by whoever ends the sale.
    if (sale.status !== 'refunded' || refundedCents >= ownCents) return NOTHING;
    return { chargeback: null, statements: recordRefundOwed(ports, sale, at) };
  }
  if (sale.status === 'refunded' && refundedCents < ownCents)
    return { chargeback: null, statements: recordRefundFailed(ports, sale, at) };
  const withdrawnCents = refundedCents < ownCents ? refundedCents : refundedCents - ownCents;
  if (known === null && withdrawnCents === 0) return NOTHING;
  return ofSale(ports, known, asTaken(known, dispute, withdrawnCents), sale);
}

async function ofSale(
  ports: AskingPorts,
  known: Chargeback | null,
  dispute: OwnDispute,
  sale: Sale,
): Promise<Next> {
  const at = isoTime(ports.clock.now());
  const news = withNews(known, dispute, { purchaseId: sale.id, topUpId: null, agentId: null }, at);
  const others = await listOtherChargebacks(ports.market, sale.id, news.disputeId);
  const isInEscrow = sale.status === 'held' || sale.status === 'releasing';
  const notifiesSeller = news.settledAt === null && news.sellerNotifiedAt === null && isInEscrow;
  const verdict = news.settledAt === null ? await judge(ports, news, sale, others) : null;
  const chargeback: Chargeback = {
    ...news,
    ...(notifiesSeller && { sellerNotifiedAt: at }),
    ...(verdict && verdict.kind !== 'wait' && verdict.kind !== 'cancel' && { settledAt: at }),
    coveredCents: coveredAfter(news, sale, verdict),
  };
  const event = (status: 'open' | 'won') =>
    sellerEvent(ports, sale, 'sale.chargeback', at, {
      chargeback: status,
      ...(others.length > 0 && { number: others.length + 1 }),
    });
  const isWonNow = verdict?.kind === 'settle' && news.status === 'won' && known?.status !== 'won';
  const statements = [
    ...chargebackPostings(ports, known, chargeback, at),
    ...(notifiesSeller ? event('open') : []),
    ...(isWonNow && isInEscrow && !isReturn(news.disputeId)
      ? [...event('won'), ...disputeDecidedEvents(ports, sale, 'release', 'bank', at)]
      : []),
    ...verdictStatements(ports, news, sale, verdict, at),
  ];
  const claim = await claimOnSeller(ports, chargeback, { sale, others }, verdict, at);
  const isCancelled = verdict?.kind === 'cancel' && sale.payment.outcome === null;
  return { chargeback, statements: [...statements, ...claim], ...(isCancelled && { uncollected: sale }) };
}

function coveredAfter({ coveredCents }: Chargeback, sale: Sale, verdict: SaleVerdict | null): number {
  switch (verdict?.kind) {
    case 'take_back':
      return coveredCents + leftCents(sale);
    case 'take_part':
      return coveredCents + verdict.cents;
    case 'restore':
      return 0;
    case 'settle':
    case 'cancel':
    case 'wait':
    case undefined:
      return coveredCents;
  }
}

function verdictStatements(
  ports: AskingPorts,
  news: Chargeback,
  sale: Sale,
  verdict: SaleVerdict | null,
  at: IsoTime,
): Statement[] {
  switch (verdict?.kind) {
    case 'take_back':
      return recordChargedBack(ports, sale, at, reasonOf(news.disputeId));
    case 'take_part':
      return takeFromSale(ports, news, sale, verdict.cents, at);
    case 'restore':
      return recordGivenBack(ports, sale, at);
    case 'settle':
    case 'cancel':
    case 'wait':
    case undefined:
      return [];
  }
}

/** A refund that was made before, and whose answer was lost, stays: then the processor took the money twice. */
async function judge(
  ports: AskingPorts,
  news: Chargeback,
  sale: Sale,
  others: readonly Chargeback[],
): Promise<SaleVerdict> {
  const { capturedCents, refundRequestedAt } = sale.payment;
  const takenByOthers = others
    .filter(({ status }) => status === 'lost')
    .reduce((sum, { withdrawnCents }) => sum + withdrawnCents, 0);
  const terms = { status: sale.status, capturedCents, leftCents: leftCents(sale) };
  const verdict = verdictOnSale(news, terms, takenByOthers);
  if (verdict.kind !== 'take_back' || refundRequestedAt === null || isReturn(news.disputeId)) return verdict;
  const { refundedCents } = await ports.cards.getPayment(news.paymentId);
  return refundedCents > 0 ? { kind: 'settle' } : verdict;
}

/** For the operator, who answers the cardholder's bank in the processor's dashboard. */
function report({ log }: ChargebackPorts, known: Chargeback | null, next: Chargeback): void {
  const { disputeId, purchaseId, topUpId, amountCents, status } = next;
  const about = { disputeId, purchaseId, topUpId, amountCents };
  if (known === null && isReturn(disputeId)) log.error('refunded_elsewhere', about);
  if (known === null && !isReturn(disputeId)) log.error('chargeback_opened', about);
  if (known?.status === status || status === 'open') return;
  if (isReturn(disputeId)) return;
  if (status === 'won') log.info('chargeback_won', about);
  else log.error('chargeback_lost', { ...about, lossCents: lossCents(next) });
}
