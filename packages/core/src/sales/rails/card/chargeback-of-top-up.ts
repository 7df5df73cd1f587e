import type { CardProcessor } from '../../../kernel/ports/card-processor.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { isoTime } from '../../../kernel/time.ts';
import { readBalance, WALLET_CAP_CENTS, walletAccount } from '../../../ledger/index.ts';
import { findTopUp, settleTopUp, stopRecharging } from '../../../wallet/index.ts';
import { type Chargeback, coveredByWallet, type OwnDispute, withNews } from './chargeback.rules.ts';
import { chargebackPostings } from './chargebacks.store.ts';

/**
 * A disputed top-up: the wallet bears what is in it, the platform the rest. The card is not charged by itself
 * any more. Null: there is no such top-up.
 */
export async function chargebackOfTopUp(
  ports: Pick<Ports, 'market' | 'clock' | 'ids' | 'log'> & { readonly cards: CardProcessor },
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
  const balanceCents = isCredited ? await readBalance(market, walletAccount(agentId)) : 0;
  const chargeback: Chargeback = {
    ...news,
    coveredCents: coveredByWallet(known, news, { balanceCents, capCents: WALLET_CAP_CENTS }),
    settledAt: news.settledAt ?? (news.status === 'open' ? null : at),
  };
  return {
    chargeback,
    statements: [
      // Before the wallet is emptied, which would make a recharge due.
      ...(known === null ? [stopRecharging(agentId)] : []),
      ...chargebackPostings(ports, known, chargeback, at),
    ],
  };
}
