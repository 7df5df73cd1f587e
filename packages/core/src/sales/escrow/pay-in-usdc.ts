import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { forEachConcurrently } from '../../kernel/for-each-concurrently.ts';
import { type Chain, UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { isAlreadyPosted, payoutGas, post } from '../../ledger/index.ts';
import { payoutPostings, withheldOf } from '../ledger-sale.rules.ts';
import { sellerEvent } from '../sale-events.ts';
import { retryAt } from '../sale-terms.rules.ts';
import { isStatusConflict, listSalesOfBatch, moveSale, setPayment } from '../sales.store.ts';
import { beginTransfer, endRefusedTransfer } from './escrow.store.ts';
import {
  beginAttempt,
  endAsPaid,
  endAsRefused,
  insertBatch,
  listDueBatches,
  type PayoutBatch,
  retryBatch,
} from './payout-batches.store.ts';
import type { PayableSale } from './reserve/keep-reserve.ts';

type PayoutPorts = Pick<Ports, 'market' | 'chain' | 'ids' | 'clock' | 'log'>;

const BATCHES = 20;
const AT_ONCE = 5;
/** No run of a job lives longer than 15 minutes: an earlier attempt has ended by then. */
const ATTEMPT_MS = 20 * MINUTE_MS;

/** A wallet of a seller. */
export interface PayoutTarget {
  readonly sellerId: string;
  readonly chainId: number;
  readonly address: Hex;
}

/**
 * Sends sales of one seller, whose time in escrow is over, on their way to its wallet: in one transfer, which
 * is a row before it is asked for. At most `SALES_OF_A_PAYOUT`. `gasCents`: what of it the seller bears, and is not sent.
 */
export async function beginPayout(
  ports: PayoutPorts,
  wallet: PayoutTarget,
  sales: readonly PayableSale[],
  gasCents = 0,
): Promise<void> {
  const { sellerId, chainId, address } = wallet;
  const at = isoTime(ports.clock.now());
  const id = ports.ids.uuid();
  const amountCents = sales.reduce((sum, one) => sum + one.amountCents, 0);
  // What is no longer payable now may leave less than the gas.
  if (gasCents > 0 && gasCents >= amountCents) return;
  try {
    await ports.market.commit([
      insertBatch({ id, sellerId, chainId, address, amountCents, createdAt: at, dueAt: at, gasCents }),
      ...sales.flatMap(({ sale, ...terms }) =>
        beginTransfer(sale.id, {
          ...terms,
          accountId: address,
          payoutBatchId: id,
          at,
          // The batch is looked at, not each of its sales.
          checkAt: null,
        }),
      ),
    ]);
  } catch (error) {
    // Another clock was faster, took up the room of the limit, or a buyer opened a dispute: those still due are batched anew.
    if (!isStatusConflict(error)) throw error;
  }
}

/** Asks for the transfers that were begun and are not known to have ended. Returns how many. */
export async function sendPayouts(ports: PayoutPorts): Promise<number> {
  const { chain, market, clock } = ports;
  if (chain === null) return 0;
  const batches = await listDueBatches(market, isoTime(clock.now()), BATCHES);
  // Each waits some seconds for its block.
  await forEachConcurrently(batches, AT_ONCE, (batch) => sendPayout({ ...ports, chain }, batch));
  return batches.length;
}

async function sendPayout(ports: PayoutPorts & { readonly chain: Chain }, batch: PayoutBatch): Promise<void> {
  const { market, clock, log } = ports;
  const { attempt, statements } = beginAttempt(batch, isoTime(clock.now() + ATTEMPT_MS));
  try {
    await market.commit(statements);
    await payBatch(ports, attempt);
  } catch (error) {
    if (isStatusConflict(error) || isAlreadyPosted(error)) return;
    log.error('payout_delayed', { batchId: batch.id, message: String(error) });
    // One that cannot go on must not keep the others waiting.
    const dueAt = retryAt(batch.attempts, clock.now());
    await market.commit([retryBatch(attempt, { transaction: null, dueAt })]).catch(() => {});
  }
}

async function payBatch(ports: PayoutPorts & { readonly chain: Chain }, attempt: PayoutBatch): Promise<void> {
  const { chain, market, clock, log } = ports;
  const { id, address: to, amountCents, gasCents, attempts } = attempt;
  if (chain.token.chainId !== attempt.chainId)
    throw new Error('It was begun on another chain than this one.');
  const outcome = await chain.pay({
    reference: `payout:${id}`,
    to,
    units: BigInt(amountCents - gasCents) * UNITS_PER_CENT,
  });
  const now = clock.now();
  const at = isoTime(now);
  switch (outcome.kind) {
    case 'paid': {
      const paid = await paidStatements(ports, id, now);
      const gas = payoutGas(attempt);
      const booked = gas === null ? [] : [post(gas, ports.ids.uuid(), at)];
      await market.commit([...endAsPaid(id, outcome.transaction, at), ...paid, ...booked]);
      return;
    }
    case 'refused': {
      log.error('payout_refused', { batchId: id, reason: outcome.reason });
      if (outcome.reason === 'insufficient_funds') {
        // The platform's own lack: the payout keeps its reference, so that it can never be paid under two.
        await market.commit([retryBatch(attempt, { transaction: null, dueAt: retryAt(attempts - 1, now) })]);
        return;
      }
      const refused = await refusedStatements(ports, id, now);
      await market.commit([...endAsRefused(attempt, at), ...refused]);
      return;
    }
    case 'pending':
    case 'unavailable': {
      const transaction = outcome.kind === 'pending' ? outcome.transaction : null;
      await market.commit([retryBatch(attempt, { transaction, dueAt: retryAt(attempts - 1, now) })]);
    }
  }
}

async function paidStatements(ports: PayoutPorts, batchId: string, now: EpochMs) {
  const at = isoTime(now);
  return (await listSalesOfBatch(ports.market, batchId)).flatMap((sale) => [
    ...moveSale(sale.id, 'releasing', 'released'),
    setPayment(sale.id, { attempts: 0 }),
    ...payoutPostings(sale, 'usdc').map((one) => post(one, ports.ids.uuid(), at)),
    ...sellerEvent(ports, { ...sale, status: 'released' }, 'sale.released', at, withheldOf(sale)),
  ]);
}

/** Back into escrow: the next batch has another reference. */
async function refusedStatements(ports: PayoutPorts, batchId: string, now: EpochMs) {
  return (await listSalesOfBatch(ports.market, batchId)).flatMap((sale) => {
    const refusals = sale.transfer?.refusals ?? 0;
    return [
      ...moveSale(sale.id, 'releasing', 'held'),
      setPayment(sale.id, { transferredCents: 0, dueAt: retryAt(refusals, now) }),
      ...endRefusedTransfer(sale.id, refusals + 1),
      ...sellerEvent(ports, { ...sale, status: 'held' }, 'payout.failed', isoTime(now)),
    ];
  });
}
