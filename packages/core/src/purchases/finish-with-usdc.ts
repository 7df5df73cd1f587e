import { lookAgain, retryAt } from '../escrow/index.ts';
import type { Ports } from '../kernel/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import { hintOf } from './buy-with-usdc.ts';
import { giveBack } from './give-back.ts';
import type { PaidPurchase } from './purchase.ts';
import { countDelivery } from './purchases.store.ts';
import { settleDelivered } from './settle-delivered.ts';
import type { UsdcPayment } from './usdc-payment.ts';
import { findUsdcPayment } from './usdc-payments.store.ts';

/**
 * Ends a purchase over x402 whose request died or could not tell: sold if the chain shows its transfer,
 * given back if it never will. Until the chain says one or the other, it waits.
 */
export async function finishWithUsdc(ports: Ports, purchase: PaidPurchase): Promise<void> {
  const recorded = await findUsdcPayment(ports.market, purchase.id);
  if (recorded === null) return giveBack(ports, purchase, 'failed', null);
  if (ports.chain === null) throw new Error('There is no chain to ask.');
  const trace = await ports.chain.find(recorded.authorization, hintOf(purchase, recorded));
  switch (trace.kind) {
    case 'settled':
      return recordSold(
        ports,
        { ...purchase, payment: { ...purchase.payment, chargeId: trace.transaction } },
        recorded,
      );
    case 'unavailable':
      throw new Error('The chain could not be asked.');
    case 'pending':
      return later(ports, purchase);
    case 'void':
      return giveBack(ports, purchase, 'failed', 'invalid_transaction_state');
    case 'unused':
      // While it is valid, what was asked for may still come.
      if (recorded.contentDigest !== null && !trace.isExpired) return later(ports, purchase);
      return giveBack(ports, purchase, 'expired', purchase.payment.failure);
  }
}

async function recordSold(ports: Ports, paid: PaidPurchase, recorded: UsdcPayment): Promise<void> {
  const { contentDigest, deliveredAt } = recorded;
  if (contentDigest === null || deliveredAt === null) {
    // Paid by somebody's own doing before anything was delivered: the same payment sent again brings the data.
    ports.log.error('paid_not_delivered', { purchaseId: paid.id, transaction: paid.payment.chargeId });
    await ports.market.commit([lookAgain(paid, isoTime(ports.clock.now() + DAY_MS), 0)]);
    return;
  }
  await settleDelivered(ports, paid, contentDigest, {
    commit: (statements) => ports.market.commit(statements),
    isPushed: false,
    deliveredAt,
  });
  ports.background.run(ports.market.commit([countDelivery(paid.sellerId, 'delivered')]));
}

async function later({ market, clock }: Ports, purchase: PaidPurchase): Promise<void> {
  const { attempts } = purchase.payment;
  await market.commit([lookAgain(purchase, retryAt(attempts, clock.now()), attempts + 1)]);
}
