import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { disputeDecidedEvents } from '../../escrow/disputes/dispute-decided-events.ts';
import { listClaimsOf, requireClaims, saveClaim } from '../../escrow/reserve/seller-claims.store.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import {
  type Chargeback,
  type Claim,
  claimOf,
  type OtherClaims,
  type SaleVerdict,
} from './chargeback.rules.ts';
import { isReturn } from './returned-payment.ts';

/** What a bank has of a sale; of what finance refunded, no more than was taken of the sale in escrow. */
function takenOfSeller({ disputeId, status, withdrawnCents, coveredCents }: Chargeback): number {
  const takenCents = status === 'lost' ? withdrawnCents : 0;
  return isReturn(disputeId) ? Math.min(takenCents, coveredCents) : takenCents;
}

/**
 * The seller of a sale that was paid out bears its share of what the bank took: not of what finance refunded, which is the
 * platform's to ask back. What came back since, it does not bear any more, though the bank had taken it before the payout.
 * The fee's part is the platform's.
 */
export async function claimOnSeller(
  ports: Pick<Ports, 'market' | 'ids'>,
  chargeback: Chargeback,
  { sale, others }: { readonly sale: Sale; readonly others: readonly Chargeback[] },
  verdict: SaleVerdict | null,
  at: IsoTime,
): Promise<Statement[]> {
  const { disputeId, status, coveredCents } = chargeback;
  if (verdict?.kind !== 'settle') return [];
  const { id: purchaseId, sellerId, payment } = sale;
  const claims = await listClaimsOf(ports.market, purchaseId);
  const known = claims.find((one) => one.disputeId === disputeId) ?? { claimCents: 0, borneCents: 0 };
  const ofOthers: OtherClaims = {
    takenCents: others
      .filter((one) => claims.some((other) => other.disputeId === one.disputeId))
      .reduce((sum, one) => sum + Math.max(0, takenOfSeller(one) - one.coveredCents), 0),
    claimedCents: claims
      .filter((one) => one.disputeId !== disputeId)
      .reduce((sum, { claimCents, borneCents }) => sum + Math.max(0, claimCents - borneCents), 0),
  };
  const taken = { takenCents: takenOfSeller(chargeback), coveredCents };
  const claim: Claim =
    sale.status === 'released'
      ? claimOf({ ...sale, ...payment }, taken, ofOthers)
      : { ...known, claimCents: Math.min(known.claimCents, known.borneCents) };
  const { claimCents, borneCents } = claim;
  if (claimCents - borneCents === known.claimCents - known.borneCents) return [];
  const isFirst = claims.length === 0 && status === 'lost';
  return [
    ...(isFirst ? disputeDecidedEvents(ports, sale, 'refund', 'bank', at) : []),
    requireClaims(purchaseId, disputeId, claims),
    saveClaim({ disputeId, purchaseId, sellerId, claimCents, borneCents }),
    ...sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback: status, claimCents }),
  ];
}
