import { DAY_MS, type EpochMs, epochOf, type IsoTime } from '../../kernel/time.ts';

/** Banks refuse refunds of old payments more and more: what was paid earlier is not tried. */
const REFUNDABLE_MS = 180 * DAY_MS;
/** Refunds of one payment that failed, after which its money counts as unable to go back. */
const MOST_FAILURES = 3;
/** Each is a call to the processor: more go back in the next run. */
const AT_ONCE = 20;

export interface PaidTopUp {
  readonly topUpId: string;
  readonly createdAt: IsoTime;
  /** Refunds of it that were decided before, and how many of them failed. */
  readonly refunds: number;
  readonly failures: number;
}

export interface PlannedRefund {
  readonly topUpId: string;
  /** Of the refunds of this top-up. */
  readonly number: number;
  readonly amountCents: number;
  readonly paidAt: IsoTime;
}

export interface BalanceReturn {
  /** To the cards that paid, newest payment first. */
  readonly toCards: readonly PlannedRefund[];
  /** What no card takes back: it is spent, or given up. */
  readonly leftCents: number;
}

/** Where the money of a wallet goes when its owner leaves: what is left of each top-up (`left`) to the card that paid it. */
export function planRefunds(
  wallet: { readonly balanceCents: number; readonly left: ReadonlyMap<string, number> },
  topUps: readonly PaidTopUp[],
  now: EpochMs,
): BalanceReturn {
  const toCards = topUps
    .filter(({ createdAt, failures }) => now - epochOf(createdAt) < REFUNDABLE_MS && failures < MOST_FAILURES)
    .toSorted((a, b) => epochOf(b.createdAt) - epochOf(a.createdAt))
    .map(({ topUpId, createdAt, refunds }) => ({
      topUpId,
      number: refunds + 1,
      amountCents: wallet.left.get(topUpId) ?? 0,
      paidAt: createdAt,
    }))
    .filter(({ amountCents }) => amountCents > 0);
  const returnedCents = toCards.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { toCards, leftCents: wallet.balanceCents - returnedCents };
}

/** What of a plan is begun in one run. */
export const firstRefunds = ({ toCards }: BalanceReturn): readonly PlannedRefund[] =>
  toCards.slice(0, AT_ONCE);
