/** One entry of a seller's escrow account, with what its posting says of the fee. */
export interface StatementEntry {
  readonly entryId: number;
  readonly kind: string;
  readonly reference: string;
  /** Into escrow; negative out of it. */
  readonly amountCents: number;
  /** Of the account after this entry. */
  readonly balanceCents: number;
  /** What the posting moved to the platform's fees; negative where it gave a fee back. */
  readonly feeCents: number;
  readonly createdAt: string;
  readonly listingTitle: string | null;
}

export type LineKind = 'sale' | 'refund' | 'payout' | 'adjustment';

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
export interface KindTotal {
  readonly kind: string;
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

const LINE_KINDS: Readonly<Record<string, LineKind>> = {
  capture: 'sale',
  refund: 'refund',
  payout: 'payout',
};
const LETTERS: Readonly<Record<LineKind, string>> = { sale: 'R', refund: 'C', payout: 'P', adjustment: 'A' };

const kindOf = (posting: string): LineKind => LINE_KINDS[posting] ?? 'adjustment';

/**
 * The number of a receipt (R), credit note (C), payout (P) or adjustment (A): the ledger's own, so it is given once and
 * grows with time, though not by one.
 */
function documentNumber(kind: string, entryId: number): string {
  return `${LETTERS[kindOf(kind)]}-${String(entryId).padStart(8, '0')}`;
}

/** One for each seller and month. */
export function feeInvoiceNumber(month: string, sellerLabel: string): string {
  return `F-${month}-${sellerLabel}`;
}

export function lineOfEntry(entry: StatementEntry): StatementLine {
  const {
    amountCents,
    balanceCents,
    createdAt: at,
    entryId,
    feeCents,
    kind,
    listingTitle,
    reference,
  } = entry;
  return {
    amountCents,
    at,
    balanceCents,
    feeCents,
    grossCents: amountCents + feeCents,
    kind: kindOf(kind),
    listingTitle,
    number: documentNumber(kind, entryId),
    // What a posting is about may have more to it than the purchase.
    purchaseId: reference.slice(0, 36),
  };
}

/** Refunds and payouts are told as what they took, so as positive figures. */
export function totalsOfKinds(kinds: readonly KindTotal[], payoutGasCents: number): StatementTotals {
  const of = (kind: LineKind) => kinds.filter((one) => kindOf(one.kind) === kind);
  const sum = (kind: LineKind, figure: (one: KindTotal) => number) =>
    of(kind).reduce((all, one) => all + figure(one), 0);
  const gross = (one: KindTotal) => one.amountCents + one.feeCents;
  return {
    adjustmentCents: sum('adjustment', (one) => one.amountCents),
    feeCents: kinds.reduce((all, { feeCents }) => all + feeCents, 0),
    grossSalesCents: sum('sale', gross),
    payoutCents: 0 - sum('payout', (one) => one.amountCents),
    payoutGasCents,
    refundCents: 0 - sum('refund', gross),
    refunds: sum('refund', ({ count }) => count),
    sales: sum('sale', ({ count }) => count),
  };
}
