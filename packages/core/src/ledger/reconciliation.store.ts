import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import {
  carriedSubjects,
  carriedSums,
  ledgerAccounts,
  ledgerEntries,
  ledgerPeriods,
  ledgerPostings,
  openSubjects,
} from '../db/tables/ledger.ts';
import { purchases } from '../db/tables/purchases.ts';
import { returnedTransfers } from '../db/tables/sales.ts';
import { tabs, usdcPayments } from '../db/tables/usdc-payments.ts';
import { wallets, walletTopUps } from '../db/tables/wallet.ts';
import { UNITS_PER_CENT } from '../kernel/ports/chain.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { KINDS_OF_ACCOUNTS } from './account.rules.ts';
import {
  CAPTURED,
  IS_RESTORED,
  NET,
  OPEN_CHARGEBACKS,
  OPEN_PURCHASES,
  OPEN_RETURNS,
  OPEN_TOP_UP_REFUNDS,
  OPEN_TOP_UPS,
  type OpenSubjects,
  WAS_RETURNED,
  WITHHELD,
} from './subjects.store.ts';

/** Two figures that should be one. */
export interface Difference {
  readonly subject: string;
  readonly expectedCents: number;
  readonly actualCents: number;
}

/** Of each kind, so that a report of a broken day can still be read. */
export const MOST_OF_A_KIND = 100;
const MOST = sql`LIMIT ${MOST_OF_A_KIND}`;

/** Nobody but a wallet's postings knows how its money is parted from its refund credit: together they are what it should hold. */
const WITH_CREDIT = sql`CASE WHEN account GLOB 'refund_credit:*' THEN 'wallet:' || substr(account, 15) ELSE account END AS account`;
/** Accounts of what is carried that no account of the ledger is. */
export const OVERPAID = 'overpaid_units';
export const FUNDED = 'funded:';

const IS_PAID = sql`${OPEN_TOP_UPS.isOfKind} AND status = 'paid'`;
/** In the months that are over nothing moves any more. */
const LAST_OF_ENDED = sql`(SELECT COALESCE(MAX(last_entry_id), 0) FROM ${ledgerPeriods})`;

const openLegs = ({ legs, from, isOfKind }: OpenSubjects) =>
  sql`SELECT ${legs} AS legs FROM ${from} WHERE ${isOfKind}`;
const OPEN_LEGS = sql.join(
  [OPEN_PURCHASES, OPEN_TOP_UPS, OPEN_CHARGEBACKS, OPEN_RETURNS, OPEN_TOP_UP_REFUNDS].map(openLegs),
  sql` UNION ALL `,
);

/** What each account should hold, as top-ups, purchases and chargebacks tell it, against what it does. */
const accountDifferences = write(
  () => sql`SELECT account AS subject, SUM(expected) AS expectedCents,
    SUM(actual) AS actualCents
  FROM (
    SELECT ${WITH_CREDIT}, 0 AS expected, balance_cents AS actual FROM ${ledgerAccounts} WHERE balance_cents <> 0
    UNION ALL SELECT account, cents, 0 FROM ${carriedSums}
      WHERE cents <> 0 AND account <> ${OVERPAID} AND account NOT GLOB ${`${FUNDED}*`}
    UNION ALL SELECT value ->> 0, value ->> 1, 0 FROM (${OPEN_LEGS}) AS one, json_each(one.legs)
      WHERE value ->> 0 IS NOT NULL
  ) GROUP BY account HAVING SUM(expected) <> SUM(actual) ORDER BY account ${MOST}`,
);

/** Of the accounts that hold something or moved this month: what they held at its beginning, and what moved since. */
const entryDifferences = write(
  () => sql`SELECT subject, held + moved AS expectedCents, actual AS actualCents FROM (
    SELECT account AS subject, balance_cents AS actual,
      COALESCE((SELECT before.balance_cents FROM ${ledgerEntries} AS before
        WHERE before.account = one.account AND before.id <= ${LAST_OF_ENDED} ORDER BY before.id DESC LIMIT 1), 0) AS held,
      COALESCE((SELECT SUM(since.amount_cents) FROM ${ledgerEntries} AS since
        WHERE since.account = one.account AND since.id > ${LAST_OF_ENDED}), 0) AS moved
    FROM ${ledgerAccounts} AS one WHERE account IN (
      SELECT account FROM ${ledgerAccounts} WHERE balance_cents <> 0
      UNION SELECT account FROM ${ledgerEntries} NOT INDEXED WHERE id > ${LAST_OF_ENDED})
  ) WHERE actual <> held + moved ORDER BY subject ${MOST}`,
);

