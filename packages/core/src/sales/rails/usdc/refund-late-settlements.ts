import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { forEachConcurrently } from '../../../kernel/for-each-concurrently.ts';
import type { Chain } from '../../../kernel/ports/chain.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { DAY_MS, epochOf, isoTime, MINUTE_MS } from '../../../kernel/time.ts';
import { capture, post, refund } from '../../../ledger/index.ts';
import { inLedger } from '../../ledger-sale.rules.ts';
import { moveToRefunded } from '../../reservations.store.ts';
import type { Sale } from '../../sale.ts';
import { refundKey, retryAt } from '../../sale-terms.rules.ts';
import { isStatusConflict, requireSale, setPayment } from '../../sales.store.ts';
import { settlementErrors } from '../../settlement.errors.ts';
import type { Tab } from '../../tabs/tab.rules.ts';
import { endUnusedTab, findTab } from '../../tabs/tabs.store.ts';
import type { UsdcPayment } from './usdc-payment.ts';
import {
  isPaymentTaken,
  listEndedPayments,
  makeFree,
  makeLive,
  noteTransaction,
  recordSettledBy,
  scheduleCheck,
} from './usdc-payments.store.ts';
import { hintOf, paidAt, requireSameChain, unitsToRefund } from './usdc-rail.ts';
import { REFUND_AFTER_MS, WATCH_MS } from './usdc-times.rules.ts';

const BATCH = 50;
const AT_ONCE = 5;
/** When one is looked at again that cannot go on. */
const RETRY_MS = 10 * MINUTE_MS;
/** Why the sale ends as refunded, for its buyer. */
const FAILURE = settlementErrors.paid_not_delivered.code;

type RefundPorts = Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log'> & { readonly chain: Chain };

/**
 * Asks once more about payments whose sales ended unpaid, when they can be settled no more: whoever was asked to settle
 * one may have done so after it said that it failed, and a payer may bring its own to the chain. Such a payment is good
 * for its data for a day, when it is sent again; then it goes back. Returns how many there were.
 */
export async function refundLateSettlements(ports: Ports): Promise<number> {
  const { chain, market, clock, log } = ports;
  if (chain === null) return 0;
  const ended = await listEndedPayments(market, isoTime(clock.now()), BATCH);
  const check = async ({ recorded, isTaken }: (typeof ended)[number]) => {
    const { purchaseId } = recorded;
    try {
      if (isTaken) await market.commit([scheduleCheck(purchaseId, null)]);
      else await checkPayment({ ...ports, chain }, recorded);
    } catch (error) {
      log.error('purchase_delayed', { purchaseId, message: String(error) });
      // One that cannot go on must not keep the others waiting.
      await market.commit([scheduleCheck(purchaseId, isoTime(clock.now() + RETRY_MS))]).catch(() => {});
    }
  };
  await forEachConcurrently(ended, AT_ONCE, check);
  return ended.length;
}

async function checkPayment(ports: RefundPorts, recorded: UsdcPayment): Promise<void> {
  const { chain, market, clock, log } = ports;
  requireSameChain(chain, recorded);
  const [sale, tab] = await Promise.all([
    requireSale(market, recorded.purchaseId),
    findTab(market, recorded.purchaseId),
  ]);
  const { id, payment } = sale;
  const trace = await chain.find(recorded.authorization, hintOf(sale, recorded));
  if (trace.kind === 'settled') return refundLate(ports, sale, { ...recorded, tab }, trace.transaction);
  const isLongAgo = epochOf(sale.createdAt) + WATCH_MS <= clock.now();
  const isOver = trace.kind === 'void' || (trace.kind === 'unused' && (trace.isExpired || isLongAgo));
  // What goes back already is waited for, whatever is to be seen of it just now.
  if (isOver && !recorded.isLive) {
    await market.commit([scheduleCheck(id, null)]);
    return;
  }
  if (isOver) log.error('payment_untraced', { purchaseId: id, trace: trace.kind });
  const { attempts } = payment;
  await market.commit([
    scheduleCheck(id, retryAt(attempts, clock.now())),
    setPayment(id, { attempts: attempts + 1 }),
  ]);
}

interface EndedPayment extends UsdcPayment {
  readonly tab: Tab | null;
}

async function refundLate(
  ports: RefundPorts,
  sale: Sale,
  recorded: EndedPayment,
  transaction: Hex,
): Promise<void> {
  const { market, clock, log } = ports;
  const { id, createdAt } = sale;
  const refundAt = epochOf(createdAt) + REFUND_AFTER_MS;
  if (!recorded.isLive) {
    log.error('paid_not_delivered', { purchaseId: id, reference: transaction });
    if (clock.now() < refundAt) {
      await market.commit([
        noteTransaction(id, transaction),
        scheduleCheck(id, isoTime(refundAt)),
        setPayment(id, { attempts: 0 }),
      ]);
      return;
    }
  }
  try {
    await refundEnded(ports, sale, recorded, transaction);
  } catch (error) {
    // It was sent again in this moment, and another sale lives by it now; or another job was faster.
    if (!isPaymentTaken(error) && !isStatusConflict(error)) throw error;
  }
}

/**
 * Gives a payer back what settled after its sale had ended unpaid: once. That it will is written first, so that the
 * same payment, sent again in this moment, brings no data any more.
 */
async function refundEnded(
  ports: RefundPorts,
  sale: Sale,
  { authorization, tab }: EndedPayment,
  transaction: Hex,
): Promise<void> {
  const { market, chain, clock, ids, log } = ports;
  const { id, amountCents, payment } = sale;
  const retry = scheduleCheck(id, retryAt(payment.attempts, clock.now()));
  await market.commit([
    makeLive(id),
    noteTransaction(id, transaction),
    retry,
    setPayment(id, { attempts: payment.attempts + 1 }),
  ]);
  const { from: to } = authorization;
  const units = unitsToRefund(authorization.units, tab);
  const outcome = await chain.pay({ reference: refundKey(id), to, units });
  const at = isoTime(clock.now());
  if (outcome.kind === 'refused') {
    log.error('refund_refused', { purchaseId: id, reason: outcome.reason });
    // Where nobody can pay, the data is the only thing there is to give: the payment is good for it again.
    if (outcome.reason === 'not_configured')
      await market.commit([makeFree(id), scheduleCheck(id, isoTime(clock.now() + DAY_MS))]);
  }
  if (outcome.kind !== 'paid') return;
  await market.commit([
    setPayment(id, { capturedCents: amountCents, capturedAt: paidAt(sale, tab) }),
    ...moveToRefunded(id),
    setPayment(id, {
      refundedCents: amountCents,
      refundedAt: at,
      refundId: outcome.transaction,
      outcome: 'refunded',
      failure: FAILURE,
    }),
    recordSettledBy(id, transaction),
    scheduleCheck(id, null),
    ...(tab === null ? [] : [endUnusedTab(id, outcome.transaction)]),
    post(capture(inLedger(sale)), ids.uuid(), at),
    post(refund(inLedger(sale)), ids.uuid(), at),
  ]);
}
