import { type Placeholder, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { endingOf, markWalk, nameEnding } from '../db/ending-records.ts';
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
const IS_ENDING = sql`id > ${ENDED_UP_TO} AND id <= ${ENDING_UP_TO}`;

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
  nameEnding(sql`WITH oldest AS (SELECT id, posting_id FROM ${ledgerEntries}
      WHERE id > ${ENDED_UP_TO} AND id <= ${lastClosed('last_entry_id', p.month)}
        AND id < (SELECT MAX(id) FROM ${ledgerEntries}) ORDER BY id LIMIT ${p.limit})
    SELECT 'entries', up_to, NULL FROM (SELECT COALESCE(
      (SELECT MIN(oldest.id) - 1 FROM oldest CROSS JOIN ${ledgerPostings} AS posting ON posting.id = posting_id WHERE ${IS_OPEN}),
      (SELECT MAX(id) FROM oldest)) AS up_to) WHERE up_to > ${ENDED_UP_TO}`),
);

/** A posting ends with the last of its entries. */
const namePostings = write(() =>
  nameEnding(sql`SELECT DISTINCT 'posting', posting_id, NULL FROM ${ledgerEntries} AS one WHERE ${IS_ENDING} AND NOT EXISTS (
      SELECT 1 FROM ${ledgerEntries} AS other WHERE other.posting_id = one.posting_id AND other.id > ${ENDING_UP_TO})`),
);

const nameAccounts = write(() =>
  nameEnding(sql`SELECT 'ledger_account', account, SUM(amount_cents) + COALESCE((SELECT amount_cents FROM ${ledgerEntries} AS carried
      WHERE carried.posting_id = ${CARRIED} AND carried.account = one.account), 0)
    FROM ${ledgerEntries} AS one WHERE ${IS_ENDING} GROUP BY account`),
);

/** Of the time when what is kept begins: statements begin there. */
const writeCarried = write(
  (p: Params<{ month: Month }>) => sql`INSERT INTO ${ledgerPostings} (id, kind, reference, legs, created_at)
    SELECT ${CARRIED}, 'adjustment', ${CARRIED}, '[]', ${lastClosed('ended_at', p.month)} FROM ${endingRecords} WHERE kind = 'entries'
    ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at`,
);

const deleteAdjustments = write(
  () => sql`DELETE FROM ${ledgerAdjustments} WHERE id IN (SELECT reference FROM ${ledgerPostings}
    WHERE id IN ${endingOf('posting')} AND kind IN ('adjustment', 'funding', 'bank_payout'))`,
);

const deleteEntries = write(() => sql`DELETE FROM ${ledgerEntries} WHERE ${IS_ENDING}`);
const deleteCarried = write(
  () =>
    sql`DELETE FROM ${ledgerEntries} WHERE posting_id = ${CARRIED} AND account IN ${endingOf('ledger_account')}`,
);

const carryBalances = write(
  () => sql`INSERT INTO ${ledgerEntries} (id, posting_id, account, amount_cents, balance_cents)
    SELECT MIN(0, (SELECT COALESCE(MIN(id), 0) FROM ${ledgerEntries})) - ROW_NUMBER() OVER (ORDER BY id), ${CARRIED}, id, cents, cents
    FROM ${endingRecords} WHERE kind = 'ledger_account' AND cents <> 0`,
);

const deletePostings = write(() => sql`DELETE FROM ${ledgerPostings} WHERE id IN ${endingOf('posting')}`);

/** Accounts of single sales, and of owners who left nothing. */
const deleteAccounts = write(
  () => sql`DELETE FROM ${ledgerAccounts} WHERE account IN ${endingOf('ledger_account')} AND balance_cents = 0
    AND NOT EXISTS (SELECT 1 FROM ${ledgerEntries} WHERE ${ledgerEntries.account} = ${ledgerAccounts.account})`,
);
const deleteEmptySums = write(
  () => sql`DELETE FROM ${carriedSums} WHERE cents = 0 AND account IN ${endingOf('ledger_account')}`,
);

const advance = write((p: Params<{ month: Month }>) =>
  markWalk(sql`SELECT 'ledger_entries', ${lastClosed('month', p.month)}, CAST(id AS INTEGER) FROM ${endingRecords} WHERE kind = 'entries'
    ON CONFLICT (name) DO UPDATE SET walk = excluded.walk, after_row = excluded.after_row`),
);

/** The newest month that ended stays: the one after it begins with its last entry. */
const deletePeriods = write(
  (p: Params<{ month: Month }>) => sql`DELETE FROM ${ledgerPeriods} WHERE month <
    (SELECT MAX(ended.month) FROM ${ledgerPeriods} AS ended CROSS JOIN ${endedRecords} ON name = 'ledger_entries'
      WHERE ended.last_entry_id <= after_row AND ended.month <= ${lastClosed('month', p.month)})`,
);
const deleteCounts = write(
  () => sql`DELETE FROM ${comparedCounts} WHERE month < (SELECT MIN(month) FROM ${ledgerPeriods})`,
);

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
export const keepSums = write(
  () => sql`UPDATE ${carriedSubjects} SET legs = '[]' WHERE subject IN (
    SELECT CASE kind WHEN 'dispute' THEN 'chargeback' ELSE kind END || ':' || id FROM ${endingRecords}
      WHERE kind IN ('purchase', 'top_up', 'dispute')
    UNION ALL SELECT 'returned_transfer:' || transfer_id FROM ${returnedTransfers} WHERE purchase_id IN ${endingOf('purchase')}
    UNION ALL SELECT 'top_up_refund:' || top_up_id || ':' || number FROM ${topUpRefunds}
      WHERE top_up_id IN ${endingOf('top_up')})`,
);

const deleteFunded = write(
  () => sql`DELETE FROM ${carriedSums} WHERE account IN (
    SELECT ${FUNDED} || id FROM ${endingRecords} WHERE kind = 'account')`,
);
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
