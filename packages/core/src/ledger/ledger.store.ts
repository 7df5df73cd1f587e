import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isCheck, isConflict } from '../db/constraint.ts';
import { type Params, query, write } from '../db/query.ts';
import { ledgerAccounts, ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Posting, PostingKind } from './ledger.rules.ts';

/** One movement as an account saw it. */
export interface AccountEntry {
  /** Grows with every entry of the ledger: the cursor of statements. */
  readonly entryId: number;
  /** Of the posting that it is a leg of: a posting has one leg for each account, so within one account it is unique. */
  readonly postingId: string;
  readonly kind: PostingKind;
  readonly reference: string;
  readonly amountCents: number;
  /** Of the account after this entry. */
  readonly balanceCents: number;
  readonly createdAt: IsoTime;
}

const insertPosting = write((p: Params<Posting & { id: string; createdAt: IsoTime }>) =>
  build
    .insert(ledgerPostings)
    .values({ id: p.id, kind: p.kind, reference: p.reference, legs: p.legs, createdAt: p.createdAt }),
);

const balance = query((p: Params<{ account: string }>) =>
  build
    .select({ balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.account, p.account)),
);

const balances = query((p: Params<{ accounts: string }>) =>
  build
    .select({ account: ledgerAccounts.account, balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.account, sql`(SELECT value FROM json_each(${p.accounts}))`)),
);

const statementOf = query((p: Params<{ account: string; before: number; limit: number; offset: number }>) =>
  build
    .select({
      entryId: ledgerEntries.id,
      postingId: ledgerPostings.id,
      kind: ledgerPostings.kind,
      reference: ledgerPostings.reference,
      amountCents: ledgerEntries.amountCents,
      balanceCents: ledgerEntries.balanceCents,
      createdAt: ledgerPostings.createdAt,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .where(and(eq(ledgerEntries.account, p.account), lt(ledgerEntries.id, asInteger(p.before))))
    .orderBy(desc(ledgerEntries.id))
    .limit(p.limit)
    .offset(p.offset),
);

/**
 * Moves money, in the transaction that it is committed with. That fails as a whole if the posting was
 * made before or a balance does not allow it: see `isAlreadyPosted`, `isOverdrawn`, `isOverCap`.
 */
export function post({ kind, reference, legs }: Posting, id: string, at: IsoTime): Statement {
  return insertPosting({ id, kind, reference, legs, createdAt: at });
}

/** 0 for an account without entries. */
export async function readBalance(db: Database, account: string): Promise<number> {
  return (await balance.first(db, { account }))?.balanceCents ?? 0;
}

export async function readBalances(
  db: Database,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await balances.all(db, { accounts: JSON.stringify(accounts) });
  const byAccount = new Map(rows.map((row) => [row.account, row.balanceCents]));
  return new Map(accounts.map((account) => [account, byAccount.get(account) ?? 0]));
}

/** Newest first; from before an entry on, where one is given. */
export function readStatement(
  db: Database,
  account: string,
  page: { limit: number; offset?: number; before?: number | undefined },
): Promise<AccountEntry[]> {
  const { limit, offset = 0, before = Number.MAX_SAFE_INTEGER } = page;
  return statementOf.all(db, { account, before, limit, offset });
}

/** The wallet does not hold what the posting would take. */
export const isOverdrawn = (error: unknown): boolean => isCheck(error, 'wallet_not_overdrawn');

/** The wallet would hold more than it may. */
export const isOverCap = (error: unknown): boolean => isCheck(error, 'wallet_within_cap');

/** This step of this purchase or top-up was posted before. */
export const isAlreadyPosted = (error: unknown): boolean =>
  isConflict(error, ledgerPostings.kind, ledgerPostings.reference);
