import { isOvertaken, lookAgain, retryAt } from '../escrow/index.ts';
import type { Chain, Hex } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { hintOf, requireSameChain } from './buy-with-usdc.ts';
import { giveBack } from './give-back.ts';
import type { PaidPurchase } from './purchase.ts';
import { isUnavailable } from './reserve.ts';
import { returnUsdc } from './return-usdc.ts';
import { recordSale, signSale } from './settle-delivered.ts';
import type { UsdcPayment } from './usdc-payment.ts';
import { findUsdcPayment, noteTransaction } from './usdc-payments.store.ts';
import { RETURN_MS } from './usdc-times.rules.ts';

/**
 * Ends a purchase over x402 whose request died or could not tell: sold if the chain shows its transfer and
 * something was delivered, given back if the chain never will. Until it says one or the other, it waits.
 */
export async function finishWithUsdc(ports: Ports, purchase: PaidPurchase): Promise<void> {
  const recorded = await findUsdcPayment(ports.market, purchase.id);
  if (recorded === null) return giveBack(ports, purchase, 'failed', null);
  if (ports.chain === null) throw new Error('There is no chain to ask.');
  requireSameChain(ports.chain, recorded);
  const trace = await ports.chain.find(recorded.authorization, hintOf(purchase, recorded));
  // Its ending is decided, and the payment that it gives back is not to be seen just now.
  const isReturning = purchase.payment.ending !== null;
  if (isReturning && trace.kind !== 'settled') {
    const isGone = trace.kind === 'void' || trace.kind === 'unused';
    if (isGone) ports.log.error('payment_untraced', { purchaseId: purchase.id, trace: trace.kind });
    return later(ports, purchase);
  }
  switch (trace.kind) {
    case 'settled':
      return isUndelivered(purchase, recorded)
        ? finishUndelivered({ ...ports, chain: ports.chain }, purchase, recorded, trace.transaction)
        : finishDelivered({ ...ports, chain: ports.chain }, purchase, recorded, trace.transaction);
    case 'unavailable':
      throw new Error('The chain could not be asked.');
    case 'pending':
      return later(ports, purchase);
    case 'void':
      return giveBack(ports, purchase, 'failed', 'invalid_transaction_state');
    case 'unused':
      // While it is valid, what was asked for may still come; but some are valid for ages.
      if (recorded.contentDigest !== null && !trace.isExpired && ports.clock.now() < returnAt(purchase))
        return later(ports, purchase);
      return giveBack(ports, purchase, 'expired', purchase.payment.failure);
  }
}

const returnAt = ({ createdAt }: PaidPurchase): number => epochOf(createdAt) + RETURN_MS;

/** Nothing was delivered for it, or it was decided that nothing will be. */
const isUndelivered = ({ payment }: PaidPurchase, { contentDigest, deliveredAt }: UsdcPayment): boolean =>
  payment.ending !== null || contentDigest === null || deliveredAt === null;

/**
 * Paid by somebody's own doing before anything was delivered: the same payment sent again brings the data,
 * for a day. Then the money goes back.
 */
async function finishUndelivered(
  ports: Ports & { readonly chain: Chain },
  purchase: PaidPurchase,
  recorded: UsdcPayment,
  transaction: Hex,
): Promise<void> {
  const { log, clock, market } = ports;
  log.error('paid_not_delivered', { purchaseId: purchase.id, transaction });
  if (purchase.payment.ending === null && clock.now() < returnAt(purchase)) {
    await market.commit([
      noteTransaction(purchase.id, transaction),
      lookAgain(purchase, isoTime(returnAt(purchase)), 0),
    ]);
    return;
  }
  await giveItBack(ports, purchase, recorded, transaction);
}

async function giveItBack(
  ports: Ports & { readonly chain: Chain },
  purchase: PaidPurchase,
  recorded: UsdcPayment,
  transaction: Hex,
): Promise<void> {
  try {
    await returnUsdc(ports, purchase, recorded, transaction);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}

/** Paid for and delivered, but shown to nobody: it is a sale once it is written down. What never can be goes back. */
async function finishDelivered(
  ports: Ports & { readonly chain: Chain },
  purchase: PaidPurchase,
  recorded: UsdcPayment,
  transaction: Hex,
): Promise<void> {
  const { log, clock } = ports;
  try {
    await recordSold(ports, purchase, recorded, transaction);
  } catch (error) {
    // A database that is down says nothing about the sale, and could not take a decision either.
    if (isUnavailable(error) || clock.now() < returnAt(purchase)) throw error;
    log.error('usdc_sale_given_up', { purchaseId: purchase.id, transaction, message: String(error) });
    await giveItBack(ports, purchase, recorded, transaction);
  }
}

async function recordSold(
  ports: Ports,
  purchase: PaidPurchase,
  { contentDigest, deliveredAt }: UsdcPayment,
  transaction: Hex,
): Promise<void> {
  if (contentDigest === null || deliveredAt === null) throw new Error('Nothing was delivered.');
  const sale = await signSale(ports, purchase, contentDigest, deliveredAt);
  await recordSale(ports, sale, transaction, {
    commit: (statements) => ports.market.commit(statements),
    isPushed: false,
  });
}

async function later({ market, clock }: Ports, purchase: PaidPurchase): Promise<void> {
  const { attempts } = purchase.payment;
  await market.commit([lookAgain(purchase, retryAt(attempts, clock.now()), attempts + 1)]);
}
