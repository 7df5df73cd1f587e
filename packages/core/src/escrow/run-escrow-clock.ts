import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { findPayoutWallets } from '../payouts/index.ts';
import { isUnshipped, retryAt } from './escrow.rules.ts';
import { beginPayout, canReceive, isPaidHere, sendPayouts } from './pay-in-usdc.ts';
import { finishRefund } from './refund-purchase.ts';
import { refundUnshipped } from './refund-unshipped.ts';
import type { StoredSale } from './sale.ts';
import { listDueSales, lookAgain } from './sales.store.ts';
import { releaseShare, transferShare } from './transfer-share.ts';

type ClockPorts = Pick<Ports, 'market' | 'search' | 'cards' | 'chain' | 'ids' | 'clock' | 'log'>;

const BATCH = 100;
/** Sales are worked on together, a few at a time: each is a handful of calls that mostly wait. */
const AT_ONCE = 5;

/**
 * The escrow clock, every minute: sales whose time is over go to their sellers, orders that were not shipped in
 * time back to their buyers, and what was begun and not finished is finished. Clocks may overlap. Returns how many sales were looked at.
 */
export async function runEscrowClock(ports: ClockPorts): Promise<number> {
  const now = isoTime(ports.clock.now());
  const due = await listDueSales(ports.market, ['held', 'releasing'], now, BATCH);
  const others = await beginPayouts(ports, due);
  for (let start = 0; start < others.length; start += AT_ONCE) {
    await Promise.all(others.slice(start, start + AT_ONCE).map((sale) => advance(ports, sale)));
  }
  return due.length + (await sendPayouts(ports));
}

/** Begins one payout for all due sales of each seller that has a wallet. Returns the sales that remain. */
async function beginPayouts(ports: ClockPorts, due: readonly StoredSale[]): Promise<readonly StoredSale[]> {
  const { chain } = ports;
  if (chain === null) return due;
  const ending = due.filter(
    (sale) =>
      sale.status === 'held' &&
      sale.payment.refundRequestedAt === null &&
      !isUnshipped(sale.payment) &&
      isPaidHere(sale, chain),
  );
  const sellerIds = [...new Set(ending.map(({ sellerId }) => sellerId))];
  const found = [...(await findPayoutWallets(ports.market, sellerIds)).values()];
  const wallets = found.filter((wallet) => canReceive(wallet, chain));
  for (const wallet of wallets) {
    const sales = ending.filter(({ sellerId }) => sellerId === wallet.sellerId);
    try {
      await beginPayout(ports, wallet, sales);
    } catch (error) {
      ports.log.error('payout_delayed', { sellerId: wallet.sellerId, message: String(error) });
    }
  }
  const paidInUsdc = new Set(wallets.map(({ sellerId }) => sellerId));
  return due.filter((sale) => !(ending.includes(sale) && paidInUsdc.has(sale.sellerId)));
}

async function advance(ports: ClockPorts, sale: StoredSale): Promise<void> {
  try {
    if (sale.payment.refundRequestedAt !== null) {
      const outcome = await finishRefund(ports, sale);
      if (outcome === 'not_here')
        ports.log.error('refund_refused', { purchaseId: sale.id, reason: 'not_configured' });
      if (outcome !== 'refunded') await putOff(ports, sale);
    } else if (sale.status === 'held' && isUnshipped(sale.payment)) await refundUnshipped(ports, sale);
    else if (sale.status === 'held') await releaseShare(ports, sale);
    else if (ports.cards !== null) await transferShare({ ...ports, cards: ports.cards }, sale);
  } catch (error) {
    ports.log.error('escrow_delayed', { purchaseId: sale.id, message: String(error) });
    await putOff(ports, sale).catch(() => {});
  }
}

/** One sale that cannot go on must not keep the others waiting. */
async function putOff({ market, clock }: ClockPorts, sale: StoredSale): Promise<void> {
  const { attempts } = sale.payment;
  await market.commit([lookAgain(sale, retryAt(attempts, clock.now()), attempts + 1)]);
}
