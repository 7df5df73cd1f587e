import { limitPurchases, recordAgentEvent } from '../../../agents/index.ts';
import type { CardProcessor } from '../../../kernel/ports/card-processor.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { isoTime } from '../../../kernel/time.ts';
import { walletAccount } from '../../../ledger/index.ts';
import { findTopUp, readWalletLots, settleTopUp, stopRecharging } from '../../../wallet/index.ts';
import { cancelSale } from '../../cancel-sale.ts';
import { listReservedSales } from '../../sales.store.ts';
import type { RailPorts } from '../rail.ts';
import { type Chargeback, coveredByWallet, type OwnDispute, withNews } from './chargeback.rules.ts';
import { chargebackPostings } from './chargebacks.store.ts';
import { isReturn } from './returned-payment.ts';
import { claimFromSales } from './share-chargeback.ts';

type TopUpPorts = Pick<Ports, 'market' | 'clock' | 'ids' | 'log' | 'chain' | 'subsidies'> & {
  readonly cards: CardProcessor;
};

/**
 * A top-up that was disputed, or refunded elsewhere: its money comes out of the wallet, out of reservations and out of
 * the sales in escrow that it paid for; the rest is the platform's loss. Nothing more is charged by itself, and nothing
 * bought until an operator says so. Null: there is no such top-up.
 */
export async function chargebackOfTopUp(
  ports: TopUpPorts,
  known: Chargeback | null,
  dispute: OwnDispute,
  topUpId: string,
): Promise<{ chargeback: Chargeback; statements: Statement[] } | null> {
  const { market, clock } = ports;
  // The report of the payment may be later than that of its dispute: what was paid is credited first.
  await settleTopUp(ports, { paymentId: dispute.paymentId });
  const topUp = await findTopUp(market, topUpId);
  if (topUp === null) return null;
  const { agentId } = topUp;
  const at = isoTime(clock.now());
  const news = withNews(known, dispute, { purchaseId: null, topUpId, agentId }, at);
  const isCredited = topUp.status === 'paid';
  // What was never credited went back by itself.
  if (isReturn(dispute.disputeId) && !isCredited) return { chargeback: known ?? news, statements: [] };
  const wallet = isCredited ? await emptyReservations(ports, news) : null;
  const covered = coveredByWallet(known, news, {
    balanceCents: wallet?.balanceCents ?? 0,
    ownCents: wallet?.left.get(topUpId) ?? 0,
  });
  const shortCents = news.status === 'won' ? 0 : news.withdrawnCents - covered - news.escrowCents;
  const sales = await claimFromSales(ports, news, wallet?.paid ?? new Map(), shortCents, at);
  const escrowCents = news.escrowCents + sales.takenCents;
  const chargeback: Chargeback = {
    ...news,
    escrowCents,
    // Negative for the wallet: it has more than was taken out of it.
    coveredCents: covered + escrowCents - sales.owedToBuyerCents,
    settledAt: news.settledAt ?? (news.status === 'open' || sales.isWaiting ? null : at),
  };
  const isTaken = news.withdrawnCents > (known?.withdrawnCents ?? 0);
  // Finance that refunds what is still in the wallet has no quarrel with its owner.
  const isLimited = isTaken && (shortCents > 0 || !isReturn(news.disputeId));
  return {
    chargeback,
    statements: [
      // Before the wallet is emptied, which would make a recharge due.
      ...(isTaken || known === null ? [stopRecharging(agentId)] : []),
      ...(isLimited
        ? [
            limitPurchases(agentId, { since: at, reason: 'chargeback' }),
            ...recordAgentEvent(
              agentId,
              'account.limited',
              { limited: true, reason: 'chargeback' },
              ports.ids.uuid(),
              at,
            ),
          ]
        : []),
      ...chargebackPostings(ports, known, chargeback, at),
      ...sales.statements,
    ],
  };
}

/** The wallet, with what its owner had reserved back in it where it is short of what the processor took. */
async function emptyReservations(ports: RailPorts, { agentId, coveredCents, withdrawnCents }: Chargeback) {
  const { market } = ports;
  const wallet = await readWalletLots(market, agentId ?? '');
  if (wallet.balanceCents >= withdrawnCents - coveredCents) return wallet;
  const reserved = await listReservedSales(market, agentId ?? '', walletAccount(agentId ?? ''));
  if (reserved.length === 0) return wallet;
  for (const sale of reserved) await cancelSale(ports, sale, 'failed', 'chargeback');
  return readWalletLots(market, agentId ?? '');
}
