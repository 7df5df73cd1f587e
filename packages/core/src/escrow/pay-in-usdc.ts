import { type Chain, UNITS_PER_CENT } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { isAlreadyPosted, netCents, payout, post } from '../ledger/index.ts';
import type { PayoutWallet } from '../payouts/index.ts';
import { retryAt } from './escrow.rules.ts';
import { inLedger } from './ledger-sale.rules.ts';
import {
  askAgain,
  beginAsking,
  endAsPaid,
  endAsRefused,
  insertBatch,
  listDueBatches,
  type PayoutBatch,
} from './payout-batches.store.ts';
import type { Sale, StoredSale } from './sale.ts';
import { tellSeller } from './sale-events.ts';
import { beginTransfer, isOvertaken, listSalesOfBatch, moveSale, setPayment } from './sales.store.ts';

type PayoutPorts = Pick<Ports, 'market' | 'chain' | 'ids' | 'clock' | 'log'>;

/** As many as one transaction of the database takes well. */
const SALES_OF_A_BATCH = 25;
const BATCHES = 20;
const AT_ONCE = 5;
/** No run of a job lives longer than 15 minutes: who asked before is heard by then, or never asks any more. */
const ASKING_MS = 20 * MINUTE_MS;

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

/** What was paid in the tokens of another chain, as of a test network, is not paid out in the money of this one. */
export function isPaidHere({ paidOnChainId }: StoredSale, chain: Chain | null): boolean {
  return paidOnChainId === null || paidOnChainId === chain?.token.chainId;
}

/** Asks for the transfers that were begun and are not known to have ended. Returns how many. */
export async function sendPayouts(ports: PayoutPorts): Promise<number> {
  const { chain, market, clock } = ports;
  if (chain === null) return 0;
  const batches = await listDueBatches(market, isoTime(clock.now()), BATCHES);
  // Each waits some seconds for its block.
  for (let start = 0; start < batches.length; start += AT_ONCE) {
    const some = batches.slice(start, start + AT_ONCE);
    await Promise.all(some.map((batch) => sendPayout({ ...ports, chain }, batch)));
  }
  return batches.length;
}

async function sendPayout(ports: PayoutPorts & { readonly chain: Chain }, batch: PayoutBatch): Promise<void> {
  const { market, clock, log } = ports;
  const { asked, statements } = beginAsking(batch, isoTime(clock.now() + ASKING_MS));
  try {
    await market.commit(statements);
    await askFor(ports, asked);
  } catch (error) {
    if (isOvertaken(error) || isAlreadyPosted(error)) return;
    log.error('payout_delayed', { batchId: batch.id, message: String(error) });
    // One that cannot go on must not keep the others waiting.
    const dueAt = retryAt(batch.attempts, clock.now());
    await market.commit([askAgain(asked, { transaction: null, dueAt })]).catch(() => {});
  }
}

async function askFor(ports: PayoutPorts & { readonly chain: Chain }, asked: PayoutBatch): Promise<void> {
  const { chain, market, clock, log } = ports;
  const { id, address: to, amountCents, attempts } = asked;
  if (chain.token.chainId !== asked.chainId) throw new Error('It was begun on another chain than this one.');
  const outcome = await chain.pay({
    reference: `payout:${id}`,
    to,
    units: BigInt(amountCents) * UNITS_PER_CENT,
  });
  const now = clock.now();
  const at = isoTime(now);
  switch (outcome.kind) {
    case 'paid': {
      const paid = await paidStatements(ports, id, now);
      await market.commit([...endAsPaid(id, outcome.transaction, at), ...paid]);
      return;
    }
    case 'refused': {
      log.error('payout_refused', { batchId: id, reason: outcome.reason });
      const refused = await refusedStatements(ports, id, now);
      await market.commit([...endAsRefused(asked, at), ...refused]);
      return;
    }
    case 'pending':
    case 'unavailable': {
      const transaction = outcome.kind === 'pending' ? outcome.transaction : null;
      await market.commit([askAgain(asked, { transaction, dueAt: retryAt(attempts - 1, now) })]);
    }
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
