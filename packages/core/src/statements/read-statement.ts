import type { Database } from '../kernel/ports/database.ts';
import { isSettled, type Month, type MonthBounds, readMonthBounds } from '../ledger/index.ts';
import {
  feeInvoiceNumber,
  lineOfEntry,
  type StatementLine,
  type StatementTotals,
  totalsOfKinds,
} from './statement.rules.ts';
import { listStatementEntries, readEscrowAt, readKindTotals, readSellerLabel } from './statements.store.ts';

export interface Statement {
  readonly closingBalanceCents: number;
  readonly feeInvoice: { readonly feeCents: number; readonly number: string } | null;
  /** Over for good: what it says does not change any more. */
  readonly isFinal: boolean;
  readonly lines: readonly StatementLine[];
  readonly month: Month;
  readonly openingBalanceCents: number;
  readonly sellerLabel: string;
  readonly totals: StatementTotals;
  readonly totalLines: number;
}

/** A seller's month, from its escrow account in the ledger: every figure is a sum of postings. */
export async function readStatement(
  db: Database,
  sellerId: string,
  { month, now }: { readonly month: Month; readonly now: number },
  page: { readonly limit: number; readonly offset: number },
): Promise<Statement> {
  const bounds = await readMonthBounds(db, month);
  const [entries, kinds, openingBalanceCents, closingBalanceCents, sellerLabel] = await Promise.all([
    listStatementEntries(db, sellerId, bounds, page),
    readKindTotals(db, sellerId, bounds),
    readEscrowAt(db, sellerId, bounds.afterEntryId),
    readEscrowAt(db, sellerId, bounds.lastEntryId),
    readSellerLabel(db, sellerId),
  ]);
  const totals = totalsOfKinds(kinds);
  const isFinal = isSettled(month, now);
  return {
    closingBalanceCents,
    feeInvoice:
      isFinal && totals.feeCents !== 0
        ? { feeCents: totals.feeCents, number: feeInvoiceNumber(month, sellerLabel) }
        : null,
    isFinal,
    lines: entries.map(lineOfEntry),
    month,
    openingBalanceCents,
    sellerLabel,
    totals,
    totalLines: kinds.reduce((all, { count }) => all + count, 0),
  };
}

/** The months from January to December, as one range of the ledger. */
export async function readYearBounds(db: Database, year: number): Promise<MonthBounds> {
  const [january, december] = await Promise.all([
    readMonthBounds(db, `${year}-01`),
    readMonthBounds(db, `${year}-12`),
  ]);
  return { afterEntryId: january.afterEntryId, lastEntryId: december.lastEntryId };
}
