import {
  type CardProcessor,
  CardProcessorError,
  type ChargeOutcome,
  type CheckoutSession,
  type Payment,
  type SavedCharge,
} from '../kernel/ports/card-processor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { isAlreadyPosted, isOverCap } from '../ledger/index.ts';
import { recordTopUpSubsidy } from '../subsidies/index.ts';
import { recordRecharge, recordSetback } from './recharge.store.ts';
import {
  closeTopUp,
  creditTopUp,
  findTopUp,
  isCredited,
  isNoLongerOpen,
  isReturning,
  markReturned,
  recordReturn,
  recordReturnFailed,
  type TopUp,
  type TopUpStatus,
} from './top-ups.store.ts';
import {
  afterRefusal,
  canRetryCharge,
  hasNoPage,
  PAYMENT_RETURNED,
  type TopUpVerdict,
  verdictOfCheckout,
  verdictOfPayment,
} from './wallet.rules.ts';
import { readWallet } from './wallet.store.ts';

/** What a report names: a top-up of ours, or an object of the card processor. */
export type TopUpReference = { topUpId: string } | { sessionId: string } | { paymentId: string };

/**
 * Brings a top-up to where the card processor's object says it is, and credits it exactly once, however
 * often and in whatever order this is called. Null: it is about no top-up. Throws CardProcessorError or
 * DatabaseError when the outcome is not known; calling again is always safe.
 */
export async function settleTopUp(
  ports: Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log' | 'subsidies'>,
  reference: TopUpReference,
  { isRetry = false }: { readonly isRetry?: boolean } = {},
): Promise<TopUpStatus | null> {
  const { cards, market } = ports;
  if (cards === null) return null;
  const hints: SettlementHints = { isRetry };
  if ('sessionId' in reference) hints.session = await cards.getCheckout(reference.sessionId);
  if ('paymentId' in reference) hints.payment = await cards.getPayment(reference.paymentId);
  const id = 'topUpId' in reference ? reference.topUpId : referredTo(hints);
  const topUp = id === null ? null : await findTopUp(market, id);
  return topUp && settle({ ...ports, cards }, topUp, hints);
}

/** What the caller knows already, so that the processor is not asked for it again. */
interface SettlementHints {
  session?: CheckoutSession;
  payment?: Payment;
  /** The processor was never asked for this charge, so its refusal means that there is no charge. */
  isFirstTry?: boolean;
  /** An operator asks for what failed before. */
  isRetry?: boolean;
}

export type SettlingPorts = Pick<Ports, 'market' | 'clock' | 'ids' | 'log' | 'subsidies'> & {
  readonly cards: CardProcessor;
};

function referredTo({ session, payment }: SettlementHints): string | null {
  const reference = session?.reference ?? payment?.reference;
  return reference?.kind === 'top_up' ? reference.id : null;
}

export async function settle(
  ports: SettlingPorts,
  topUp: TopUp,
  hints: SettlementHints = {},
): Promise<TopUpStatus> {
  if (topUp.status === 'paid') return 'paid';
  const verdict = await examine(ports, topUp, hints);
  switch (verdict.kind) {
    case 'pending':
      return topUp.status;
    case 'mismatch':
      ports.log.error('top_up_mismatch', { topUpId: topUp.id });
      return topUp.status;
    case 'paid':
      return creditPayment(ports, topUp, verdict, hints);
    case 'expired':
      return closeUnpaid(ports, topUp, 'expired');
    case 'failed':
      return closeUnpaid(ports, topUp, { failure: verdict.failure });
  }
}

async function examine(ports: SettlingPorts, topUp: TopUp, hints: SettlementHints): Promise<TopUpVerdict> {
  if (hints.payment) {
    const verdict = verdictOfPayment(topUp, hints.payment);
    // An unpaid checkout is judged by its page: a payment on it may fail while the page can still be paid.
    if (topUp.charge !== null || verdict.kind === 'paid') return verdict;
  }
  return topUp.charge === null
    ? examineCheckout(ports, topUp, hints.session)
    : examineCharge(ports, topUp, hints);
}

async function examineCheckout(
  { cards, clock }: SettlingPorts,
  topUp: TopUp,
  currentSession: CheckoutSession | undefined,
): Promise<TopUpVerdict> {
  const { id, sessionId } = topUp;
  const now = clock.now();
  if (!currentSession && sessionId === null) return { kind: hasNoPage(topUp, now) ? 'expired' : 'pending' };
  let session = currentSession ?? (await cards.getCheckout(sessionId as string));
  if (session.status === 'open' && now >= epochOf(topUp.expiresAt)) {
    // Its room under the cap is free only once the page can no longer be paid.
    session = await cards.expireCheckout(`top_up:${id}:expire`, session.sessionId);
  }
  const payment = session.paymentId === null ? null : await cards.getPayment(session.paymentId);
  return verdictOfCheckout(topUp, session, payment);
}