const POSTED_FOR_OPEN = sql`SELECT posting.id AS posted FROM ${openSubjects} CROSS JOIN ${ledgerPostings} AS posting
      ON posting.kind = 'top_up' AND posting.reference = substr(subject, 8)
    UNION SELECT posting.id FROM ${openSubjects} CROSS JOIN ${ledgerPostings} AS posting
      ON posting.kind IN ('capture', 'payout') AND posting.reference = substr(subject, 10)`;
/** With those of this month that nothing explains. */
const POSTED = sql`${POSTED_FOR_OPEN}
    UNION SELECT posting.id FROM ${ledgerEntries} AS entry CROSS JOIN ${ledgerPostings} AS posting ON posting.id = entry.posting_id
      WHERE entry.id > ${LAST_OF_ENDED} AND NOT EXISTS (SELECT 1 FROM ${carriedSubjects} WHERE subject IN
        ('purchase:' || substr(posting.reference, 1, 36), 'top_up:' || substr(posting.reference, 1, 36)))`;

/** Postings and the rows that explain them: `expected` is what the row says, `actual` what was posted. */
const differencesOf = (
  posted: SQL,
) => sql`SELECT subject, SUM(expected) AS expectedCents, SUM(actual) AS actualCents
  FROM (
    SELECT 'top_up:' || id AS subject, amount_cents AS expected, 0 AS actual FROM ${OPEN_TOP_UPS.from} WHERE ${IS_PAID}
    UNION ALL SELECT 'capture:' || id, amount_cents, 0 FROM ${OPEN_PURCHASES.from}
      WHERE ${OPEN_PURCHASES.isOfKind} AND ${CAPTURED} AND NOT ${IS_RESTORED}
    UNION ALL SELECT 'payout:' || id, ${NET} - ${WITHHELD}, 0 FROM ${OPEN_PURCHASES.from}
      WHERE ${OPEN_PURCHASES.isOfKind} AND amount_cents > 0 AND status = 'released' AND NOT ${WAS_RETURNED}
    UNION ALL SELECT kind || ':' || reference, 0, SUM(MAX(amount_cents, 0)) FROM (${posted})
      CROSS JOIN ${ledgerPostings} ON ${ledgerPostings.id} = posted
      CROSS JOIN ${ledgerEntries} ON posting_id = ${ledgerPostings.id}
      WHERE kind = 'top_up' OR (kind = 'payout' AND NOT EXISTS (SELECT 1 FROM ${returnedTransfers}
        WHERE purchase_id = substr(${ledgerPostings.reference}, 1, 36))) OR (kind = 'capture' AND length(reference) = 36 AND NOT EXISTS (SELECT 1 FROM ${ledgerPostings} AS undone
        WHERE undone.kind = 'refund' AND undone.reference = ${ledgerPostings.reference}))
      GROUP BY kind, reference
  ) GROUP BY subject HAVING SUM(expected) <> SUM(actual) ORDER BY subject ${MOST}`;
const postingDifferences = write(() => differencesOf(POSTED));
const openDifferences = write(() => differencesOf(POSTED_FOR_OPEN));

/** Of agents with a top-up that is not carried. */
const fundedDifferences = write(
  () => sql`SELECT agent_id AS subject, paid AS expectedCents, funded AS actualCents FROM (
    SELECT agent_id, SUM(amount_cents)
        + COALESCE((SELECT cents FROM ${carriedSums} WHERE account = ${FUNDED} || agent_id), 0) AS paid,
      COALESCE((SELECT funded_cents FROM ${wallets} WHERE ${wallets.agentId} = ${walletTopUps.agentId}), 0) AS funded
    FROM ${OPEN_TOP_UPS.from} WHERE ${IS_PAID} GROUP BY agent_id
  ) WHERE funded <> paid ORDER BY subject ${MOST}`,
);

export const EXCESS = sql`COALESCE((SELECT CAST(units AS INTEGER) - amount_cents * ${Number(UNITS_PER_CENT)} FROM ${usdcPayments}
  WHERE purchase_id = ${purchases.id} AND NOT EXISTS (SELECT 1 FROM ${tabs} WHERE ${tabs.purchaseId} = ${purchases.id})), 0)`;

