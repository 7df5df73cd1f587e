import {
  and,
  eq,
  gt,
  inArray,
  lt,
  lte,
  max,
  min,
  ne,
  notExists,
  type Placeholder,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { build, excluded } from '../db/build.ts';
import { endingOf, markWalk, nameEnding } from '../db/ending-records.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import {
  carriedSubjects,
  carriedSums,
  comparedCounts,
  endedRecords,
  endingRecords,
  ledgerAccounts,
  ledgerAdjustments,
  ledgerEntries,
  ledgerPeriods,
  ledgerPostings,
  openSubjects,
} from '../db/tables/ledger.ts';
import { chargebacks, returnedTransfers } from '../db/tables/sales.ts';
import { topUpRefunds } from '../db/tables/wallet.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Month } from './period.rules.ts';
import { FUNDED } from './reconciliation.store.ts';

/** The one posting whose entries are what accounts had when older entries ended. Their ids are negative. */
const CARRIED = sql`'carried'`;

/** Up to which entry the ledger ended. */
const ENDED_UP_TO = sql`COALESCE((SELECT after_row FROM ${endedRecords} WHERE name = 'ledger_entries'), 0)`;
/** Up to which entry this run ends it; NULL: there is none to end. */
const ENDING_UP_TO = sql`(SELECT CAST(id AS INTEGER) FROM ${endingRecords} WHERE kind = 'entries')`;
const isEnding = (id: SQLWrapper) => sql`${id} > ${ENDED_UP_TO} AND ${id} <= ${ENDING_UP_TO}`;
const isOfEntries = eq(endingRecords.kind, 'entries');

const one = alias(ledgerEntries, 'one');
const other = alias(ledgerEntries, 'other');

/** The newest month up to one such that it and all before it are closed. */
const lastClosed = (column: string, last: Placeholder) => sql`(SELECT ${sql.raw(column)} FROM ${ledgerPeriods}
  WHERE month <= ${last} AND NOT EXISTS (SELECT 1 FROM ${ledgerPeriods} AS before
    WHERE before.month <= ${ledgerPeriods.month} AND before.closed_at IS NULL) ORDER BY month DESC LIMIT 1)`;

const SUBJECT = sql`substr(posting.reference, 1, 36)`;
/** Of a purchase or a top-up that is not over. */
const IS_OPEN = sql`posting.kind IN ('top_up', 'reserve', 'release_reserve', 'capture', 'refund', 'payout', 'chargeback')
  AND (EXISTS (SELECT 1 FROM ${openSubjects} WHERE subject IN ('purchase:' || ${SUBJECT}, 'top_up:' || ${SUBJECT}))
    OR EXISTS (SELECT 1 FROM ${chargebacks}
      WHERE status = 'open' AND (purchase_id = ${SUBJECT} OR top_up_id = ${SUBJECT})))`;

/**
 * The oldest entries, up to the first of something that is not over: those after it are needed to read on from there. The
 * newest of all stays: SQLite numbers on from it, and numbers are never given twice.
 */
const nameEntries = write((p: Params<{ month: Month; limit: number }>) =>
  nameEnding({ kind: 'entries', id: sql`up_to` }, (select) =>
    select
      .from(
        sql`(WITH oldest AS (SELECT id, posting_id FROM ${ledgerEntries}
          WHERE id > ${ENDED_UP_TO} AND id <= ${lastClosed('last_entry_id', p.month)}
            AND id < (SELECT MAX(id) FROM ${ledgerEntries}) ORDER BY id LIMIT ${p.limit})
        SELECT COALESCE(
          (SELECT MIN(oldest.id) - 1 FROM oldest CROSS JOIN ${ledgerPostings} AS posting
            ON posting.id = posting_id WHERE ${IS_OPEN}),
          (SELECT MAX(id) FROM oldest)) AS up_to)`,
      )
      .where(sql`up_to > ${ENDED_UP_TO}`),
  ),
);

/** A posting ends with the last of its entries. */
const namePostings = write(() => {
  const left = build
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.postingId, one.postingId), gt(other.id, ENDING_UP_TO)));
  return nameEnding({ kind: 'posting', id: one.postingId }, (select) =>
    select
      .from(one)
      .where(and(isEnding(one.id), notExists(left)))
      .groupBy(one.postingId),
  );
});

