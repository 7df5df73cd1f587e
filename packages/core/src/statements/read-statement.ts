import { Refusal } from '../kernel/errors.ts';
import type { Database } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import {
  isMonth,
  isSettled,
  type Month,
  type MonthBounds,
  monthOf,
  readMonthBounds,
  requireHeld,
} from '../ledger/index.ts';
import {
  feeInvoiceNumber,
  lineOfEntry,
  type StatementLine,
  type StatementTotals,
} from './statement.rules.ts';
import { statementErrors } from './statements.errors.ts';
import {
  findFirstEntry,
  listStatementEntries,
  readEscrowAt,
  readStatedSeller,
  readTotals,
  type StatedSeller,
} from './statements.store.ts';

export interface Statement {
  readonly closingBalanceCents: number;
  readonly feeInvoice: { readonly feeCents: number; readonly number: string } | null;
  /** Over for good: what it says does not change any more. */
  readonly isFinal: boolean;
  readonly lines: readonly StatementLine[];
  /** The entry after which further lines follow; null at the end. */
  readonly nextAfter: number | null;
  readonly month: Month;
  readonly openingBalanceCents: number;
  readonly seller: StatedSeller;
  readonly totals: StatementTotals;
  readonly totalLines: number;
}

/** A seller's month, from its escrow account in the ledger: every figure is a sum of postings. */
export async function readStatement(
  db: Database,
  sellerId: string,
  { month, now }: { readonly month: Month; readonly now: number },
  page: { readonly after: number; readonly limit: number },
): Promise<Statement> {
  await requireStatement(db, sellerId, { month, now });
  const bounds = await readMonthBounds(db, month);
  const [entries, { totals, lines }, openingBalanceCents, closingBalanceCents, seller] = await Promise.all([
    listStatementEntries(db, sellerId, bounds, { ...page, limit: page.limit + 1 }),
    readTotals(db, sellerId, bounds),
    readEscrowAt(db, sellerId, bounds.afterEntryId),
    readEscrowAt(db, sellerId, bounds.lastEntryId),
    readStatedSeller(db, sellerId),
  ]);
  const shown = entries.slice(0, page.limit);
  const isFinal = isSettled(month, now);
  return {
    closingBalanceCents,
    feeInvoice:
      isFinal && totals.feeCents !== 0
        ? { feeCents: totals.feeCents, number: feeInvoiceNumber(month, seller.sellerLabel) }
        : null,
    isFinal,
    lines: shown.map(lineOfEntry),
    nextAfter: entries.length > page.limit ? (shown.at(-1)?.entryId ?? null) : null,
    month,
    openingBalanceCents,
    seller,
    totals,
    totalLines: lines,
  };
}

/** There is one of each month from the first paid sale on. */
async function requireStatement(
  db: Database,
  sellerId: string,
  { month, now }: { readonly month: Month; readonly now: number },
): Promise<void> {
  if (isMonth(month)) await requireHeld(db, month);
  const first = isMonth(month) ? await findFirstEntry(db, sellerId) : null;
  const isThere = first !== null && month >= monthOf(first) && month <= monthOf(isoTime(now));
  if (!isThere) throw new Refusal(statementErrors.statement_not_found);
}

/** The months from January to December, as one range of the ledger. */
export async function readYearBounds(db: Database, year: number): Promise<MonthBounds> {
  await requireHeld(db, `${year}-12`);
  const [january, december] = await Promise.all([
    readMonthBounds(db, `${year}-01`),
    readMonthBounds(db, `${year}-12`),
  ]);
  return { afterEntryId: january.afterEntryId, lastEntryId: december.lastEntryId };
}
