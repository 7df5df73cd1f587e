import { inLedger, refundKey, retryAt, setPayment } from '../escrow/index.ts';
import type { Chain, Hex } from '../kernel/chain.ts';
import type { Ports } from '../kernel/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import { capture, post, refund } from '../ledger/index.ts';
import type { PaidPurchase } from './purchase.ts';
import { decideEnding, recordEnding, takeBackDecision } from './reservations.store.ts';
import { usdcErrors } from './usdc.errors.ts';
import type { UsdcPayment } from './usdc-payment.ts';

type ReturnPorts = Pick<Ports, 'market' | 'clock' | 'ids' | 'log'> & { readonly chain: Chain };

/**
 * Gives a payer back what it paid on chain for nothing, and the listing its copy: once. What is decided is
 * written first, so that the same payment, sent again in this moment, brings no data any more; whoever finds
 * this half done ends it the same way.
 */
export async function returnUsdc(
  ports: ReturnPorts,
  purchase: PaidPurchase,
  { authorization }: UsdcPayment,
  paidBy: Hex,
): Promise<void> {
  const { market, chain, clock, ids, log } = ports;
  const { id, amountCents, payment } = purchase;
  const again = retryAt(payment.attempts, clock.now());
  await market.commit(decideEnding(id, 'refunded', usdcErrors.paid_not_delivered.code, again));
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
      await market.commit([takeBackDecision(id, isoTime(clock.now() + DAY_MS))]);
  }
  if (outcome.kind !== 'paid') return;
  await market.commit([
    // Before it ends: an authorisation that paid is never free again.
    setPayment(id, { capturedCents: amountCents, capturedAt: at, chargeId: paidBy }),
    ...recordEnding(purchase, 'refunded', {
      refundedCents: amountCents,
      refundedAt: at,
      refundId: outcome.transaction,
    }),
    post(capture(inLedger(purchase)), ids.uuid(), at),
    post(refund(inLedger(purchase)), ids.uuid(), at),
  ]);
}
