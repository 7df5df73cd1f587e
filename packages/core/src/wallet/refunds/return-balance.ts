import type { CardProcessor } from '../../kernel/ports/card-processor.ts';
import { CardProcessorError, type Refund } from '../../kernel/ports/card-processor.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { HOUR_MS, isoTime } from '../../kernel/time.ts';
import { isOverdrawn } from '../../ledger/index.ts';
import { stopRecharging } from '../recharge.store.ts';
import { readWalletLots } from '../wallet-lots.ts';
import { type BalanceReturn, firstRefunds, planRefunds } from './refund-plan.rules.ts';
import {
  decideRefund,
  isRefundChanged,
  listDueRefunds,
  listRefundable,
  listRefunds,
  listRefundsUnderWay,
  moveRefund,
  rescheduleRefund,
  type TopUpRefund,
} from './top-up-refunds.store.ts';

type AskingPorts = Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log'>;
type RefundPorts = AskingPorts & { readonly cards: CardProcessor };

/** In one run. The next one, a minute later, continues. */
const BATCH = 20;
const MOST_WAIT_HOURS = 24;

/** Banks confirm late; a refund that failed is not repeated at once. */
const waitMs = (number: number): number => Math.min(2 ** (number - 1), MOST_WAIT_HOURS) * HOUR_MS;

/** What of a wallet would go back to which cards now, and what would be left. */
export async function planBalanceReturn(
  { market, cards, clock }: Pick<Ports, 'market' | 'cards' | 'clock'>,
  agentId: string,
): Promise<BalanceReturn> {
  const wallet = await readWalletLots(market, agentId);
  const ids = [...wallet.left].flatMap(([id, cents]) => (cents > 0 ? [id] : []));
  const topUps = cards === null || ids.length === 0 ? [] : await listRefundable(market, agentId, ids);
  return planRefunds(wallet, topUps, clock.now());
}

/**
 * Sends a wallet's money back to the cards that paid for it. Each refund is taken out of the wallet before the processor
 * is asked, under one key until its answer is known; one that fails is in the wallet again. `requirements` abort the
 * decision. False: some are still under way.
 */
export async function returnBalance(
  ports: AskingPorts,
  agentId: string,
  requirements: readonly Statement[],
): Promise<boolean> {
  const { market, cards, clock, ids } = ports;
  if (cards === null) return true;
  let underWay = await listRefundsUnderWay(market, agentId);
  if (underWay.length === 0) {
    const planned = firstRefunds(await planBalanceReturn(ports, agentId));
    if (planned.length === 0) return true;
    const at = isoTime(clock.now());
    const checkAt = isoTime(clock.now() + HOUR_MS);
    try {
      await market.commit([
        ...requirements,
        // Before the wallet is emptied, which would make a recharge due.
        stopRecharging(agentId),
        ...planned.flatMap((one) => decideRefund({ ...one, agentId }, ids.uuid(), at, checkAt)),
      ]);
    } catch (error) {
      // Another run decided it, or a bank took money out of the wallet, since it was read.
      if (!isRefundChanged(error) && !isOverdrawn(error)) throw error;
    }
    underWay = await listRefundsUnderWay(market, agentId);
  }
  for (const refund of underWay) await advanceSafely({ ...ports, cards }, refund);
  return (await listRefundsUnderWay(market, agentId)).length === 0;
}

/** Asks about refunds whose answers were lost, or that banks confirm late. */
export async function sweepTopUpRefunds(ports: AskingPorts): Promise<void> {
  const { market, cards, clock } = ports;
  if (cards === null) return;
  for (const refund of await listDueRefunds(market, isoTime(clock.now()), BATCH))
    await advanceSafely({ ...ports, cards }, refund);
}

/** Brings the refunds of a top-up to where the processor says they are. Returns what of the payment they took. */
export async function settleTopUpRefunds(ports: AskingPorts, topUpId: string): Promise<number> {
  const { market, cards } = ports;
  const known = await listRefunds(market, topUpId);
  if (cards === null || known.length === 0) return 0;
  for (const refund of known) if (refund.status !== 'failed') await advance({ ...ports, cards }, refund);
  return (await listRefunds(market, topUpId))
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

async function advanceSafely(ports: RefundPorts, refund: TopUpRefund): Promise<void> {
  const { market, clock, log } = ports;
  const { topUpId, number } = refund;
  try {
    await advance(ports, refund);
  } catch (error) {
    log.error('refund_delayed', { topUpId, message: String(error) });
    await market.commit([rescheduleRefund(refund, isoTime(clock.now() + waitMs(number)))]);
  }
}

async function advance(ports: RefundPorts, refund: TopUpRefund): Promise<void> {
  const { market, clock, ids, log } = ports;
  const { topUpId, number, status, isErased } = refund;
  const outcome = await askForRefund(ports, refund);
  const to = outcome === 'succeeded' ? 'made' : outcome === 'pending' ? 'sent' : 'failed';
  const at = isoTime(clock.now());
  const checkAt = isoTime(clock.now() + waitMs(number));
  if (to === status) {
    if (to === 'sent') await market.commit([rescheduleRefund(refund, checkAt)]);
    return;
  }
  if (to === 'failed') log.error('refund_failed', { topUpId, number });
  // Nobody can spend what comes back to an account that is no more.
  const next = { ...refund, number: number + 1 };
  const repeats = to === 'failed' && isErased ? decideRefund(next, ids.uuid(), at, checkAt) : [];
  try {
    await market.commit([...moveRefund(refund, to, ids.uuid(), at, checkAt), ...repeats]);
  } catch (error) {
    if (!isRefundChanged(error)) throw error;
  }
}

/** What the processor refuses as it stands was not refunded; what it took on before it knows by its key. */
async function askForRefund(
  { cards }: RefundPorts,
  { topUpId, number, paymentId, amountCents, status }: TopUpRefund,
): Promise<Refund['status']> {
  try {
    return (await cards.refund(`top_up:${topUpId}:refund:${number}`, { paymentId, amountCents })).status;
  } catch (error) {
    const isRefused = error instanceof CardProcessorError && !error.retryable;
    if (isRefused && status === 'decided') return 'failed';
    throw error;
  }
}