/** What payers of tabs paid, and is neither sold nor sent back: of tabs whose sale is not recorded yet, and what is left of others. */
const OF_TABS = sql`COALESCE((SELECT SUM((SELECT CASE WHEN ${tabs.talliedAt} IS NULL THEN ${tabs.limitMicros}
      ELSE ${purchases.amountCents} * ${Number(UNITS_PER_CENT)} END
    FROM ${tabs} WHERE ${tabs.purchaseId} = ${purchases.id} AND ${tabs.expiresAt} IS NOT NULL))
    FROM ${OPEN_PURCHASES.from} WHERE ${OPEN_PURCHASES.isOfKind} AND ${purchases.status} = 'authorized'), 0)
  + COALESCE((SELECT SUM(${tabs.restCents}) * ${Number(UNITS_PER_CENT)} FROM ${tabs}
    WHERE ${tabs.restCents} > 0 AND ${tabs.returnTransaction} IS NULL), 0)`;

const overdueTopUps = query((p: Params<{ before: IsoTime }>) =>
  build
    .select({
      subject: walletTopUps.id,
      expectedCents: sql<number>`0`,
      actualCents: walletTopUps.amountCents,
    })
    .from(walletTopUps)
    .where(and(eq(walletTopUps.status, 'open'), lt(walletTopUps.expiresAt, p.before)))
    .orderBy(walletTopUps.expiresAt)
    .limit(MOST_OF_A_KIND),
);

/** For a time, version 1 of x402 let payers send more than the price. It is theirs again only with a refund of all. */
const overpaid = write(
  () => sql`SELECT COALESCE((SELECT cents FROM ${carriedSums} WHERE account = ${OVERPAID}), 0)
    + COALESCE((SELECT SUM(${EXCESS}) FROM ${OPEN_PURCHASES.from} WHERE ${OPEN_PURCHASES.isOfKind} AND ${CAPTURED}), 0) + ${OF_TABS} AS units`,
);

/** By kind of account; with 0 for kinds that hold nothing any more. */
const totals = write(
  (p: Params<{ kinds: string }>) => sql`SELECT name, SUM(cents) AS cents FROM (
    SELECT substr(account, 1, instr(account || ':', ':') - 1) AS name, balance_cents AS cents
      FROM ${ledgerAccounts} WHERE balance_cents <> 0
    UNION ALL SELECT value, 0 FROM json_each(${p.kinds})
      WHERE EXISTS (SELECT 1 FROM ${ledgerAccounts} WHERE account >= value AND account < value || ';')
  ) GROUP BY name`,
);

export interface Reconciliation {
  readonly accounts: Difference[];
  readonly entries: Difference[];
  readonly postings: Difference[];
  readonly funded: Difference[];
  readonly overdue: Difference[];
  /** By kind of account: `wallet`, `reserved`, `escrow`, `fees`, … */
  readonly totals: ReadonlyMap<string, number>;
  /** Of USDC, above the prices of what was bought with it. */
  readonly overpaidUnits: bigint;
}

/**
 * All of one moment: the reads are one transaction. It reads what is open, what holds something, and the entries of the
 * month that is not over; of what is over the sums.
 */
export async function readReconciliation(db: Database, overdueBefore: IsoTime): Promise<Reconciliation> {
  const [accounts, entries, postings, funded, overdue, sums, above] = await Promise.all([
    db.all<Difference>(accountDifferences()),
    db.all<Difference>(entryDifferences()),
    db.all<Difference>(postingDifferences()),
    db.all<Difference>(fundedDifferences()),
    overdueTopUps.all(db, { before: overdueBefore }),
    db.all<{ name: string; cents: number }>(totals({ kinds: JSON.stringify(KINDS_OF_ACCOUNTS) })),
    db.all<{ units: number }>(overpaid()),
  ]);
  return {
    accounts,
    entries,
    postings,
    funded,
    overdue,
    totals: new Map(sums.map(({ name, cents }) => [name, cents])),
    overpaidUnits: BigInt(above[0]?.units ?? 0),
  };
}

/** Of what is not carried: postings, and agents, that keep it open. */
export async function readOpenDifferences(
  db: Database,
): Promise<{ postings: Difference[]; funded: Difference[] }> {
  const [postings, funded] = await Promise.all([
    db.all<Difference>(openDifferences()),
    db.all<Difference>(fundedDifferences()),
  ]);
  return { postings, funded };
}
