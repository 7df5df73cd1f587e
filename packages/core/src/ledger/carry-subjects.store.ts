import { type SQL, sql } from 'drizzle-orm';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { carriedSubjects } from '../db/tables/ledger.ts';
import type { Database } from '../kernel/ports/database.ts';
import { EXCESS, FUNDED, MOST_OF_A_KIND, OVERPAID, readOpenDifferences } from './reconciliation.store.ts';
import {
  CAPTURED,
  OPEN_CHARGEBACKS,
  OPEN_PURCHASES,
  OPEN_RETURNS,
  OPEN_TOP_UP_REFUNDS,
  OPEN_TOP_UPS,
  type OpenSubjects,
} from './subjects.store.ts';

type Batch = Params<{ except: string; limit: number }>;

/** Adds those that are over to the sums. `except` keeps subjects open, and all whose `owner` it names. */
const carry = ({ from, isOfKind, isOver, legs }: OpenSubjects, owner: SQL = sql`subject`) =>
  write((p: Batch) => {
    const excepted = sql`(SELECT value FROM json_each(${p.except}))`;
    return insertFrom(carriedSubjects, { subject: sql`subject`, legs }, (select) =>
      select
        .from(from)
        .where(sql`${isOfKind} AND ${isOver} AND subject NOT IN ${excepted} AND ${owner} NOT IN ${excepted}`)
        .limit(p.limit),
    );
  });

/** With what no account of the ledger holds. */
const withLeg = (subjects: OpenSubjects, account: SQL, amount: SQL): OpenSubjects => ({
  ...subjects,
  legs: sql`json_insert(${subjects.legs}, '$[#]', json_array(${account}, ${amount}))`,
});

const OVERPAID_UNITS = sql`CASE WHEN ${CAPTURED} THEN ${EXCESS} ELSE 0 END`;
const FUNDED_ACCOUNT = sql`CASE status WHEN 'paid' THEN ${FUNDED} || agent_id END`;
const CARRIES = [
  carry(withLeg(OPEN_PURCHASES, sql`${OVERPAID}`, OVERPAID_UNITS)),
  carry(withLeg(OPEN_TOP_UPS, FUNDED_ACCOUNT, sql`amount_cents`), sql`agent_id`),
  ...[OPEN_CHARGEBACKS, OPEN_RETURNS, OPEN_TOP_UP_REFUNDS].map((subjects) => carry(subjects)),
];

/**
 * Adds so many of each kind that are over to the sums, without those whose postings or wallets differ: they stay open
 * until they do not. While a hundred differ, none.
 */
export async function carrySubjects(db: Database, limit: number): Promise<void> {
  const { postings, funded } = await readOpenDifferences(db);
  const except = JSON.stringify([
    ...postings.map(({ subject }) => subject.replace(/^(capture|payout):/, 'purchase:')),
    ...funded.map(({ subject }) => subject),
  ]);
  if (postings.length === MOST_OF_A_KIND || funded.length === MOST_OF_A_KIND) return;
  await db.commit(CARRIES.map((carryBatch) => carryBatch({ except, limit })));
}