const nameAccounts = write(() => {
  const carried = build
    .select({ cents: other.amountCents })
    .from(other)
    .where(and(eq(other.postingId, CARRIED), eq(other.account, one.account)));
  return nameEnding(
    {
      kind: 'ledger_account',
      id: one.account,
      cents: sql`SUM(${one.amountCents}) + COALESCE(${carried}, 0)`,
    },
    (select) => select.from(one).where(isEnding(one.id)).groupBy(one.account),
  );
});

/** Of the time when what is kept begins: statements begin there. */
const writeCarried = write((p: Params<{ month: Month }>) =>
  insertFrom(
    ledgerPostings,
    {
      id: CARRIED,
      kind: 'adjustment',
      reference: CARRIED,
      legs: [],
      createdAt: lastClosed('ended_at', p.month),
    },
    (select) => select.from(endingRecords).where(isOfEntries),
  ).onConflictDoUpdate({ target: ledgerPostings.id, set: excluded(ledgerPostings, 'createdAt') }),
);

const deleteAdjustments = write(() => {
  const ending = build
    .select({ reference: ledgerPostings.reference })
    .from(ledgerPostings)
    .where(
      and(
        inArray(ledgerPostings.id, endingOf('posting')),
        inArray(ledgerPostings.kind, ['adjustment', 'funding', 'bank_payout']),
      ),
    );
  return build.delete(ledgerAdjustments).where(inArray(ledgerAdjustments.id, ending));
});

const deleteEntries = write(() => build.delete(ledgerEntries).where(isEnding(ledgerEntries.id)));
const deleteCarried = write(() =>
  build
    .delete(ledgerEntries)
    .where(
      and(eq(ledgerEntries.postingId, CARRIED), inArray(ledgerEntries.account, endingOf('ledger_account'))),
    ),
);

const carryBalances = write(() =>
  insertFrom(
    ledgerEntries,
    {
      id: sql`MIN(0, (SELECT COALESCE(MIN(${ledgerEntries.id}), 0) FROM ${ledgerEntries}))
        - ROW_NUMBER() OVER (ORDER BY ${endingRecords.id})`,
      postingId: CARRIED,
      account: endingRecords.id,
      amountCents: sql`${endingRecords.cents}`,
      balanceCents: sql`${endingRecords.cents}`,
    },
    (select) =>
      select
        .from(endingRecords)
        .where(and(eq(endingRecords.kind, 'ledger_account'), ne(endingRecords.cents, 0))),
  ),
);

const deletePostings = write(() =>
  build.delete(ledgerPostings).where(inArray(ledgerPostings.id, endingOf('posting'))),
);

/** Accounts of single sales, and of owners who left nothing. */
const deleteAccounts = write(() => {
  const { account, balanceCents } = ledgerAccounts;
  const entries = build
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.account, account));
  return build
    .delete(ledgerAccounts)
    .where(and(inArray(account, endingOf('ledger_account')), eq(balanceCents, 0), notExists(entries)));
});
const deleteEmptySums = write(() =>
  build
    .delete(carriedSums)
    .where(and(eq(carriedSums.cents, 0), inArray(carriedSums.account, endingOf('ledger_account')))),
);

const advance = write((p: Params<{ month: Month }>) =>
  markWalk(
    {
      name: 'ledger_entries',
      walk: lastClosed('month', p.month),
      afterRow: sql`CAST(${endingRecords.id} AS INTEGER)`,
    },
    (select) => select.from(endingRecords).where(isOfEntries),
    excluded(endedRecords, 'afterRow'),
  ),
);

/** The newest month that ended stays: the one after it begins with its last entry. */
const deletePeriods = write((p: Params<{ month: Month }>) => {
  const ended = alias(ledgerPeriods, 'ended');
  const newest = build
    .select({ month: max(ended.month) })
    .from(ended)
    .crossJoin(endedRecords)
    .where(
      and(
        eq(endedRecords.name, 'ledger_entries'),
        lte(ended.lastEntryId, endedRecords.afterRow),
        lte(ended.month, lastClosed('month', p.month)),
      ),
    );
  return build.delete(ledgerPeriods).where(lt(ledgerPeriods.month, sql`${newest}`));
});
const deleteCounts = write(() => {
  const first = build.select({ month: min(ledgerPeriods.month) }).from(ledgerPeriods);
  return build.delete(comparedCounts).where(lt(comparedCounts.month, sql`${first}`));
});