/** Charges the saved card, or reads how that ended: under its key the card is charged once. */
async function examineCharge(
  { cards, clock }: SettlingPorts,
  topUp: TopUp,
  { isFirstTry = false }: SettlementHints,
): Promise<TopUpVerdict> {
  // A top-up that ended is not charged again; only the report of a payment can still change it.
  if (topUp.charge === null || topUp.status !== 'open') return { kind: 'pending' };
  if (!canRetryCharge(topUp, clock.now())) return { kind: 'failed', failure: 'outcome_unknown' };
  const outcome = await chargeCard(cards, topUp.id, topUp.charge, isFirstTry);
  switch (outcome.kind) {
    case 'succeeded':
      return verdictOfPayment(topUp, await cards.getPayment(outcome.paymentId));
    case 'declined':
      return { kind: 'failed', failure: outcome.code };
    case 'authentication_required':
      return { kind: 'failed', failure: outcome.kind };
  }
}

async function chargeCard(
  cards: CardProcessor,
  id: string,
  terms: SavedCharge,
  isFirstTry: boolean,
): Promise<ChargeOutcome> {
  try {
    return await cards.chargeSaved(`top_up:${id}`, terms);
  } catch (error) {
    const isRefused = error instanceof CardProcessorError && !error.retryable;
    if (isRefused && isFirstTry) return { kind: 'declined', code: 'charge_refused' };
    throw error;
  }
}

async function creditPayment(
  ports: SettlingPorts,
  topUp: TopUp,
  { paymentId, instrument }: Extract<TopUpVerdict, { kind: 'paid' }>,
  hints: SettlementHints,
): Promise<TopUpStatus> {
  const { market, clock, ids } = ports;
  const statements = [
    ...creditTopUp(topUp, paymentId, ids.uuid(), isoTime(clock.now())),
    ...recordTopUpSubsidy(ports, topUp, instrument),
  ];
  if (topUp.charge !== null) statements.push(recordRecharge(topUp.agentId));
  try {
    await market.commit(statements);
    return 'paid';
  } catch (error) {
    if (isAlreadyPosted(error)) return 'paid';
    if (!isOverCap(error) && !isReturning(error)) throw error;
  }
  // The payment came after its top-up had ended and its room was taken. The return is recorded before the refund: a
  // later report might find room and credit it as well.
  const owed = { paymentId, since: topUp.returnOwedSince ?? isoTime(clock.now()) };
  if ((await decideReturn(market, topUp.id, owed)) === 'paid') return 'paid';
  await returnPayment(ports, topUp, paymentId, hints);
  return 'failed';
}

/** One that failed is left to the operator: each failure is itself reported, and would be followed by the next. */
async function returnPayment(
  { market, cards, clock, log }: SettlingPorts,
  topUp: TopUp,
  paymentId: string,
  { isRetry = false }: SettlementHints,
): Promise<void> {
  const { id, amountCents, returnFailures } = topUp;
  if (returnFailures > 0 && !isRetry) return;
  const key = `top_up:${id}:return${returnFailures === 0 ? '' : `:${returnFailures + 1}`}`;
  const { status, refundId } = await cards.refund(key, { paymentId, amountCents });
  if (status === 'failed') {
    log.error('refund_failed', { topUpId: id, refundId });
    await market.commit([recordReturnFailed(topUp, isoTime(clock.now()))]);
    return;
  }
  log.error('top_up_returned', { topUpId: id });
  await market.commit([recordReturn(topUp)]);
}

async function decideReturn(
  market: Database,
  id: string,
  owed: Parameters<typeof markReturned>[1],
): Promise<'failed' | 'paid'> {
  try {
    await market.commit(markReturned(id, owed));
    return 'failed';
  } catch (error) {
    if (isCredited(error)) return 'paid';
    throw error;
  }
}

async function closeUnpaid(
  ports: SettlingPorts,
  topUp: TopUp,
  end: { failure: string } | 'expired',
): Promise<TopUpStatus> {
  if (topUp.status !== 'open') {
    if (end === 'expired' || end.failure !== PAYMENT_RETURNED) return topUp.status;
    return decideReturn(ports.market, topUp.id, null);
  }
  try {
    await ports.market.commit([
      ...closeTopUp(topUp.id, end),
      ...(await setbackStatements(ports, topUp, end)),
    ]);
  } catch (error) {
    if (!isNoLongerOpen(error)) throw error;
    return (await findTopUp(ports.market, topUp.id))?.status ?? topUp.status;
  }
  return end === 'expired' ? 'expired' : 'failed';
}

/** A refused card delays or ends the recharges that follow. */
async function setbackStatements(
  { market, clock, log }: SettlingPorts,
  { agentId, charge, id }: TopUp,
  end: { failure: string } | 'expired',
): Promise<Statement[]> {
  if (charge === null || end === 'expired') return [];
  const { autoRecharge } = await readWallet(market, agentId);
  log.info('recharge_refused', { topUpId: id, failure: end.failure });
  return [recordSetback(agentId, afterRefusal(end.failure, autoRecharge.failures, clock.now()))];
}
