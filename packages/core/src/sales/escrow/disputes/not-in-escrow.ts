import { type ErrorDefinition, Refusal } from '../../../kernel/errors.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import type { EpochMs } from '../../../kernel/time.ts';
import type { Sale } from '../../sale.ts';
import { requireSale } from '../../sales.store.ts';
import { isTabOver, type Tab } from '../../tabs/tab.rules.ts';
import { findTab } from '../../tabs/tabs.store.ts';
import { escrowErrors } from '../escrow.errors.ts';

/** Names the side that the operator, or a rule, decided for. */
const WINNERS = { refund: 'its buyer', release: 'its seller' } as const;

/** Refuses what only money in escrow allows, and says where the money of the sale is. */
export async function notInEscrow({ market, clock }: Pick<Ports, 'market' | 'clock'>, purchaseId: string) {
  const [sale, tab] = await Promise.all([requireSale(market, purchaseId), findTab(market, purchaseId)]);
  const [definition, detail] = placeOfMoney(sale, tab, clock.now());
  return new Refusal(definition, { detail });
}

/** The same for a dispute, which is opened once. */
export async function notDisputable(ports: Pick<Ports, 'market' | 'clock'>, purchaseId: string) {
  const { dispute } = await requireSale(ports.market, purchaseId);
  if (dispute === null) return notInEscrow(ports, purchaseId);
  const { decision, decidedAt, openedAt, decideBy } = dispute;
  if (decision !== null)
    return new Refusal(escrowErrors.dispute_decided, {
      detail: `It was decided for ${WINNERS[decision]} at ${decidedAt}, and a purchase is disputed once. See GET /marketplace/purchases/${purchaseId}/dispute.`,
    });
  const end = decideBy === null ? '' : `, and is decided by ${decideBy}`;
  return new Refusal(escrowErrors.dispute_open, {
    detail: `It was opened at ${openedAt}${end}. See GET /marketplace/purchases/${purchaseId}/dispute, and say more with POST to its /statements.`,
  });
}

function placeOfMoney(sale: Sale, tab: Tab | null, now: EpochMs): readonly [ErrorDefinition, string] {
  const { not_in_escrow: never, not_in_escrow_yet: notYet } = escrowErrors;
  switch (sale.status) {
    case 'pending_payment':
      return [notYet, 'It is not paid yet.'];
    case 'authorized':
      if (sale.payment.outcome !== null) return [never, 'What was reserved or paid for it goes back.'];
      if (tab === null) return [notYet, 'It is not delivered yet, and nothing is charged before that.'];
      if (tab.expiresAt === null) return [notYet, 'The payment of its tab is not seen on chain yet.'];
      return isTabOver(tab, now)
        ? [notYet, 'Its tab was closed, and what its queries cost is in escrow within some minutes.']
        : [
            notYet,
            `Its tab is open until ${tab.expiresAt}, or until its payer closes it: what its queries cost is in escrow then, and the rest goes back.`,
          ];
    case 'held':
      return sale.payment.refundRequestedAt === null
        ? [never, 'Its time in escrow is over, and the money is kept for its seller.']
        : [never, 'A refund of it was decided, and is on its way.'];
    case 'releasing':
    case 'released':
      return [never, 'Its time in escrow is over: the money goes to its seller.'];
    case 'refunded':
      return [never, 'It was paid back to its buyer.'];
    case 'expired':
    case 'failed':
      return [never, 'Nothing was charged for it.'];
  }
}
