import { inLedger, type Payment, refundKey, retryAt, setPayment } from '../escrow/index.ts';
import type { Chain, Hex } from '../kernel/ports/chain.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, type IsoTime, isoTime } from '../kernel/time.ts';
import { capture, post, refund } from '../ledger/index.ts';
import type { PaidPurchase } from './purchase.ts';
import { decideEnding, recordEnding, takeBackDecision } from './reservations.store.ts';
import { usdcErrors } from './usdc.errors.ts';
import type { UsdcPayment } from './usdc-payment.ts';
import { lookAtPayment, makeFree, makeLive, moveToReturned, noteTransaction } from './usdc-payments.store.ts';

type ReturnPorts = Pick<Ports, 'market' | 'clock' | 'ids' | 'log'> & { readonly chain: Chain };

const WHY = usdcErrors.paid_not_delivered.code;

/** How a purchase ends that is paid back. */
interface Way {
  /** From here on the same payment, sent again, brings no data any more. Aborts where it just brought some. */
  decided(again: IsoTime): Statement[];
  /** It does again. */
  takenBack(again: IsoTime): Statement[];
  ended(changes: Partial<Payment>): Statement[];
}

/**
 * Gives a payer back what it paid on chain for nothing: once. What is decided is written first, so that the same
 * payment, sent again in this moment, brings no data any more; whoever finds this half done ends it the same way.
 */
export async function returnUsdc(
  ports: ReturnPorts,
  purchase: PaidPurchase,
  { authorization }: UsdcPayment,
  paidBy: Hex,
): Promise<void> {
  const { market, chain, clock, ids, log } = ports;
  const { id, amountCents, payment } = purchase;
  const way = purchase.status === 'authorized' ? wayOfOpen(purchase) : wayOfEnded(purchase, paidBy);
  const again = retryAt(payment.attempts, clock.now());
  await market.commit([...way.decided(again), setPayment(id, { attempts: payment.attempts + 1 })]);
  const outcome = await chain.pay({
    reference: refundKey(id),
    to: authorization.from,
    units: authorization.units,
  });
  const at = isoTime(clock.now());
  if (outcome.kind === 'refused') {
    log.error('refund_refused', { purchaseId: id, reason: outcome.reason });
    // Where nobody can pay, the data is the only thing there is to give: the payment is good for it again.
    if (outcome.reason === 'not_configured')
      await market.commit(way.takenBack(isoTime(clock.now() + DAY_MS)));
  }
  if (outcome.kind !== 'paid') return;
  await market.commit([
    // Before it ends: an authorisation that paid is never free again.
    setPayment(id, { capturedCents: amountCents, capturedAt: at, chargeId: paidBy }),
    ...way.ended({ refundedCents: amountCents, refundedAt: at, refundId: outcome.transaction }),
    post(capture(inLedger(purchase)), ids.uuid(), at),
    post(refund(inLedger(purchase)), ids.uuid(), at),
  ]);
}

/** It waited for its data: the listing has its copy back, too. */
function wayOfOpen(purchase: PaidPurchase): Way {
  const { id } = purchase;
  return {
    decided: (again) => decideEnding(id, 'refunded', WHY, again),
    takenBack: (again) => [takeBackDecision(id, again)],
    ended: (changes) => recordEnding(purchase, 'refunded', changes),
  };
}

/** It ended as unpaid, and the listing had its copy back then. */
function wayOfEnded({ id }: PaidPurchase, paidBy: Hex): Way {
  return {
    decided: (again) => [makeLive(id), noteTransaction(id, paidBy), lookAtPayment(id, again)],
    takenBack: (again) => [makeFree(id), lookAtPayment(id, again)],
    ended: (changes) => [
      ...moveToReturned(id),
      setPayment(id, { ...changes, ending: 'refunded', failure: WHY }),
      lookAtPayment(id, null),
    ],
  };
}
