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
import { noteRecharged, noteSetback } from './recharge.store.ts';
import {
  closeTopUp,
  creditTopUp,
  findTopUp,
  isCredited,
  isNoLongerOpen,
  isReturning,
  markReturned,
  type TopUp,
  type TopUpStatus,
} from './top-ups.store.ts';
import {
  afterRefusal,
  isPageless,
  mayAskAgain,
  PAYMENT_RETURNED,
  type TopUpVerdict,
  verdictOfCheckout,
  verdictOfPayment,
} from './wallet.rules.ts';
import { readWallet } from './wallet.store.ts';

/** What somebody heard of: a top-up of ours, or an object of the card processor. */
export type TopUpClue = { topUpId: string } | { sessionId: string } | { paymentId: string };

/**
 * Brings a top-up to where the card processor's object says it is, and credits it exactly once, however
 * often and in whatever order this is called. Null: it is about no top-up. Throws CardProcessorError or
 * DatabaseError when the outcome is not known; calling again is always safe.
 */
export async function settleTopUp(
  ports: Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log'>,
  clue: TopUpClue,
): Promise<TopUpStatus | null> {
  const { cards, market } = ports;
  if (cards === null) return null;
  const seen: Seen = {};
  if ('sessionId' in clue) seen.session = await cards.getCheckout(clue.sessionId);
  if ('paymentId' in clue) seen.payment = await cards.getPayment(clue.paymentId);
  const id = 'topUpId' in clue ? clue.topUpId : referredTo(seen);
  const topUp = id === null ? null : await findTopUp(market, id);
  return topUp && settle({ ...ports, cards }, topUp, seen);
}

interface Seen {
  session?: CheckoutSession;
  payment?: Payment;
  /** The processor was not asked for this charge before, so that its refusal says that there is none. */
  isFirstTry?: boolean;
}

export type SettlingPorts = Pick<Ports, 'market' | 'clock' | 'ids' | 'log'> & {
  readonly cards: CardProcessor;
};

function referredTo({ session, payment }: Seen): string | null {
  const reference = session?.reference ?? payment?.reference;
  return reference?.kind === 'top_up' ? reference.id : null;
}

export async function settle(ports: SettlingPorts, topUp: TopUp, seen: Seen = {}): Promise<TopUpStatus> {
  if (topUp.status === 'paid') return 'paid';
  const verdict = await examine(ports, topUp, seen);
  switch (verdict.kind) {
    case 'pending':
      return topUp.status;
    case 'mismatch':
      ports.log.error('top_up_mismatch', { topUpId: topUp.id });
      return topUp.status;
    case 'paid':
      return credit(ports, topUp, verdict.paymentId);
    case 'expired':
      return close(ports, topUp, 'expired');
    case 'failed':
      return close(ports, topUp, { failure: verdict.failure });
  }
}

async function examine(ports: SettlingPorts, topUp: TopUp, seen: Seen): Promise<TopUpVerdict> {
  if (seen.payment) {
    const verdict = verdictOfPayment(topUp, seen.payment);
    // Short of being paid, it is the page that tells: its payments fail and end before it does.
    if (topUp.charge !== null || verdict.kind === 'paid') return verdict;
  }
  return topUp.charge === null
    ? examineCheckout(ports, topUp, seen.session)
    : examineCharge(ports, topUp, seen);
}

async function examineCheckout(
  { cards, clock }: SettlingPorts,
  topUp: TopUp,
  seen: CheckoutSession | undefined,
): Promise<TopUpVerdict> {
  const { id, sessionId } = topUp;
  const now = clock.now();
  if (!seen && sessionId === null) return { kind: isPageless(topUp, now) ? 'expired' : 'pending' };
  let session = seen ?? (await cards.getCheckout(sessionId as string));
  if (session.status === 'open' && now >= epochOf(topUp.expiresAt)) {
    // Its room under the cap is given up only when it can no longer be paid.
    session = await cards.expireCheckout(`top_up:${id}:expire`, session.sessionId);
  }
  const payment = session.paymentId === null ? null : await cards.getPayment(session.paymentId);
  return verdictOfCheckout(topUp, session, payment);
}

/** Charges the saved card, or learns how that ended: under its key it happens once. */
async function examineCharge(
  { cards, clock }: SettlingPorts,
  topUp: TopUp,
  { isFirstTry = false }: Seen,
): Promise<TopUpVerdict> {
  // One that was given up is not charged again; only a payment that turns up can still change it.
  if (topUp.charge === null || topUp.status !== 'open') return { kind: 'pending' };
  if (!mayAskAgain(topUp, clock.now())) return { kind: 'failed', failure: 'outcome_unknown' };
  const outcome = await charge(cards, topUp.id, topUp.charge, isFirstTry);
  switch (outcome.kind) {
    case 'succeeded':
      return verdictOfPayment(topUp, await cards.getPayment(outcome.paymentId));
    case 'declined':
      return { kind: 'failed', failure: outcome.code };
    case 'authentication_required':
      return { kind: 'failed', failure: outcome.kind };
  }
}

async function charge(
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

async function credit(ports: SettlingPorts, topUp: TopUp, paymentId: string): Promise<TopUpStatus> {
  const { market, clock, ids, log, cards } = ports;
  const statements = creditTopUp(topUp, paymentId, ids.uuid(), isoTime(clock.now()));
  if (topUp.charge !== null) statements.push(noteRecharged(topUp.agentId));
  try {
    await market.commit(statements);
    return 'paid';
  } catch (error) {
    if (isAlreadyPosted(error)) return 'paid';
    if (!isOverCap(error) && !isReturning(error)) throw error;
  }
  // Possible only for money that came after its top-up was given up, and its room with it. Decided before it is
  // done: by the next report there may be room.
  if ((await decideReturn(market, topUp.id)) === 'paid') return 'paid';
  await cards.refund(`top_up:${topUp.id}:return`, { paymentId, amountCents: topUp.amountCents });
  log.error('top_up_returned', { topUpId: topUp.id });
  return 'failed';
}

async function decideReturn(market: Database, id: string): Promise<'failed' | 'paid'> {
  try {
    await market.commit(markReturned(id));
    return 'failed';
  } catch (error) {
    if (isCredited(error)) return 'paid';
    throw error;
  }
}

async function close(
  ports: SettlingPorts,
  topUp: TopUp,
  end: { failure: string } | 'expired',
): Promise<TopUpStatus> {
  if (topUp.status !== 'open') {
    if (end === 'expired' || end.failure !== PAYMENT_RETURNED) return topUp.status;
    return decideReturn(ports.market, topUp.id);
  }
  try {
    await ports.market.commit([...closeTopUp(topUp.id, end), ...(await setback(ports, topUp, end))]);
  } catch (error) {
    if (!isNoLongerOpen(error)) throw error;
    return (await findTopUp(ports.market, topUp.id))?.status ?? topUp.status;
  }
  return end === 'expired' ? 'expired' : 'failed';
}

/** What a refused card means for the recharges that come after. */
async function setback(
  { market, clock, log }: SettlingPorts,
  { agentId, charge, id }: TopUp,
  end: { failure: string } | 'expired',
): Promise<Statement[]> {
  if (charge === null || end === 'expired') return [];
  const { autoRecharge } = await readWallet(market, agentId);
  log.info('recharge_refused', { topUpId: id, failure: end.failure });
  return [noteSetback(agentId, afterRefusal(end.failure, autoRecharge.failures, clock.now()))];
}
