import { type Chain, UNITS_PER_CENT } from '../kernel/chain.ts';
import type { Ports } from '../kernel/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { isAlreadyPosted, netCents, payout, post } from '../ledger/index.ts';
import type { PayoutWallet } from '../payouts/index.ts';
import { retryAt } from './escrow.rules.ts';
import { inLedger } from './ledger-sale.rules.ts';
import { askAgain, endBatch, insertBatch, listDueBatches, type PayoutBatch } from './payout-batches.store.ts';
import type { Sale } from './sale.ts';
import { tellSeller } from './sale-events.ts';
import { beginTransfer, isOvertaken, listSalesOfBatch, moveSale, setPayment } from './sales.store.ts';

type PayoutPorts = Pick<Ports, 'market' | 'chain' | 'ids' | 'clock' | 'log'>;

/** As many as one transaction of the database takes well. */
const SALES_OF_A_BATCH = 25;
const BATCHES = 20;
const AT_ONCE = 5;

/**
 * Sends sales of one seller, whose time in escrow is over, on their way to its wallet: in one transfer, which
 * is a row before it is asked for.
 */
export async function beginPayout(
  ports: PayoutPorts,
  wallet: PayoutWallet,
  sales: readonly Sale[],
): Promise<void> {
  for (let start = 0; start < sales.length; start += SALES_OF_A_BATCH) {
    await beginBatch(ports, wallet, sales.slice(start, start + SALES_OF_A_BATCH));
  }
}

async function beginBatch(ports: PayoutPorts, wallet: PayoutWallet, sales: readonly Sale[]): Promise<void> {
  const { sellerId, chainId, address } = wallet;
  const at = isoTime(ports.clock.now());
  const id = ports.ids.uuid();
  const amountCents = sales.reduce((sum, sale) => sum + netCents(sale), 0);
  try {
    await ports.market.commit([
      insertBatch({ id, sellerId, chainId, address, amountCents, createdAt: at, dueAt: at }),
      ...sales.flatMap((sale) => [
        ...beginTransfer(sale, {
          accountId: address,
          amountCents: netCents(sale),
          at,
          // The batch is looked at, not each of its sales.
          lookAgainAt: null,
        }),
        setPayment(sale.id, { payoutBatchId: id }),
      ]),
    ]);
  } catch (error) {
    // Another clock was faster, or a buyer opened a dispute: those still due are batched anew.
    if (!isOvertaken(error)) throw error;
  }
}

/** A wallet is proved on one chain; elsewhere it may be nobody's. */
export function canReceive(wallet: PayoutWallet, chain: Pick<Chain, 'token'>): boolean {
  return wallet.chainId === chain.token.chainId;
}

/** Asks for the transfers that were begun and are not known to have ended. Returns how many. */
export async function sendPayouts(ports: PayoutPorts): Promise<number> {
  const { chain, market, clock, log } = ports;
  if (chain === null) return 0;
  const batches = await listDueBatches(market, isoTime(clock.now()), BATCHES);
  const send = async (batch: PayoutBatch) => {
    try {
      await sendPayout({ ...ports, chain }, batch);
    } catch (error) {
      log.error('payout_delayed', { batchId: batch.id, message: String(error) });
      // One that cannot go on must not keep the others waiting.
      const dueAt = retryAt(batch.attempts, clock.now());
      await market.commit([askAgain(batch, { transaction: null, dueAt })]).catch(() => {});
    }
  };
  // Each waits some seconds for its block.
  for (let start = 0; start < batches.length; start += AT_ONCE) {
    await Promise.all(batches.slice(start, start + AT_ONCE).map(send));
  }
  return batches.length;
}

async function sendPayout(ports: PayoutPorts & { readonly chain: Chain }, batch: PayoutBatch): Promise<void> {
  const { chain, market, clock, log } = ports;
  const { id, address: to, amountCents, attempts } = batch;
  if (chain.token.chainId !== batch.chainId) throw new Error('It was begun on another chain than this one.');
  const outcome = await chain.pay({
    reference: `payout:${id}`,
    to,
    units: BigInt(amountCents) * UNITS_PER_CENT,
  });
  const now = clock.now();
  try {
    switch (outcome.kind) {
      case 'paid':
        await market.commit([
          ...endBatch(id, 'paid', outcome.transaction, isoTime(now)),
          ...(await paidStatements(ports, id, now)),
        ]);
        return;
      case 'refused':
        log.error('payout_refused', { batchId: id, reason: outcome.reason });
        await market.commit([
          ...endBatch(id, 'refused', null, isoTime(now)),
          ...(await refusedStatements(ports, id, now)),
        ]);
        return;
      case 'pending':
      case 'unavailable': {
        const transaction = outcome.kind === 'pending' ? outcome.transaction : null;
        await market.commit([askAgain(batch, { transaction, dueAt: retryAt(attempts, now) })]);
      }
    }
  } catch (error) {
    if (!isOvertaken(error) && !isAlreadyPosted(error)) throw error;
  }
}

async function paidStatements(ports: PayoutPorts, batchId: string, now: EpochMs) {
  const at = isoTime(now);
  return (await listSalesOfBatch(ports.market, batchId)).flatMap((sale) => [
    ...moveSale(sale.id, 'releasing', 'released'),
    setPayment(sale.id, { attempts: 0 }),
    post(payout(inLedger(sale), 'usdc'), ports.ids.uuid(), at),
    ...tellSeller(ports, sale, 'sale.released', 'released', at),
  ]);
}

/** Back into escrow: the next batch has another reference. */
async function refusedStatements(ports: PayoutPorts, batchId: string, now: EpochMs) {
  return (await listSalesOfBatch(ports.market, batchId)).flatMap((sale) => [
    ...moveSale(sale.id, 'releasing', 'held'),
    setPayment(sale.id, {
      payoutBatchId: null,
      transferredCents: 0,
      transferAccountId: null,
      transferRefusals: sale.payment.transferRefusals + 1,
      releasingSince: null,
      dueAt: retryAt(sale.payment.transferRefusals, now),
    }),
    ...tellSeller(ports, sale, 'payout.failed', 'held', isoTime(now)),
  ]);
}
