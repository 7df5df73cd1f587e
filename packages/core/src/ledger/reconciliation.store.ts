import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
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
import {
  chargebackShares,
  chargebacks,
  paidElsewhere,
  payments,
  returnedTransfers,
  transfers,
} from '../db/tables/sales.ts';
import { usdcPayments } from '../db/tables/usdc-payments.ts';
import { topUpRefunds, wallets, walletTopUps } from '../db/tables/wallet.ts';
import { UNITS_PER_CENT } from '../kernel/ports/chain.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { KINDS_OF_ACCOUNTS } from './account.rules.ts';

/** Two figures that should be one. */
export interface Difference {
  readonly subject: string;
  readonly expectedCents: number;
  readonly actualCents: number;
}

/** Of each kind, so that a report of a broken day can still be read. */
const MOST_OF_A_KIND = 100;
const MOST = sql`LIMIT ${MOST_OF_A_KIND}`;

/** Paid purchases by how far their money went; free ones move none. */
const CAPTURED = sql`amount_cents > 0 AND status IN ('held', 'releasing', 'released')`;
const PAYER = sql`(SELECT payer_account FROM ${payments} WHERE purchase_id = ${purchases.id})`;
/** A wallet's money is reserved until it is captured, and so is what was captured outside before it was delivered. */
const RESERVED = sql`amount_cents > 0 AND ((${PAYER} LIKE 'wallet:%' AND (status = 'authorized'
  OR (status = 'pending_payment'
    AND EXISTS (SELECT 1 FROM ${ledgerPostings} WHERE kind = 'reserve' AND reference = ${purchases.id}))))
  OR (status = 'authorized'
    AND (SELECT set_aside_at FROM ${payments} WHERE purchase_id = ${purchases.id}) IS NOT NULL))`;
/** The account that the operator paid a party of a sale from; NULL: none. */
const paidFrom = (party: 'seller' | 'buyer') => sql`(SELECT paid_from FROM ${paidElsewhere}
  WHERE ${paidElsewhere.purchaseId} = ${purchases.id} AND party = ${sql.raw(`'${party}'`)})`;
const PAID_OUT = sql`CASE WHEN ${paidFrom('seller')} IS NOT NULL THEN ${paidFrom('seller')} WHEN EXISTS (SELECT 1 FROM ${transfers} WHERE purchase_id = ${purchases.id}
  AND payout_batch_id IS NOT NULL) THEN 'payouts_usdc' ELSE 'payouts' END`;
