import type { PlatformPostingKind } from '../../db/tables/ledger.ts';
import type { BalanceEntry, BalanceEntryKind } from '../../kernel/ports/card-processor.ts';
import {
  CARD_CLEARING_ACCOUNT,
  PAYOUT_ACCOUNTS,
  type Posting,
  TRANSFER_REVERSALS_ACCOUNT,
  transferOf,
  UNEXPLAINED_ACCOUNT,
} from '../ledger.rules.ts';

/** The ledger's currency. What moves in another one is listed, and not posted. */
const CURRENCY = 'usd';

interface Movement {
  readonly kind: PlatformPostingKind;
  /** What the processor holds grows with it. */
  readonly into: string;
  readonly from: string;
}

/** Null: sales, top-ups and chargebacks post it themselves. */
const MOVEMENTS: Readonly<Record<BalanceEntryKind, Movement | null>> = {
  payment: null,
  refund: null,
  dispute: null,
  transfer: null,
  // What was sent to a seller is back, and owed to it: a sale of which all is back goes into escrow again.
  transfer_reversal: {
    kind: 'transfer_reversal',
    into: PAYOUT_ACCOUNTS.card,
    from: TRANSFER_REVERSALS_ACCOUNT,
  },
  payout: { kind: 'bank_payout', into: CARD_CLEARING_ACCOUNT, from: 'bank' },
  funding: { kind: 'funding', into: CARD_CLEARING_ACCOUNT, from: 'bank' },
  fee: { kind: 'processor_fee', into: CARD_CLEARING_ACCOUNT, from: 'processor_fees' },
  other: { kind: 'adjustment', into: CARD_CLEARING_ACCOUNT, from: UNEXPLAINED_ACCOUNT },
};

/** What the ledger has to say of an entry of the processor's balance: the movement itself, and the processor's fee. */
export function postingsOfEntry(
  entry: Pick<BalanceEntry, 'entryId' | 'kind' | 'amountCents' | 'feeCents' | 'currency'>,
): Posting[] {
  const { entryId, kind, amountCents, feeCents, currency } = entry;
  if (currency !== CURRENCY) return [];
  const movement = MOVEMENTS[kind];
  const isDispute = kind === 'dispute';
  const fee = {
    into: isDispute ? 'dispute_fees' : 'processor_fees',
    from: CARD_CLEARING_ACCOUNT,
    amountCents: feeCents,
  };
  return [
    ...(movement && amountCents !== 0
      ? [transferOf(movement.kind, entryId, { ...movement, amountCents })]
      : []),
    ...(feeCents !== 0 ? [transferOf(isDispute ? 'dispute_fee' : 'processor_fee', feeOf(entryId), fee)] : []),
  ];
}

/** A fee of the processor may itself be charged a fee (a tax): each has its reference. */
const feeOf = (entryId: string): string => `fee:${entryId}`;
