import type { GasState } from '../../kernel/ports/chain.ts';
import { splitIntoBatches } from '../../kernel/split-into-batches.ts';
import { isoTime } from '../../kernel/time.ts';
import { bearsGas } from '../../payouts/index.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale } from '../sale.ts';
import { listGatheredSales, retryLater } from '../sales.store.ts';
import { isUnshipped } from './escrow.rules.ts';
import { gatherSale } from './escrow.store.ts';
import type { EscrowPorts } from './escrow-ports.ts';
import {
  borneGasCents,
  type GatheredPayout,
  gatheredUntil,
  isPayoutReady,
  nextLook,
  SALES_OF_A_PAYOUT,
} from './gathering.rules.ts';
import { beginPayout, type PayoutTarget } from './pay-in-usdc.ts';
import { destinationOf, dueAtOf, findRoutes, targetOf } from './payout-destination.ts';
import { keepReserve, readRecords } from './reserve/keep-reserve.ts';
import { settlePayments } from './settle-payments.ts';

/** Pays the due sales that go to wallets, those of one wallet together, or has them wait. Returns the sales that remain. */
export async function payToWallets(ports: EscrowPorts, due: readonly Sale[]): Promise<readonly Sale[]> {
  if (ports.chain === null) return due;
  const releasable = due.filter(
    (sale) => sale.status === 'held' && sale.payment.refundRequestedAt === null && !isUnshipped(sale),
  );
  const paidInUsdc = new Set<Sale>();
  const ofTargets = await byTarget(ports, releasable);
  const gas = ofTargets.length > 0 ? await ports.chain.gas() : null;
  for (const { target, sales: found } of ofTargets) {
    const { payable: sales, unread } = await payableHere(ports, found);
    for (const seen of [...sales.map(({ seen }) => seen), ...unread]) paidInUsdc.add(seen);
    // They are looked at together again: each by itself would cost a transfer of its own.
    for (const sale of unread)
      await ports.market.commit([retryLater(sale, ports.clock.now())]).catch(() => {});
    try {
      const payable = sales.map(({ sale }) => sale);
      if (payable.length > 0) await payOrGather(ports, target, payable, gas);
    } catch (error) {
      ports.log.error('payout_delayed', { sellerId: target.sellerId, message: String(error) });
    }
  }
  return due.filter((sale) => !paidInUsdc.has(sale));
}

/**
 * Pays due sales of a seller to its wallet, together with those that waited for more; where all of them do not cover
 * the gas of a transfer yet, the due ones wait, too.
 */
export async function payOrGather(
  ports: EscrowPorts,
  target: PayoutTarget,
  due: readonly Sale[],
  gas: GasState | null,
): Promise<void> {
  const { chain, market, clock } = ports;
  if (chain === null) return;
  const now = clock.now();
  const [gathered, recordOf] = await Promise.all([
    listGatheredSales(market, target.sellerId, isoTime(now), SALES_OF_A_PAYOUT),
    readRecords(ports, due),
  ]);
  const dueIds = new Set(due.map(({ id }) => id));
  const others = await byTarget(
    ports,
    gathered.filter(({ id }) => !dueIds.has(id)),
  );
  const waiting = others.find((other) => other.target.address === target.address)?.sales ?? [];
  const seller = { record: recordOf(target.sellerId), kind: 'wallet' as const };
  const payable = await keepReserve(ports, seller, [...waiting, ...due]);
  for (const batch of splitIntoBatches(payable, SALES_OF_A_PAYOUT)) {
    const sales = batch.map(({ sale }) => sale);
    const waitsUntil = (sale: Sale) => gatheredUntil(dueAtOf(sale, now), chain.payoutTerms);
    const payout = {
      amountCents: batch.reduce((sum, one) => sum + one.amountCents, 0),
      sales: sales.length,
      waitsUntil: sales.map(waitsUntil).sort()[0] ?? isoTime(now),
    };
    const [seen, rest] = [
      batch.filter(({ sale }) => dueIds.has(sale.id)),
      batch.filter(({ sale }) => !dueIds.has(sale.id)),
    ];
    const isReady = isPayoutReady(payout, gas, chain.payoutTerms, now);
    const gasCents = isReady || gas === null ? 0 : await gasOfSeller(ports, target.sellerId, payout, gas);
    if (gasCents !== null) {
      const { payable: present } = await payableHere(
        ports,
        rest.map(({ sale }) => sale),
      );
      const fresh = new Map(present.map(({ sale }) => [sale.id, sale]));
      const others = rest.flatMap((one) => {
        const sale = fresh.get(one.sale.id);
        // What was taken of it since is looked at in its own turn.
        const isWhole = sale?.payment.takenNetCents === one.sale.payment.takenNetCents;
        return sale && isWhole ? [{ ...one, sale }] : [];
      });
      await beginPayout(ports, target, [...others, ...seen], gasCents);
    } else {
      const checkAt = nextLook(payout.waitsUntil, now);
      await market.commit(seen.flatMap(({ sale }) => gatherSale(sale, waitsUntil(sale), checkAt)));
    }
  }
}

/** What the seller bears of a payout that would wait; null: it waits. */
async function gasOfSeller(
  { market }: EscrowPorts,
  sellerId: string,
  payout: Pick<GatheredPayout, 'amountCents'>,
  gas: GasState,
): Promise<number | null> {
  return (await bearsGas(market, sellerId)) ? borneGasCents(payout, gas) : null;
}

async function byTarget(
  ports: EscrowPorts,
  sales: readonly Sale[],
): Promise<{ readonly target: PayoutTarget; readonly sales: Sale[] }[]> {
  if (sales.length === 0) return [];
  const routes = await findRoutes(ports, sales);
  const ofTargets = new Map<string, { target: PayoutTarget; sales: Sale[] }>();
  for (const sale of sales) {
    const { sellerId } = sale;
    const destination = destinationOf(ports, routes.get(sellerId), sale);
    const target = destination && targetOf(sellerId, destination);
    if (target === null) continue;
    const key = `${sellerId} ${target.address}`;
    const together = ofTargets.get(key) ?? { target, sales: [] };
    ofTargets.set(key, together);
    together.sales.push(sale);
  }
  return [...ofTargets.values()];
}

/** `unread`: their payments were not seen now. What others took or are taking back is for the sale's own turn. */
async function payableHere(
  ports: EscrowPorts,
  sales: readonly Sale[],
): Promise<{ readonly payable: { seen: Sale; sale: Sale }[]; readonly unread: Sale[] }> {
  const unread: Sale[] = [];
  const payable = await Promise.all(
    sales.map(async (seen) => {
      try {
        const { sale, hasPendingRefund } = await settlePayments(ports, seen);
        const isDue = sale.status === 'held' && sale.payment.refundRequestedAt === null;
        if (!isDue || hasPendingRefund || sale.chargeback?.settledAt === null) return [];
        const source = await railOf(sale).payoutSource(ports, sale);
        return source.kind === 'here' ? [{ seen, sale }] : [];
      } catch (error) {
        ports.log.error('escrow_delayed', { purchaseId: seen.id, message: String(error) });
        unread.push(seen);
        return [];
      }
    }),
  );
  return { payable: payable.flat(), unread };
}
