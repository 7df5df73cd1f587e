interface PostingFacts {
  readonly kind: string;
  /** What it moved, a bank took, or gave back. */
  readonly isOfBank: boolean;
  /** A capture that undoes a refund. */
  readonly isRestored: boolean;
}

/** One entry of a seller's escrow account, with what its posting says of the fee. */
export interface StatementEntry extends PostingFacts {
  readonly entryId: number;
  readonly purchaseId: string;
  /** Into escrow; negative out of it. */
  readonly amountCents: number;
  /** Of the account after this entry. */
  readonly balanceCents: number;
  /** What the posting moved to the platform's fees; negative where it gave a fee back. */
  readonly feeCents: number;
  readonly createdAt: string;
  readonly listingTitle: string | null;
}

export const LINE_KINDS = ['sale', 'refund', 'chargeback', 'payout', 'reversal', 'adjustment'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export interface StatementLine {
  readonly amountCents: number;
  readonly at: string;
  readonly balanceCents: number;
  readonly feeCents: number;
  readonly grossCents: number;
  readonly kind: LineKind;
  readonly listingTitle: string | null;
  readonly number: string;
  readonly purchaseId: string;
}

/** Sums of one kind of posting over a month. */
export interface KindTotal extends PostingFacts {
  readonly count: number;
  readonly amountCents: number;
  readonly feeCents: number;
}

export interface StatementTotals {
  readonly adjustmentCents: number;
  readonly feeCents: number;
  readonly grossSalesCents: number;
  readonly payoutCents: number;
  readonly payoutGasCents: number;
  readonly refundCents: number;
  readonly refunds: number;
  readonly sales: number;
}

const KINDS: Readonly<Record<string, LineKind>> = {
  capture: 'sale',
  refund: 'refund',
  payout: 'payout',
  transfer_reversal: 'reversal',
};
const LETTERS: Readonly<Record<LineKind, string>> = {
  sale: 'R',
  refund: 'C',
  chargeback: 'B',
  payout: 'P',
  reversal: 'V',
  adjustment: 'A',
};

function kindOf({ kind, isOfBank, isRestored }: PostingFacts): LineKind {
  if (isOfBank) return 'chargeback';
  return isRestored ? 'refund' : (KINDS[kind] ?? 'adjustment');
}

/**
 * The number of a receipt (R), credit note (C), chargeback (B), payout (P), reversal of a payout (V) or adjustment (A): the
 * ledger's own, so it is given once and grows with time, though not by one.
 */
function documentNumber(kind: LineKind, entryId: number): string {
  return `${LETTERS[kind]}-${String(entryId).padStart(8, '0')}`;
}

/** One for each seller and month. */
export function feeInvoiceNumber(month: string, sellerLabel: string): string {
  return `F-${month}-${sellerLabel}`;
}

export function lineOfEntry(entry: StatementEntry): StatementLine {
  const { amountCents, balanceCents, createdAt: at, entryId, feeCents, listingTitle, purchaseId } = entry;
  const kind = kindOf(entry);
  return {
    amountCents,
    at,
    balanceCents,
    feeCents,
    grossCents: amountCents + feeCents,
    kind,
    listingTitle,
    number: documentNumber(kind, entryId),
    purchaseId,
  };
}

/**
 * Refunds and payouts are told as what they took, so as positive figures. Sales less refunds, fees and payouts, with the
 * adjustments, are what the balance changed by: chargebacks are adjustments, reversals lessen the payouts.
 */
export function totalsOfKinds(kinds: readonly KindTotal[], payoutGasCents: number): StatementTotals {
  const sum = (kind: LineKind, figure: (one: KindTotal) => number) =>
    kinds.filter((one) => kindOf(one) === kind).reduce((all, one) => all + figure(one), 0);
  const gross = (one: KindTotal) => one.amountCents + one.feeCents;
  return {
    adjustmentCents: sum('adjustment', gross) + sum('chargeback', gross),
    feeCents: kinds.reduce((all, { feeCents }) => all + feeCents, 0),
    grossSalesCents: sum('sale', gross),
    payoutCents: 0 - sum('payout', gross) - sum('reversal', gross),
    payoutGasCents,
    refundCents: 0 - sum('refund', gross),
    refunds: sum('refund', ({ count, isRestored }) => (isRestored ? -count : count)),
    sales: sum('sale', ({ count }) => count),
  };
}