/**
 * Ends the oldest entries of the ledger up to a month, in their order: what an account had by then is carried in one
 * entry, so that all balances and sums stay as they are. Months that are not closed, and what comes after an entry of
 * something open, wait.
 */
export const endEntries = (month: Month, limit: number): Statement[] => [
  nameEntries({ month, limit }),
  namePostings(),
  nameAccounts(),
  writeCarried({ month }),
  deleteAdjustments(),
  deleteCarried(),
  deleteEntries(),
  carryBalances(),
  deletePostings(),
  deleteAccounts(),
  deleteEmptySums(),
  advance({ month }),
  deletePeriods({ month }),
  deleteCounts(),
];

/**
 * What ends has its legs in the sums that a reconciliation begins with, and leaves them there: a row without legs takes
 * nothing out of them as it is deleted. Before purchases, top-ups and chargebacks are deleted that the transaction names.
 */
export const keepSums = write(() =>
  build
    .update(carriedSubjects)
    .set({ legs: [] })
    .where(
      sql`${carriedSubjects.subject} IN (
    SELECT CASE kind WHEN 'dispute' THEN 'chargeback' ELSE kind END || ':' || id FROM ${endingRecords}
      WHERE kind IN ('purchase', 'top_up', 'dispute')
    UNION ALL SELECT 'returned_transfer:' || transfer_id FROM ${returnedTransfers} WHERE purchase_id IN ${endingOf('purchase')}
    UNION ALL SELECT 'top_up_refund:' || top_up_id || ':' || number FROM ${topUpRefunds}
      WHERE top_up_id IN ${endingOf('top_up')})`,
    ),
);

const deleteFunded = write(() => {
  const funded = build
    .select({ account: sql`${FUNDED} || ${endingRecords.id}` })
    .from(endingRecords)
    .where(eq(endingRecords.kind, 'account'));
  return build.delete(carriedSums).where(inArray(carriedSums.account, funded));
});
/** What erased accounts whose records end had paid into their wallets. */
export const endFunded = (): Statement => deleteFunded();

/** The month that is not closed, and the sale, credit or chargeback that is open, at which the end of the ledger stops. */
export interface KeepsLedger {
  readonly month: Month | null;
  /** As `purchase:<id>`, `top_up:<id>` or `chargeback:<id>`. */
  readonly subject: string | null;
}

const keepsLedger = query((p: Params<{ month: Month }>) =>
  build
    .select({
      month: sql<Month | null>`(SELECT MIN(month) FROM ${ledgerPeriods} WHERE closed_at IS NULL AND month <= ${p.month})`,
      // All entries before it ended: it is the first that did not.
      subject: sql<string | null>`(SELECT COALESCE(
        (SELECT subject FROM ${openSubjects} WHERE subject IN ('purchase:' || ${SUBJECT}, 'top_up:' || ${SUBJECT})),
        (SELECT 'chargeback:' || dispute_id FROM ${chargebacks}
          WHERE status = 'open' AND (purchase_id = ${SUBJECT} OR top_up_id = ${SUBJECT}) LIMIT 1))
      FROM (SELECT posting_id FROM ${ledgerEntries} WHERE id > ${ENDED_UP_TO}
        AND id <= (SELECT MAX(last_entry_id) FROM ${ledgerPeriods} WHERE month <= ${p.month}) ORDER BY id LIMIT 1) AS first
      CROSS JOIN ${ledgerPostings} AS posting ON posting.id = first.posting_id WHERE ${IS_OPEN})`,
    })
    .from(sql`(SELECT 1) AS one`),
);

/** What keeps entries up to a month that should have ended. */
export async function findKeepsLedger(db: Database, month: Month): Promise<KeepsLedger> {
  return (await keepsLedger.first(db, { month })) ?? { month: null, subject: null };
}

const newestEnded = query(() =>
  build
    .select({ month: sql<Month | null>`MAX(${ledgerPeriods.month})` })
    .from(ledgerPeriods)
    .where(sql`${ledgerPeriods.lastEntryId} <= ${ENDED_UP_TO} AND ${ledgerPeriods.month} <=
      (SELECT walk FROM ${endedRecords} WHERE name = 'ledger_entries')`),
);

/** The newest month whose entries ended; null: none did. */
export async function findEndedMonth(db: Database): Promise<Month | null> {
  return (await newestEnded.first(db))?.month ?? null;
}
