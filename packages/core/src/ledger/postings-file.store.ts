import { and, eq, gt, lte } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { ledgerAdjustments, ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { MonthBounds } from './periods.store.ts';

export interface PostedEntry {
  readonly entryId: number;
  readonly postingId: string;
  readonly kind: string;
  readonly reference: string;
  readonly account: string;
  readonly amountCents: number;
  readonly createdAt: IsoTime;
  /** Of an operator's adjustment: what it is about, why, and who posted it. */
  readonly about: string | null;
  readonly reason: string | null;
  readonly operator: string | null;
}

const entriesBetween = query((p: Params<{ after: number; last: number; limit: number }>) =>
  build
    .select({
      entryId: ledgerEntries.id,
      postingId: ledgerPostings.id,
      kind: ledgerPostings.kind,
      reference: ledgerPostings.reference,
      account: ledgerEntries.account,
      amountCents: ledgerEntries.amountCents,
      createdAt: ledgerPostings.createdAt,
      about: ledgerAdjustments.reference,
      reason: ledgerAdjustments.reason,
      operator: ledgerAdjustments.operator,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .leftJoin(ledgerAdjustments, eq(ledgerAdjustments.id, ledgerPostings.reference))
    .where(and(gt(ledgerEntries.id, asInteger(p.after)), lte(ledgerEntries.id, asInteger(p.last))))
    .orderBy(ledgerEntries.id)
    .limit(p.limit),
);

/** Oldest first. The entries of one posting follow each other. */
export function listEntries(db: Database, bounds: MonthBounds, limit: number): Promise<PostedEntry[]> {
  return entriesBetween.all(db, { after: bounds.afterEntryId, last: bounds.lastEntryId, limit });
}
