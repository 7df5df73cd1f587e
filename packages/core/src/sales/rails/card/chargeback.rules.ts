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
    // On appeal, and with a further refund, it is judged anew.
    settledAt: known?.status === status && known.withdrawnCents === withdrawnCents ? known.settledAt : null,
    sellerNotifiedAt: known?.sellerNotifiedAt ?? null,
    revision: (known?.revision ?? 0) + 1,
    checkAt: known?.checkAt ?? null,
    escrowCents: known?.escrowCents ?? 0,
  };
}

export type SaleVerdict =
  /** The clock stays where it is. */
  | { readonly kind: 'wait' }
  /** Nothing depends on it any more: the clock goes on, or the loss is the platform's. */
  | { readonly kind: 'settle' }
  /** The buyer has its money back by its bank, so the seller gets none. */
  | { readonly kind: 'take_back' }
  /** The seller and the fee bear so much of the price; negative: they have it back. The clock goes on. */
  | { readonly kind: 'take_part'; readonly cents: number }
  /** The same, before it was collected: there is nothing to collect any more. */
  | { readonly kind: 'cancel' }
  /** The bank gave back what ended the sale. */
  | { readonly kind: 'restore' };

/** Amounts of banks drift with currencies: so little less than the price is all of it. */
const DRIFT_PERCENT = 5;

const isWhole = (takenCents: number, priceCents: number): boolean =>
  takenCents * 100 >= priceCents * (100 - DRIFT_PERCENT);

/** Whether chargebacks together took what a sale had cost. */
export function isTakenWhole(
  taken: readonly Pick<Chargeback, 'withdrawnCents'>[],
  priceCents: number,
): boolean {
  return taken.length > 0 && isWhole(sumOf(taken), priceCents);
}

const sumOf = (taken: readonly Pick<Chargeback, 'withdrawnCents'>[]): number =>
  taken.reduce((sum, { withdrawnCents }) => sum + withdrawnCents, 0);

interface TakenSale {
  readonly status: SaleStatus;
  readonly capturedCents: number;
  /** Of that, still in escrow. */
  readonly leftCents: number;
}

/**
 * What a chargeback means for the sale that was paid with it. All that banks took for the payment counts together
 * (`takenByOthersCents`): a difference of a cent changes cents, not how the sale ends.
 */
export function verdictOnSale(
  { status, withdrawnCents, coveredCents }: Pick<Chargeback, 'status' | 'withdrawnCents' | 'coveredCents'>,
  sale: TakenSale,
  takenByOthersCents = 0,
): SaleVerdict {
  if (status === 'open') return { kind: 'wait' };
  if (status === 'won') return verdictOnWon(coveredCents, sale);
  switch (sale.status) {
    case 'pending_payment':
    case 'releasing':
      return { kind: 'wait' };
    case 'authorized':
      return { kind: isWhole(withdrawnCents + takenByOthersCents, sale.leftCents) ? 'cancel' : 'wait' };
    case 'held': {
      if (isWhole(withdrawnCents + takenByOthersCents, sale.capturedCents)) return { kind: 'take_back' };
      const cents = Math.min(withdrawnCents - coveredCents, sale.leftCents);
      return cents === 0 ? { kind: 'settle' } : { kind: 'take_part', cents };
    }
    case 'released':
    case 'refunded':
    case 'expired':
    case 'failed':
      return { kind: 'settle' };
  }
}

function verdictOnWon(coveredCents: number, { status, leftCents }: TakenSale): SaleVerdict {
  if (coveredCents === 0) return { kind: 'settle' };
  // What others took of it stays taken: an operator decides on the rest.
  if (status === 'refunded') return { kind: coveredCents === leftCents ? 'restore' : 'settle' };
  if (status === 'releasing') return { kind: 'wait' };
  return status === 'held' ? { kind: 'take_part', cents: -coveredCents } : { kind: 'settle' };
}

/** Of so much more of a price, what the seller's share and the fee bear: in proportion, a fraction of a cent the fee's. */
export function partOfSale(
  sale: {
    readonly amountCents: number;
    readonly platformFeeCents: number;
    readonly takenNetCents: number;
    readonly takenFeeCents: number;
  },
  cents: number,
): { netCents: number; feeCents: number } {
  const { amountCents, platformFeeCents, takenNetCents, takenFeeCents } = sale;
  const takenCents = takenNetCents + takenFeeCents + cents;
  const netCents = Math.floor((takenCents * (amountCents - platformFeeCents)) / amountCents) - takenNetCents;
  return { netCents, feeCents: cents - netCents };
}

/** What a seller bears of what a bank took of a sale that was paid out. */
export interface Claim {
  readonly claimCents: number;
  /** Of a claim, what the sale was paid less, since the bank had taken it before. */
  readonly borneCents: number;
}

/** What other disputes of a sale took since its payout, and claim of it. */
export interface OtherClaims {
  readonly takenCents: number;
  readonly claimedCents: number;
}

