import {
  type CardProcessor,
  CardProcessorError,
  type TransferOutcome,
} from '../../kernel/ports/card-processor.ts';
import { type EpochMs, HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { isAlreadyPosted, netCents, post } from '../../ledger/index.ts';
import type { Destination } from '../../payouts/index.ts';
import { inLedger, payoutPostings, withheldOf } from '../ledger-sale.rules.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale, Transfer } from '../sale.ts';
import { sellerEvent } from '../sale-events.ts';
import { retryAt } from '../sale-terms.rules.ts';
import { isStatusConflict, moveSale, rescheduleCheck, setPayment } from '../sales.store.ts';
import { transferKey } from './escrow.rules.ts';
import { beginTransfer, endRefusedTransfer, setTransfer } from './escrow.store.ts';
import type { EscrowPorts } from './escrow-ports.ts';
import { payOrGather } from './gather-payouts.ts';
import { destinationOf, findRoutes, targetOf } from './payout-destination.ts';
import { keepReserve, readRecords, withWithheld } from './reserve/keep-reserve.ts';
import { settleAccount } from './settle-account.ts';

/** How long a lost answer may stay unnoticed. */
const CHECK_MS = 5 * MINUTE_MS;

/**
 * Sends the seller's share of a sale whose time in escrow is over on its way, if the seller can be paid: to its wallet
 * if it bound one, else to its account at the card processor.
 */
export async function releaseSale(ports: EscrowPorts, sale: Sale): Promise<void> {
  const { market, cards, clock } = ports;
  const [source, recordOf] = await Promise.all([
    railOf(sale).payoutSource(ports, sale),
    readRecords(ports, [sale]),
  ]);
  if (source.kind === 'elsewhere') {
    ports.log.error('payout_refused', { purchaseId: sale.id, reason: 'other_chain' });
    await market.commit([rescheduleCheck(sale, isoTime(clock.now() + HOUR_MS), 0)]);
    return;
  }
  const destination = await findDestination(ports, sale);
  const target = destination && targetOf(sale.sellerId, destination);
  if (target !== null) return payOrGather(ports, target, [sale], (await ports.chain?.gas()) ?? null);
  const now = clock.now();
  if (cards === null || destination === null) {
    await market.commit([rescheduleCheck(sale, isoTime(now + HOUR_MS), 0)]);
    return;
  }
  const seller = { record: recordOf(sale.sellerId), kind: destination.kind };
  const [payable] = await keepReserve(ports, seller, [sale]);
  if (payable === undefined) return;
  const { amountCents, limitCents, since, withholdings } = payable;
  const accountId = destination.destination;
  const at = isoTime(now);
  const checkAt = isoTime(now + CHECK_MS);
  const begun = { accountId, payoutBatchId: null, amountCents, at, checkAt, limitCents, since, withholdings };
  try {
    await market.commit(beginTransfer(sale.id, begun));
  } catch (error) {
    // Another clock was faster, took up the room of the limit, or the buyer opened a dispute.
    if (isStatusConflict(error)) return;
    throw error;
  }
  const transfer: Transfer = { ...transferOf(sale), accountId, releasingSince: at };
  await confirmTransfer(ports, { ...withWithheld(sale, withholdings, 'releasing'), transfer });
}

/** Where a sale is paid. An account that cannot be is asked about again: the processor's message may be lost. */
async function findDestination(ports: EscrowPorts, sale: Sale): Promise<Destination | null> {
  const read = async () => (await findRoutes(ports, [sale])).get(sale.sellerId);
  const routes = await read();
  const destination = destinationOf(ports, routes, sale);
  if (destination !== null || !routes?.account || routes.account.payoutsEnabled) return destination;
  await settleAccount(ports, routes.account.accountId);
  return destinationOf(ports, await read(), sale);
}

/**
 * Looks whether the transfer of a sale that is releasing was made, where its answer was lost. If not, the sale is in escrow
 * again, so that what paid for it is read before another is asked for: a bank may have taken it meanwhile. The key stays,
 * so that a first request that is merely slow and the next one are one transfer.
 */
export async function findLostTransfer(ports: EscrowPorts, sale: Sale): Promise<'released' | 'not_made'> {
  const { cards, market, clock } = ports;
  const { refusals } = transferOf(sale);
  const found = await cards?.findTransfer(transferKey(sale.id, refusals), sale.id);
  // Nobody can be asked.
  if (found === undefined) return 'released';
  const now = clock.now();
  try {
    if (found) await recordReleased(ports, sale, found.transferId, now);
    else
      await market.commit([
        ...moveSale(sale.id, 'releasing', 'held'),
        setPayment(sale.id, { transferredCents: 0, dueAt: isoTime(now) }),
        ...endRefusedTransfer(sale.id, refusals),
      ]);
  } catch (error) {
    if (!isStatusConflict(error) && !isAlreadyPosted(error)) throw error;
    return 'released';
  }
  return found ? 'released' : 'not_made';
}

/** Asks for the transfer of a sale that is releasing. */
async function confirmTransfer(ports: EscrowPorts, sale: Sale): Promise<void> {
  const { cards } = ports;
  if (cards === null) return;
  const { accountId, releasingSince } = transferOf(sale);
  const now = ports.clock.now();
  if (accountId === null || releasingSince === null) throw new Error(`Sale ${sale.id} is not releasing.`);
  const outcome = await askForTransfer({ ...ports, cards }, sale, accountId);
  try {
    if (outcome.kind === 'transferred') await recordReleased(ports, sale, outcome.transferId, now);
    else {
      await recordRefused(ports, sale, outcome.code, now);
      // The report that the account can take no money may be lost.
      if (outcome.code !== 'balance_insufficient') await settleAccount(ports, accountId).catch(() => false);
    }
  } catch (error) {
    if (!isStatusConflict(error) && !isAlreadyPosted(error)) throw error;
  }
}

async function askForTransfer(
  ports: EscrowPorts & { readonly cards: CardProcessor },
  sale: Sale,
  accountId: string,
): Promise<TransferOutcome> {
  const { refusals, returns } = transferOf(sale);
  const source = await railOf(sale).payoutSource(ports, sale);
  // A transfer that was taken back counts as made of its charge, and what is given back was withheld of others: that
  // money is in the platform's own balance.
  const isOfCharge = source.kind === 'here' && returns === 0 && sale.payment.withheldCents >= 0;
  const sourceChargeId = isOfCharge ? source.sourceChargeId : null;
  try {
    return await ports.cards.transfer(transferKey(sale.id, refusals), {
      accountId,
      amountCents: netCents(inLedger(sale)),
      purchaseId: sale.id,
      sourceChargeId,
    });
  } catch (error) {
    // Refused as it stands: nothing was transferred, and asking the same again would not help.
    if (error instanceof CardProcessorError && !error.retryable) return { kind: 'refused', code: 'rejected' };
    throw error;
  }
}

async function recordReleased(
  ports: EscrowPorts,
  sale: Sale,
  transferId: string,
  now: EpochMs,
): Promise<void> {
  const at = isoTime(now);
  await ports.market.commit([
    ...moveSale(sale.id, 'releasing', 'released'),
    setPayment(sale.id, { dueAt: null, attempts: 0 }),
    setTransfer(sale.id, { transferId }),
    ...payoutPostings(sale).map((one) => post(one, ports.ids.uuid(), at)),
    ...sellerEvent(ports, { ...sale, status: 'released' }, 'sale.released', at, withheldOf(sale)),
  ]);
}

async function recordRefused(ports: EscrowPorts, sale: Sale, code: string, now: EpochMs): Promise<void> {
  ports.log.error('transfer_refused', { purchaseId: sale.id, code });
  const { refusals } = transferOf(sale);
  await ports.market.commit([
    ...moveSale(sale.id, 'releasing', 'held'),
    setPayment(sale.id, { transferredCents: 0, dueAt: retryAt(refusals, now) }),
    ...endRefusedTransfer(sale.id, refusals + 1),
    ...sellerEvent(ports, { ...sale, status: 'held' }, 'payout.failed', isoTime(now)),
  ]);
}

const NOT_BEGUN: Transfer = {
  accountId: null,
  transferId: null,
  refusals: 0,
  releasingSince: null,
  payoutBatchId: null,
  returns: 0,
};

const transferOf = ({ transfer }: Sale): Transfer => transfer ?? NOT_BEGUN;
