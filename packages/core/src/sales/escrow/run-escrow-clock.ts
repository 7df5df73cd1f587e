import { forEachConcurrently } from '../../kernel/for-each-concurrently.ts';
import { isoTime } from '../../kernel/time.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale } from '../sale.ts';
import { listDueSales } from '../sales.store.ts';
import { advanceEscrow, withReturns } from './advance-escrow.ts';
import { isUnshipped } from './escrow.rules.ts';
import { beginPayout, type PayoutTarget, sendPayouts } from './pay-in-usdc.ts';
import { destinationOf, findRoutes, targetOf } from './payout-destination.ts';
import type { EscrowPorts } from './release-sale.ts';

const BATCH = 100;
/** Sales are worked on together, a few at a time: each is a handful of calls that mostly wait. */
const AT_ONCE = 5;

/**
 * The escrow clock, every minute: sales whose time is over go to their sellers, orders that were not shipped in time
 * back to their buyers, and what was begun and not finished is finished. Clocks may overlap. Returns how many sales
 * were looked at.
 */
export async function runEscrowClock(ports: EscrowPorts): Promise<number> {
  const now = isoTime(ports.clock.now());
  const due = await listDueSales(ports.market, ['held', 'releasing'], now, BATCH);
  const others = await beginPayouts(ports, due);
  await forEachConcurrently(others, AT_ONCE, (sale) => advanceEscrow(ports, sale, { by: 'job' }));
  return due.length + (await sendPayouts(ports));
}

/** Begins one payout for all due sales that go to one wallet of a seller. Returns the sales that remain. */
async function beginPayouts(ports: EscrowPorts, due: readonly Sale[]): Promise<readonly Sale[]> {
  if (ports.chain === null) return due;
  const releasable = due.filter(
    (sale) => sale.status === 'held' && sale.payment.refundRequestedAt === null && !isUnshipped(sale),
  );
  const routes = await findRoutes(ports, releasable);
  const ofTargets = new Map<string, { target: PayoutTarget; sales: Sale[] }>();
  for (const sale of releasable) {
    const { sellerId } = sale;
    const destination = destinationOf(ports, routes.get(sellerId), sale);
    const target = destination && targetOf(sellerId, destination);
    if (target === null) continue;
    const key = `${sellerId} ${target.address}`;
    const together = ofTargets.get(key) ?? { target, sales: [] };
    ofTargets.set(key, together);
    together.sales.push(sale);
  }
  const paidInUsdc = new Set<Sale>();
  for (const { target, sales: found } of ofTargets.values()) {
    const sales = await payableHere(ports, found);
    for (const { seen } of sales) paidInUsdc.add(seen);
    try {
      const payable = sales.map(({ sale }) => sale);
      await beginPayout(ports, target, payable);
    } catch (error) {
      ports.log.error('payout_delayed', { sellerId: target.sellerId, message: String(error) });
    }
  }
  return due.filter((sale) => !paidInUsdc.has(sale));
}

/** A payment that is not seen now, or that finance refunded at the processor, is for the sale's own turn. */
async function payableHere(
  ports: EscrowPorts,
  sales: readonly Sale[],
): Promise<{ seen: Sale; sale: Sale }[]> {
  const looked = await Promise.all(
    sales.map(async (seen) => {
      const sale = await withReturns(ports, seen).catch(() => null);
      const isDue = sale?.status === 'held' && sale.payment.refundRequestedAt === null;
      if (sale === null || !isDue) return [];
      const source = await railOf(sale).payoutSource(ports, sale);
      return source.kind === 'here' ? [{ seen, sale }] : [];
    }),
  );
  return looked.flat();
}