/**
 * Its share of what is taken now, of which the sale bears `coveredCents` already; of more, no more than it was sent. With
 * what others took it is rounded once: two halves are one whole.
 */
export function claimOf(
  sale: Parameters<typeof partOfSale>[0] & {
    readonly transferredCents: number;
    readonly withheldCents: number;
  },
  { takenCents, coveredCents }: { readonly takenCents: number; readonly coveredCents: number },
  others: OtherClaims = { takenCents: 0, claimedCents: 0 },
): Claim {
  const borneCents = 0 - partOfSale(sale, -coveredCents).netCents;
  if (takenCents <= coveredCents) {
    const { netCents } = partOfSale(sale, takenCents - coveredCents);
    return { claimCents: borneCents + netCents, borneCents };
  }
  const taken = {
    ...sale,
    takenNetCents: sale.takenNetCents + others.claimedCents,
    takenFeeCents: sale.takenFeeCents + others.takenCents - others.claimedCents,
  };
  const { netCents } = partOfSale(taken, takenCents - coveredCents);
  const sentCents = sale.transferredCents + Math.max(0, sale.withheldCents) - others.claimedCents;
  return { claimCents: borneCents + Math.max(0, Math.min(netCents, sentCents)), borneCents };
}

/**
 * What was taken of a sale before its payout and came back after it, or is taken after all: with what came back of others'
 * it is rounded once.
 */
export function claimOfShare(
  sale: Parameters<typeof partOfSale>[0],
  share: { readonly takenCents: number; readonly isLost: boolean },
  others: { readonly givenBackCents: number; readonly claimedCents: number },
): Claim {
  const givenBackCents = others.givenBackCents + (share.isLost ? 0 : share.takenCents);
  const openCents = partOfSale(sale, -givenBackCents).netCents - others.claimedCents;
  if (!share.isLost) return { claimCents: 0, borneCents: 0 - openCents };
  const borneCents = Math.max(0 - partOfSale(sale, -share.takenCents).netCents, 0 - openCents);
  return { claimCents: borneCents + openCents, borneCents };
}

/**
 * What a wallet bears: what is in it when the processor takes the money, and later what comes back to it of the very
 * top-up (`ownCents`). Given back when that was wrong.
 */
export function coveredByWallet(
  known: Pick<Chargeback, 'withdrawnCents' | 'coveredCents' | 'escrowCents'> | null,
  news: Pick<Chargeback, 'status' | 'withdrawnCents'>,
  wallet: { readonly balanceCents: number; readonly ownCents: number },
): number {
  const { coveredCents = 0, escrowCents = 0 } = known ?? {};
  const covered = coveredCents - escrowCents;
  if (news.status === 'won') return 0;
  const isNew = news.withdrawnCents > (known?.withdrawnCents ?? 0);
  const available = isNew ? wallet.balanceCents : Math.min(wallet.balanceCents, wallet.ownCents);
  const shortCents = Math.max(0, news.withdrawnCents - coveredCents);
  // A refund that failed in part has the processor give back some of what it took.
  return Math.min(covered + Math.min(available, shortCents), Math.max(0, news.withdrawnCents - escrowCents));
}

/** When the processor is asked again by itself; null once nothing can come any more. */
export function nextCheckAt(chargeback: Chargeback, now: EpochMs): IsoTime | null {
  const { status, settledAt, withdrawnCents, coveredCents } = chargeback;
  if (status === 'lost') return settledAt === null ? isoTime(now + SETTLE_CHECK_MS) : null;
  // What a sale bears of one that was won stays with it once that is settled: nobody gives it back later.
  const isOver = status === 'won' && withdrawnCents === 0 && (coveredCents === 0 || settledAt !== null);
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
    known.escrowCents !== next.escrowCents ||
    known.settledAt !== next.settledAt ||
    known.sellerNotifiedAt !== next.sellerNotifiedAt
  );
}

/** What the platform is out of by it. */
export function lossCents({ withdrawnCents, coveredCents }: Chargeback): number {
  return withdrawnCents - coveredCents;
}

/** What a wallet bears of it, and not the sales that it had paid for. */
function walletCents(chargeback: Chargeback | null): number {
  return chargeback === null ? 0 : chargeback.coveredCents - chargeback.escrowCents;
}

/** What moved since the processor was last asked about a cardholder's dispute; null if nothing did. */
export function chargebackMovement(known: Chargeback | null, next: Chargeback): Posting | null {
  const { agentId } = next;
  return chargeback({
    reference: movementOf(next),
    withdrawnCents: next.withdrawnCents - (known?.withdrawnCents ?? 0),
    // A sale that is taken back has a posting of its own.
    wallet: agentId === null ? null : { agentId, coveredCents: walletCents(next) - walletCents(known) },
  });
}

/** Names what moves with one revision. */
export function movementOf({ disputeId, purchaseId, topUpId, revision }: Chargeback): string {
  return [purchaseId ?? topUpId, disputeId, revision].join(':');
}
