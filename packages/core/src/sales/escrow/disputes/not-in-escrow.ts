import { Refusal } from '../../../kernel/errors.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { requireSale } from '../../sales.store.ts';
import { findTab } from '../../tabs/tabs.store.ts';
import { escrowErrors } from '../escrow.errors.ts';
import { placeOfMoney } from './place-of-money.rules.ts';

/** Names the side that the operator, or a rule, decided for. */
const WINNERS = { refund: 'its buyer', release: 'its seller' } as const;

/** Refuses what only money in escrow allows, and says where the money of the sale is. */
export async function notInEscrow({ market, clock }: Pick<Ports, 'market' | 'clock'>, purchaseId: string) {
  const [sale, tab] = await Promise.all([requireSale(market, purchaseId), findTab(market, purchaseId)]);
  const [code, detail] = placeOfMoney(sale, tab, clock.now());
  return new Refusal(escrowErrors[code], { detail });
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
