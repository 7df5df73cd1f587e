import {
  type CardProcessor,
  CardProcessorError,
  type TransferOutcome,
} from '../kernel/ports/card-processor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, HOUR_MS, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { isAlreadyPosted, netCents, payout, post } from '../ledger/index.ts';
import { findPayoutAccount, findPayoutWallet } from '../payouts/index.ts';
import { isTooOldToRepeat, retryAt, transferKey } from './escrow.rules.ts';
import { inLedger } from './ledger-sale.rules.ts';
import { beginPayout, canReceive, isPaidHere } from './pay-in-usdc.ts';
import type { Sale, StoredSale } from './sale.ts';
import { tellSeller } from './sale-events.ts';
import { beginTransfer, isOvertaken, lookAgain, moveSale, setPayment } from './sales.store.ts';
import { settleAccount } from './settle-account.ts';

type TransferPorts = Pick<Ports, 'market' | 'search' | 'cards' | 'chain' | 'ids' | 'clock' | 'log'>;

/** How long a lost answer may stay unnoticed. */
const LOOK_AGAIN_MS = 5 * MINUTE_MS;

/**
 * Sends a sale whose time in escrow is over on its way to the seller, if the seller can be paid: to its wallet
 * if it bound one, else to its account at the card processor.
 */
export async function releaseShare(ports: TransferPorts, sale: StoredSale): Promise<void> {
  const { market, cards, clock } = ports;
  if (!isPaidHere(sale, ports.chain)) {
    ports.log.error('payout_refused', { purchaseId: sale.id, reason: 'other_chain' });
    await market.commit([lookAgain(sale, isoTime(clock.now() + HOUR_MS), 0)]);
    return;
  }
  const wallet = await findPayoutWallet(market, sale.sellerId);
  if (wallet !== null && ports.chain !== null && canReceive(wallet, ports.chain)) {
    return beginPayout(ports, wallet, [sale]);
  }
  const accountId = await payableAccount(ports, sale.sellerId);
  const now = clock.now();
  if (cards === null || accountId === null) {
    await market.commit([lookAgain(sale, isoTime(now + HOUR_MS), 0)]);
    return;
  }
  const amountCents = netCents(sale);
  const at = isoTime(now);
  const lookAgainAt = isoTime(now + LOOK_AGAIN_MS);
  try {
    await market.commit(beginTransfer(sale, { accountId, amountCents, at, lookAgainAt }));
  } catch (error) {
    // Another clock was faster, or the buyer opened a dispute.
    if (isOvertaken(error)) return;
    throw error;
  }
  const payment = { ...sale.payment, transferAccountId: accountId, releasingSince: at };
  await transferShare({ ...ports, cards }, { ...sale, status: 'releasing', payment });
}

/** The seller's account, asked about again while it cannot be paid: the processor's message may be lost. */
async function payableAccount(ports: TransferPorts, sellerId: string): Promise<string | null> {
  const account = await findPayoutAccount(ports.market, sellerId);
  if (account === null || account.payoutsEnabled) return account?.accountId ?? null;
  await settleAccount(ports, account.accountId);
  return (await findPayoutAccount(ports.market, sellerId))?.payoutsEnabled ? account.accountId : null;
}

/** Asks for the transfer of a sale that is releasing, or asks again where the answer was lost. */
export async function transferShare(
  ports: TransferPorts & { readonly cards: CardProcessor },
  sale: Sale,
): Promise<void> {
  const { id, payment } = sale;
  const now = ports.clock.now();
  const accountId = payment.transferAccountId;
  if (accountId === null || payment.releasingSince === null) throw new Error(`Sale ${id} is not releasing.`);
  if (isTooOldToRepeat(payment.releasingSince, now)) {
    ports.log.error('transfer_stuck', { purchaseId: id, since: payment.releasingSince });
    await ports.market.commit([lookAgain(sale, isoTime(now + HOUR_MS), payment.attempts)]);
    return;
  }
  const outcome = await ask(ports.cards, sale, accountId);
  try {
    if (outcome.kind === 'transferred') await transferred(ports, sale, outcome.transferId, now);
    else await refused(ports, sale, outcome.code, now);
  } catch (error) {
    if (!isOvertaken(error) && !isAlreadyPosted(error)) throw error;
  }
}

async function ask(cards: CardProcessor, sale: Sale, accountId: string): Promise<TransferOutcome> {
  const { transferRefusals, chargeId } = sale.payment;
  try {
    return await cards.transfer(transferKey(sale.id, transferRefusals), {
      accountId,
      amountCents: netCents(sale),
      purchaseId: sale.id,
      // Over x402 it is a transaction of the chain, which the processor does not know.
      sourceChargeId: sale.rail === 'x402' ? null : chargeId,
    });
  } catch (error) {
    // Refused as it stands: nothing was transferred, and asking the same again would not help.
    if (error instanceof CardProcessorError && !error.retryable) return { kind: 'refused', code: 'rejected' };
    throw error;
  }
}

async function transferred(
  ports: TransferPorts,
  sale: Sale,
  transferId: string,
  now: EpochMs,
): Promise<void> {
  const at = isoTime(now);
  await ports.market.commit([
    ...moveSale(sale.id, 'releasing', 'released'),
    setPayment(sale.id, { transferId, dueAt: null, attempts: 0 }),
    post(payout(inLedger(sale)), ports.ids.uuid(), at),
    ...tellSeller(ports, sale, 'sale.released', 'released', at),
  ]);
}

async function refused(ports: TransferPorts, sale: Sale, code: string, now: EpochMs): Promise<void> {
  const { transferRefusals } = sale.payment;
  ports.log.error('transfer_refused', { purchaseId: sale.id, code });
  await ports.market.commit([
    ...moveSale(sale.id, 'releasing', 'held'),
    setPayment(sale.id, {
      transferredCents: 0,
      transferAccountId: null,
      transferRefusals: transferRefusals + 1,
      releasingSince: null,
      dueAt: retryAt(transferRefusals, now),
    }),
    ...tellSeller(ports, sale, 'payout.failed', 'held', isoTime(now)),
  ]);
}
