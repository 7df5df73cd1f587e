import { isOvertaken, retryAt, setPayment } from '../escrow/index.ts';
import type { Chain, Hex } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { epochOf, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { findPaidPurchase, hintOf, requireSameChain } from './buy-with-usdc.ts';
import type { PaidPurchase } from './purchase.ts';
import { returnUsdc } from './return-usdc.ts';
import type { UsdcPayment } from './usdc-payment.ts';
import { isPaymentTaken, listSuspects, lookAtPayment, noteTransaction } from './usdc-payments.store.ts';
import { RETURN_MS, SUSPECT_MS } from './usdc-times.rules.ts';

const BATCH = 50;
const AT_ONCE = 5;
/** When one is looked at again that cannot go on. */
const LATER_MS = 10 * MINUTE_MS;

type LatePorts = Pick<Ports, 'market' | 'clock' | 'ids' | 'log'> & { readonly chain: Chain };

/**
 * Asks once more about payments whose purchases ended unpaid, when they can be settled no more: who was asked to
 * settle one may have done so after it said that it failed, and a payer may bring its own to the chain. Such a
 * payment is good for its data for a day, when it is sent again; then it goes back. Returns how many there were.
 */
export async function returnLatePayments(ports: Ports): Promise<number> {
  const { chain, market, clock, log } = ports;
  if (chain === null) return 0;
  const suspects = await listSuspects(market, isoTime(clock.now()), BATCH);
  const look = async ({ recorded, isTaken }: (typeof suspects)[number]) => {
    const { purchaseId } = recorded;
    try {
      if (isTaken) await market.commit([lookAtPayment(purchaseId, null)]);
      else await lookAt({ ...ports, chain }, recorded);
    } catch (error) {
      log.error('purchase_delayed', { purchaseId, message: String(error) });
      // One that cannot go on must not keep the others waiting.
      await market.commit([lookAtPayment(purchaseId, isoTime(clock.now() + LATER_MS))]).catch(() => {});
    }
  };
  for (let start = 0; start < suspects.length; start += AT_ONCE) {
    await Promise.all(suspects.slice(start, start + AT_ONCE).map(look));
  }
  return suspects.length;
}

async function lookAt(ports: LatePorts, recorded: UsdcPayment): Promise<void> {
  const { chain, market, clock, log } = ports;
  requireSameChain(chain, recorded);
  const purchase = await findPaidPurchase(ports, recorded);
  const { id, payment } = purchase;
  const trace = await chain.find(recorded.authorization, hintOf(purchase, recorded));
  if (trace.kind === 'settled') return settledLate(ports, purchase, recorded, trace.transaction);
  const isLongAgo = epochOf(purchase.createdAt) + SUSPECT_MS <= clock.now();
  const isOver = trace.kind === 'void' || (trace.kind === 'unused' && (trace.isExpired || isLongAgo));
  // What goes back already is waited for, whatever is to be seen of it just now.
  if (isOver && !recorded.isLive) {
    await market.commit([lookAtPayment(id, null)]);
    return;
  }
  if (isOver) log.error('payment_untraced', { purchaseId: id, trace: trace.kind });
  const { attempts } = payment;
  await market.commit([
    lookAtPayment(id, retryAt(attempts, clock.now())),
    setPayment(id, { attempts: attempts + 1 }),
  ]);
}

async function settledLate(
  ports: LatePorts,
  purchase: PaidPurchase,
  recorded: UsdcPayment,
  transaction: Hex,
): Promise<void> {
  const { market, clock, log } = ports;
  const { id, createdAt } = purchase;
  const returnAt = epochOf(createdAt) + RETURN_MS;
  if (!recorded.isLive) {
    log.error('paid_not_delivered', { purchaseId: id, transaction });
    if (clock.now() < returnAt) {
      await market.commit([
        noteTransaction(id, transaction),
        lookAtPayment(id, isoTime(returnAt)),
        setPayment(id, { attempts: 0 }),
      ]);
      return;
    }
  }
  try {
    await returnUsdc(ports, purchase, recorded, transaction);
  } catch (error) {
    // It was sent again in this moment, and another purchase lives by it now; or another job was faster.
    if (!isPaymentTaken(error) && !isOvertaken(error)) throw error;
  }
}