/** Less what banks took of it. */
const FEE = sql`platform_fee_cents - COALESCE((SELECT taken_fee_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;
const LEFT = sql`amount_cents
  - COALESCE((SELECT taken_net_cents + taken_fee_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;
const NET = sql`amount_cents - platform_fee_cents
  - COALESCE((SELECT taken_net_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;

/** Of a seller's share that left escrow, what it bore of what banks took of other sales. */
const WITHHELD = sql`COALESCE((SELECT withheld_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;

/** Captured anew under another reference: its accounts tell whether that is right. */
const IS_RESTORED = sql`EXISTS (SELECT 1 FROM ${payments} WHERE purchase_id = ${purchases.id} AND restorations > 0)`;
/** Where the money of a purchase is by its status, as [account, cents]: D1 joins no more than five SELECTs. */
const WHEREABOUTS = sql`CASE
  WHEN ${RESERVED} THEN json_array(json_array(${PAYER}, -amount_cents), json_array('reserved:' || id, amount_cents))
  WHEN ${CAPTURED} THEN json_array(json_array(${PAYER}, -amount_cents), json_array('fees', ${FEE}),
    json_array(CASE status WHEN 'released' THEN ${PAID_OUT} ELSE 'escrow:' || seller_id END,
      ${NET} - CASE status WHEN 'released' THEN ${WITHHELD} ELSE 0 END),
    json_array('chargebacks', CASE status WHEN 'released' THEN ${WITHHELD} ELSE 0 END))
  WHEN status = 'refunded' AND ${paidFrom('buyer')} IS NOT NULL
    THEN json_array(json_array(${PAYER}, -(${LEFT})), json_array(${paidFrom('buyer')}, ${LEFT}))
  ELSE '[]' END`;

const OF_REFUNDED = sql`(SELECT status FROM ${purchases} WHERE id = purchase_id) = 'refunded'`;
/** What a wallet had paid for sales that ended with what was taken of them. */
const LEFT_WITH_SALES = sql`COALESCE((SELECT SUM(taken_cents) FROM ${chargebackShares}
  WHERE ${chargebackShares.disputeId} = ${chargebacks.disputeId} AND ${OF_REFUNDED}), 0)`;
/** What cardholders' banks took, and what sales that were taken back or wallets bear of it. */
const CHARGED_BACK = sql`json_array(json_array('chargebacks', covered_cents - withdrawn_cents),
  json_array('card_clearing', withdrawn_cents - CASE WHEN agent_id IS NULL AND ${OF_REFUNDED} THEN covered_cents ELSE 0 END),
  json_array('wallet:' || agent_id,
    CASE WHEN agent_id IS NULL THEN 0 ELSE escrow_cents - covered_cents - ${LEFT_WITH_SALES} END))`;

/** What the processor's entry and the return say together, the sale's status says, too. */
const RETURNED = sql`json_array(json_array('payouts', amount_cents), json_array('escrow:' ||
  (SELECT seller_id FROM ${purchases} WHERE id = purchase_id), -amount_cents))`;
/** Paid out under another reference: its accounts tell whether that is right. */
const WAS_RETURNED = sql`EXISTS (SELECT 1 FROM ${returnedTransfers} WHERE purchase_id = ${purchases.id})`;

/** What goes back to a card is the processor's affair once it took it on. */
const SENT_BACK = sql`json_array(json_array('wallet:' || (SELECT agent_id FROM ${walletTopUps} WHERE id = top_up_id),
    -amount_cents), json_array(CASE status WHEN 'decided' THEN 'reserved:' || top_up_id ELSE 'card_clearing' END,
    amount_cents))`;

/** What a card paid for a wallet's credits. */
const CREDITED = sql`json_array(json_array('wallet:' || agent_id, amount_cents), json_array('card_clearing', -amount_cents))`;

/** Nobody but a wallet's postings knows how its money is parted from its refund credit: together they are what it should hold. */
const WITH_CREDIT = sql`CASE WHEN account GLOB 'refund_credit:*' THEN 'wallet:' || substr(account, 15) ELSE account END AS account`;
/** Accounts of what is carried that no account of the ledger is. */
const OVERPAID = 'overpaid_units';
const FUNDED = 'funded:';

/** What is not carried of purchases, and of top-ups. Joined in this order: the others are many. */
const OPEN_PURCHASES = sql`${openSubjects} CROSS JOIN ${purchases} ON ${purchases.id} = substr(subject, 10)`;
const IS_PURCHASE = sql`subject > 'purchase:' AND subject < 'purchase;'`;
const OPEN_TOP_UPS = sql`${openSubjects} CROSS JOIN ${walletTopUps} ON ${walletTopUps.id} = substr(subject, 8)`;
const IS_PAID = sql`subject > 'top_up:' AND subject < 'top_up;' AND status = 'paid'`;
/** In the months that are over nothing moves any more. */
const LAST_OF_ENDED = sql`(SELECT COALESCE(MAX(last_entry_id), 0) FROM ${ledgerPeriods})`;

/** What each account should hold, as top-ups, purchases and chargebacks tell it, against what it does. */
const accountDifferences = write(
  () => sql`SELECT account AS subject, SUM(expected) AS expectedCents,
    SUM(actual) AS actualCents
  FROM (
    SELECT ${WITH_CREDIT}, 0 AS expected, balance_cents AS actual FROM ${ledgerAccounts} WHERE balance_cents <> 0
    UNION ALL SELECT account, cents, 0 FROM ${carriedSums}
      WHERE cents <> 0 AND account <> ${OVERPAID} AND account NOT GLOB ${`${FUNDED}*`}
    UNION ALL SELECT value ->> 0, value ->> 1, 0 FROM (
        SELECT ${WHEREABOUTS} AS legs FROM ${OPEN_PURCHASES} WHERE ${IS_PURCHASE}
        UNION ALL SELECT ${CREDITED} FROM ${OPEN_TOP_UPS} WHERE ${IS_PAID}
        UNION ALL SELECT ${CHARGED_BACK} FROM ${chargebacks}
        UNION ALL SELECT ${RETURNED} FROM ${returnedTransfers}
        UNION ALL SELECT ${SENT_BACK} FROM ${topUpRefunds} WHERE status <> 'failed') AS one, json_each(one.legs)
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
    SELECT 'top_up:' || id AS subject, amount_cents AS expected, 0 AS actual FROM ${OPEN_TOP_UPS} WHERE ${IS_PAID}
    UNION ALL SELECT 'capture:' || id, amount_cents, 0 FROM ${OPEN_PURCHASES}
      WHERE ${IS_PURCHASE} AND ${CAPTURED} AND NOT ${IS_RESTORED}
    UNION ALL SELECT 'payout:' || id, ${NET} - ${WITHHELD}, 0 FROM ${OPEN_PURCHASES}
      WHERE ${IS_PURCHASE} AND amount_cents > 0 AND status = 'released' AND NOT ${WAS_RETURNED}
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
    FROM ${OPEN_TOP_UPS} WHERE ${IS_PAID} GROUP BY agent_id
  ) WHERE funded <> paid ORDER BY subject ${MOST}`,
);

const OVER = sql`('released', 'refunded', 'expired', 'failed')`;
const EXCESS = sql`COALESCE((SELECT CAST(units AS INTEGER) - amount_cents * ${Number(UNITS_PER_CENT)} FROM ${usdcPayments}
  WHERE purchase_id = ${purchases.id}), 0)`;

/** What is over, without those whose postings or wallets differ: they stay open until they do not. */
const carryPurchases = write(
  (p: Params<{ except: string; limit: number }>) => sql`INSERT INTO ${carriedSubjects} (subject, legs)
    SELECT subject, json_insert(${WHEREABOUTS}, '$[#]', json_array(${OVERPAID}, CASE WHEN ${CAPTURED} THEN ${EXCESS} ELSE 0 END))
    FROM ${OPEN_PURCHASES} WHERE ${IS_PURCHASE} AND status IN ${OVER}
      AND subject NOT IN (SELECT value FROM json_each(${p.except})) LIMIT ${asInteger(p.limit)}`,
);
const carryTopUps = write(
  (p: Params<{ except: string; limit: number }>) => sql`INSERT INTO ${carriedSubjects} (subject, legs)
    SELECT subject, CASE status WHEN 'paid' THEN json_insert(${CREDITED}, '$[#]', json_array(${FUNDED} || agent_id, amount_cents))
      ELSE '[]' END
    FROM ${OPEN_TOP_UPS} WHERE subject > 'top_up:' AND subject < 'top_up;' AND status <> 'open'
      AND subject NOT IN (SELECT value FROM json_each(${p.except}))
      AND agent_id NOT IN (SELECT value FROM json_each(${p.except})) LIMIT ${asInteger(p.limit)}`,
);

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

/** x402's first version lets payers sign for more than the price. It is theirs again only with a refund of all. */
const overpaid = write(
  () => sql`SELECT COALESCE((SELECT cents FROM ${carriedSums} WHERE account = ${OVERPAID}), 0)
    + COALESCE((SELECT SUM(${EXCESS}) FROM ${OPEN_PURCHASES} WHERE ${IS_PURCHASE} AND ${CAPTURED}), 0) AS units`,
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

/** Adds so many of the purchases and top-ups that are over to the sums. While a hundred differ, none. */
export async function carrySubjects(db: Database, limit: number): Promise<void> {
  const [postings, funded] = await Promise.all([
    db.all<Difference>(openDifferences()),
    db.all<Difference>(fundedDifferences()),
  ]);
  const except = JSON.stringify([
    ...postings.map(({ subject }) => subject.replace(/^(capture|payout):/, 'purchase:')),
    ...funded.map(({ subject }) => subject),
  ]);
  if (postings.length === MOST_OF_A_KIND || funded.length === MOST_OF_A_KIND) return;
  await db.commit([carryPurchases({ except, limit }), carryTopUps({ except, limit })]);
}
