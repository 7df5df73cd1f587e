import type { BalanceEntry, Payment } from '@agent-marketplace/core/kernel/ports/card-processor.ts';
import type { FakeTransfer } from '@agent-marketplace/core/testing/payments/fake-card-payouts.ts';
import type { MoneySeen } from './sale-judgement.ts';

/** A payout that was asked for, whose answer was lost, is asked for again within this time. */
const UNDER_WAY_MS = 3600_000;

/** What can be read of the processor itself, whatever the marketplace made of it. */
export interface ProcessorLog {
  readonly payments: readonly Payment[];
  readonly transfers: readonly FakeTransfer[];
  /** Every movement of the balance there ever was, in order. */
  readonly entries: readonly BalanceEntry[];
}

/** What the processor's log says, ordered by what a payment was for. */
export class ReadProcessorLog {
  readonly #payments: ReadonlyMap<string, Payment[]>;
  readonly #transfers: ReadonlyMap<string, FakeTransfer[]>;
  readonly #entries: ReadonlyMap<string, BalanceEntry[]>;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #transferEntries: ReadonlyMap<string, { position: number; createdAtMs: number }>;

  constructor({ payments, transfers, entries }: ProcessorLog) {
    this.#payments = Map.groupBy(payments, ({ reference }) => reference?.id ?? '');
    this.#transfers = Map.groupBy(transfers, ({ purchaseId }) => purchaseId);
    this.#entries = Map.groupBy(entries, ({ paymentId }) => paymentId ?? '');
    this.#positions = new Map(entries.map(({ entryId }, position) => [entryId, position]));
    this.#transferEntries = new Map(
      entries.flatMap(({ kind, transferId, createdAtMs }, position) =>
        kind === 'transfer' && transferId !== null ? [[transferId, { position, createdAtMs }] as const] : [],
      ),
    );
  }

  /** For a purchase or a top-up. */
  of(referenceId: string): MoneySeen {
    const payments = this.#payments.get(referenceId) ?? [];
    const transfers = (this.#transfers.get(referenceId) ?? []).filter((one) => !isReturned(one));
    const entries = payments.flatMap(({ paymentId }) => this.#entries.get(paymentId) ?? []);
    const payouts = transfers.flatMap(({ transferId }) => this.#transferEntries.get(transferId) ?? []);
    const paidOutAt = Math.min(...payouts.map(({ position }) => position));
    const underWaySince = Math.min(...payouts.map(({ createdAtMs }) => createdAtMs)) - UNDER_WAY_MS;
    const isBefore = ({ entryId }: BalanceEntry) => (this.#positions.get(entryId) ?? 0) < paidOutAt;
    const isOut = ({ kind }: BalanceEntry) => kind === 'dispute' || kind === 'refund';
    const before = entries.filter((one) => isOut(one) && isBefore(one));
    const disputedAfter = entries.filter((one) => one.kind === 'dispute' && !isBefore(one));
    return {
      chargedCents: sumOf(entries.filter(({ kind }) => kind === 'payment')),
      refundedCents: 0 - sumOf(entries.filter(({ kind }) => kind === 'refund')),
      withdrawnCents: 0 - sumOf(entries.filter(({ kind }) => kind === 'dispute')),
      wonCents: sumOf(entries.filter((one) => isOut(one) && one.amountCents > 0)),
      withdrawnBeforePayoutCents: Math.max(0, 0 - sumOf(before)),
      withdrawnUnderWayCents: Math.max(
        0,
        0 - sumOf(before.filter(({ createdAtMs }) => createdAtMs >= underWaySince)),
      ),
      lostAfterPayoutCents: 0 - sumOf(disputedAfter.filter(({ amountCents }) => amountCents < 0)),
      wonAfterPayoutCents: sumOf(disputedAfter.filter(({ amountCents }) => amountCents > 0)),
      takenBackCents: transfers.reduce((sum, { takenBackCents }) => sum + takenBackCents, 0),
      isReserved: payments.some(({ status }) => status === 'authorized'),
      payouts: transfers.map(({ amountCents }) => amountCents),
    };
  }
}

/** What was taken back whole by hand was never paid; in part, the books say what is still owed. */
export const isReturned = ({
  reversed,
  takenBackCents,
}: Pick<FakeTransfer, 'reversed' | 'takenBackCents'>): boolean => reversed && takenBackCents === 0;

const sumOf = (entries: readonly BalanceEntry[]): number =>
  entries.reduce((sum, { amountCents }) => sum + amountCents, 0);
