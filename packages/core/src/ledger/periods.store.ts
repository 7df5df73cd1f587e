import { and, desc, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { ledgerEntries, ledgerPeriods, ledgerPostings } from '../db/tables/ledger.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { endOf, type Month, monthBefore } from './period.rules.ts';

export interface LedgerPeriod {
  readonly month: Month;
  readonly lastEntryId: number;
  readonly endedAt: IsoTime;
  readonly closedAt: IsoTime | null;
  readonly closingNote: string | null;
  /** By kind of account, in cents, at the end of the month. Null until it is closed. */
  readonly balances: Readonly<Record<string, number>> | null;
}

const PERIOD = {
  month: ledgerPeriods.month,
  lastEntryId: ledgerPeriods.lastEntryId,
  endedAt: ledgerPeriods.endedAt,
  closedAt: ledgerPeriods.closedAt,
  closingNote: ledgerPeriods.closingNote,
  balances: ledgerPeriods.balances,
};

const period = query((p: Params<{ month: Month }>) =>
  build.select(PERIOD).from(ledgerPeriods).where(eq(ledgerPeriods.month, p.month)),
);

const periods = query((p: Params<{ before: Month; limit: number }>) =>
  build
    .select(PERIOD)
    .from(ledgerPeriods)
    .where(lt(ledgerPeriods.month, p.before))
    .orderBy(desc(ledgerPeriods.month))
    .limit(p.limit),
);

/** The newest period up to a month, and the month with which the ledger begins. */
const nearest = query((p: Params<{ month: Month }>) =>
  build
    .select({
      month: ledgerPeriods.month,
      lastEntryId: ledgerPeriods.lastEntryId,
      first: sql<Month>`(SELECT MIN(month) FROM ${ledgerPeriods})`,
    })
    .from(ledgerPeriods)
    .where(lte(ledgerPeriods.month, p.month))
    .orderBy(desc(ledgerPeriods.month))
    .limit(1),
);

const firstPosting = query(() =>
  build
    .select({ createdAt: ledgerPostings.createdAt })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .orderBy(ledgerEntries.id)
    .limit(1),
);

/** From the newest back, so that it reads the entries after that moment and no others. */
const lastEntryBefore = query((p: Params<{ end: IsoTime }>) =>
  build
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .where(lt(ledgerPostings.createdAt, p.end))
    .orderBy(desc(ledgerEntries.id))
    .limit(1),
);

/** What the newest period up to an entry carried, and what moved since. */
const balancesUpTo = write((p: Params<{ entryId: number }>) => {
  const upTo = asInteger(p.entryId);
  return sql`WITH base AS (SELECT last_entry_id, carried FROM ${ledgerPeriods}
      WHERE carried IS NOT NULL AND last_entry_id <= ${upTo} ORDER BY month DESC LIMIT 1)
    SELECT name, SUM(cents) AS cents FROM (
      SELECT key AS name, value AS cents FROM base, json_each(base.carried)
      UNION ALL SELECT substr(account, 1, instr(account || ':', ':') - 1), amount_cents FROM ${ledgerEntries}
        WHERE id > COALESCE((SELECT last_entry_id FROM base), -9007199254740991) AND id <= ${upTo}
    ) GROUP BY name`;
});

const close = write((p: Params<{ month: Month; closedAt: IsoTime; note: string | null; balances: object }>) =>
  build
    .update(ledgerPeriods)
    .set({ closedAt: p.closedAt, closingNote: p.note, balances: p.balances as never })
    .where(and(eq(ledgerPeriods.month, p.month), isNull(ledgerPeriods.closedAt))),
);

/** Entries after the one and up to the other are of the month. */
export interface MonthBounds {
  readonly afterEntryId: number;
  readonly lastEntryId: number;
}

export async function readMonthBounds(db: Database, month: Month): Promise<MonthBounds> {
  const [afterEntryId, lastEntryId] = await Promise.all([
    readBoundary(db, monthBefore(month)),
    readBoundary(db, month),
  ]);
  return { afterEntryId, lastEntryId };
}

/** The last entry up to the end of a month; 0 if there was none. */
async function readBoundary(db: Database, month: Month): Promise<number> {
  const found = await nearest.first(db, { month });
  if (found?.month === month) return found.lastEntryId;
  // Before the first month there is nothing; looking for it would read the whole ledger.
  if (found === null && (await periods.first(db, { before: '9999-12', limit: 1 })) !== null) return 0;
  return findLastEntryBefore(db, endOf(month));
}

export async function findLastEntryBefore(db: Database, end: IsoTime): Promise<number> {
  return (await lastEntryBefore.first(db, { end }))?.id ?? 0;
}

/** When the ledger began; null while it is empty. */
export async function findFirstPosting(db: Database): Promise<IsoTime | null> {
  return (await firstPosting.first(db))?.createdAt ?? null;
}

export const findPeriod = (db: Database, month: Month): Promise<LedgerPeriod | null> =>
  period.first(db, { month });

/** Newest first. */
export const listPeriods = (db: Database, page: { before: Month; limit: number }): Promise<LedgerPeriod[]> =>
  periods.all(db, page);

export function insertPeriod(
  month: Month,
  lastEntryId: number,
  carried: Readonly<Record<string, number>>,
): Statement {
  const endedAt = endOf(month);
  return insertInto(ledgerPeriods, { month, lastEntryId, endedAt, carried });
}

/** By kind of account. It reads the entries since the last month that ended before that entry. */
export async function readBalancesUpTo(db: Database, entryId: number): Promise<Record<string, number>> {
  const rows = await db.all<{ name: string; cents: number }>(balancesUpTo({ entryId }));
  return Object.fromEntries(rows.map(({ name, cents }) => [name, cents]));
}

export const isClosedPeriod = (error: unknown): boolean => isGuard(error, 'period_open');

/** Fails if it is closed already: see `isClosedPeriod`. */
export function closePeriodRow(row: {
  month: Month;
  closedAt: IsoTime;
  note: string | null;
  balances: Record<string, number>;
}): Statement[] {
  return [close(row), guardOneChange('period_open')];
}
