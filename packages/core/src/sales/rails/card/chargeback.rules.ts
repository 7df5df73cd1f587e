import type { chargebacks } from '../../../db/tables/sales.ts';
import type { CardDispute } from '../../../kernel/ports/card-processor.ts';
import { type EpochMs, HOUR_MS, type IsoTime, isoTime, MINUTE_MS } from '../../../kernel/time.ts';
import { chargeback, type Posting } from '../../../ledger/ledger.rules.ts';
import type { SaleStatus } from '../../sale-status.rules.ts';

/** A cardholder's dispute, as far as it was worked off here. */
export type Chargeback = Readonly<typeof chargebacks.$inferSelect>;

/** A dispute of a payment that was made here. */
export type OwnDispute = CardDispute & { readonly paymentId: string };

/** What was paid with the disputed payment. */
export type Subject = Pick<Chargeback, 'purchaseId' | 'topUpId' | 'agentId'>;

/** The processor tells of every change; this is for messages that never come. */
export const NEXT_CHECK_MS = 6 * HOUR_MS;
/** Lost, and the sale is just being paid out or given back: by then one knows how that ended. */
export const SETTLE_CHECK_MS = 5 * MINUTE_MS;

/** Where it stands once this is known of it; what that means for the sale or the wallet is decided after. */
export function withNews(
  known: Chargeback | null,
  dispute: OwnDispute,
  subject: Subject,
  at: IsoTime,
): Chargeback {
  const { disputeId, paymentId, amountCents, status, withdrawnCents } = dispute;
  return {
    ...subject,
    disputeId,
    paymentId,
    amountCents,
    status,
    withdrawnCents,
    coveredCents: known?.coveredCents ?? 0,
    openedAt: known?.openedAt ?? at,
    settledAt: known?.settledAt ?? null,
    sellerNotifiedAt: known?.sellerNotifiedAt ?? null,
    revision: (known?.revision ?? 0) + 1,
    checkAt: known?.checkAt ?? null,
  };
}

export type SaleVerdict =
  /** The clock stays where it is. */
  | 'wait'
  /** Nothing depends on it any more: the clock goes on, or the loss is the platform's. */
  | 'settle'
  /** The buyer has its money back by its bank, so the seller gets none. */
  | 'take_back';

/** What a dispute means for the sale that was paid with it. Part of a price decides nothing about the sale. */
export function verdictOnSale(
  { status, withdrawnCents }: Pick<Chargeback, 'status' | 'withdrawnCents'>,
  sale: { readonly status: SaleStatus; readonly capturedCents: number },
): SaleVerdict {
  if (status === 'open') return 'wait';
  if (status === 'won') return 'settle';
  switch (sale.status) {
    case 'pending_payment':
    case 'authorized':
    case 'releasing':
      return 'wait';
    case 'held':
      return withdrawnCents === sale.capturedCents ? 'take_back' : 'settle';
    case 'released':
    case 'refunded':
    case 'expired':
    case 'failed':
      return 'settle';
  }
}

/** What a wallet bears: what is there when the processor takes it. Given back when that was wrong, as far as it fits. */
export function coveredByWallet(
  known: Pick<Chargeback, 'withdrawnCents' | 'coveredCents'> | null,
  news: Pick<Chargeback, 'status' | 'withdrawnCents'>,
  wallet: { readonly balanceCents: number; readonly capCents: number },
): number {
  const covered = known?.coveredCents ?? 0;
  if (news.status === 'won') return Math.max(0, covered - Math.max(0, wallet.capCents - wallet.balanceCents));
  const taken = Math.max(0, news.withdrawnCents - (known?.withdrawnCents ?? 0));
  return Math.min(covered + Math.min(wallet.balanceCents, taken), news.withdrawnCents);
}

/** When the processor is asked again by itself; null once nothing can come any more. */
export function nextCheckAt(chargeback: Chargeback, now: EpochMs): IsoTime | null {
  const { status, settledAt, withdrawnCents, coveredCents } = chargeback;
  if (status === 'lost') return settledAt === null ? isoTime(now + SETTLE_CHECK_MS) : null;
  const isOver = status === 'won' && withdrawnCents === 0 && coveredCents === 0;
  return isOver ? null : isoTime(now + NEXT_CHECK_MS);
}

/** Whether there is anything to write down. */
export function isNews(known: Chargeback | null, next: Chargeback): boolean {
  if (known === null) return true;
  return (
    known.status !== next.status ||
    known.amountCents !== next.amountCents ||
    known.withdrawnCents !== next.withdrawnCents ||
    known.coveredCents !== next.coveredCents ||
    known.settledAt !== next.settledAt ||
    known.sellerNotifiedAt !== next.sellerNotifiedAt
  );
}

/** What the platform is out of by it. */
export function lossCents({ withdrawnCents, coveredCents }: Chargeback): number {
  return withdrawnCents - coveredCents;
}

/** What moved since the processor was last asked about a cardholder's dispute; null if nothing did. */
export function chargebackMovement(known: Chargeback | null, next: Chargeback): Posting | null {
  const { disputeId, purchaseId, topUpId, agentId, revision } = next;
  return chargeback({
    reference: [purchaseId ?? topUpId, disputeId, revision].join(':'),
    withdrawnCents: next.withdrawnCents - (known?.withdrawnCents ?? 0),
    // A sale that is taken back has a posting of its own.
    wallet:
      agentId === null ? null : { agentId, coveredCents: next.coveredCents - (known?.coveredCents ?? 0) },
  });
}
