import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { ledgerAccounts, ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
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

const insertPosting = prepared<{
  id: string;
  kind: string;
  reference: string;
  legs: string;
  createdAt: IsoTime;
}>(sql`INSERT INTO ${ledgerPostings} (id, kind, reference, legs, created_at)
  VALUES (${sql.placeholder('id')}, ${sql.placeholder('kind')}, ${sql.placeholder('reference')},
    ${sql.placeholder('legs')}, ${sql.placeholder('createdAt')})`);

const balance = prepared<{
  account: string;
}>(
  sql`SELECT balance_cents AS balanceCents FROM ${ledgerAccounts} WHERE account = ${sql.placeholder('account')}`,
);

const balances = prepared<{ accounts: string }>(sql`SELECT account, balance_cents AS balanceCents
  FROM ${ledgerAccounts} WHERE account IN (SELECT value FROM json_each(${sql.placeholder('accounts')}))`);

const statementOf = prepared<{ account: string; before: number; limit: number; offset: number }>(
  sql`SELECT e.id AS entryId, p.id AS postingId, p.kind, p.reference, e.amount_cents AS amountCents,
      e.balance_cents AS balanceCents, p.created_at AS createdAt
    FROM ${ledgerEntries} e JOIN ${ledgerPostings} p ON p.id = e.posting_id
    WHERE e.account = ${sql.placeholder('account')} AND e.id < CAST(${sql.placeholder('before')} AS INTEGER)
    ORDER BY e.id DESC LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`,
);

/**
 * Moves money, in the transaction that it is committed with. That fails as a whole if the posting was
 * made before or a balance does not allow it: see `isAlreadyPosted`, `isOverdrawn`, `isOverCap`.
 */
export function post({ kind, reference, legs }: Posting, id: string, at: IsoTime): Statement {
  return insertPosting({ id, kind, reference, legs: JSON.stringify(legs), createdAt: at });
}

/** An account nobody moved money on holds nothing. */
export async function readBalance(db: Database, account: string): Promise<number> {
  const row = await db.first<{ balanceCents: number }>(balance({ account }));
  return row?.balanceCents ?? 0;
}

export async function readBalances(
  db: Database,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ account: string; balanceCents: number }>(
    balances({ accounts: JSON.stringify(accounts) }),
  );
  const known = new Map(rows.map((row) => [row.account, row.balanceCents]));
  return new Map(accounts.map((account) => [account, known.get(account) ?? 0]));
}

/** Newest first; from before an entry on, where one is given. */
export function readStatement(
  db: Database,
  account: string,
  page: { limit: number; offset?: number; before?: number | undefined },
): Promise<AccountEntry[]> {
  const { limit, offset = 0, before } = page;
  return db.all<AccountEntry>(
    statementOf({ account, before: before ?? Number.MAX_SAFE_INTEGER, limit, offset }),
  );
}

/** The wallet does not hold what the posting would take. */
export const isOverdrawn = (error: unknown): boolean => refusedBy(error, 'wallet_not_overdrawn');

/** The wallet would hold more than it may. */
export const isOverCap = (error: unknown): boolean => refusedBy(error, 'wallet_within_cap');

/** This step of this purchase or top-up was posted before. */
export const isAlreadyPosted = (error: unknown): boolean =>
  refusedBy(error, 'ledger_postings.kind, ledger_postings.reference');

function refusedBy(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.kind === 'constraint' && error.constraint === constraint;
}
