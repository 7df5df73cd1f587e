import { and, eq, lt, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { ledgerAccounts, ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
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

/** Nobody but a wallet's postings knows how its money is parted from its refund credit: together they are what it should hold. */
const WITH_CREDIT = sql`CASE WHEN account GLOB 'refund_credit:*' THEN 'wallet:' || substr(account, 15) ELSE account END AS account`;
/** Read at the processor or on chain, or posted by an operator: no sale says it. */
const OF_THE_PLATFORM = sql`kind IN ('processor_fee', 'dispute_fee', 'gas', 'bank_payout', 'funding', 'transfer_reversal',
  'adjustment')`;

/** What each account should hold, as top-ups, purchases and chargebacks tell it, against what it does. */
const accountDifferences = write(
  () => sql`SELECT account AS subject, SUM(expected) AS expectedCents,
    SUM(actual) AS actualCents
  FROM (
    SELECT ${WITH_CREDIT}, 0 AS expected, balance_cents AS actual FROM ${ledgerAccounts}
    UNION ALL SELECT 'wallet:' || agent_id, amount_cents, 0 FROM ${walletTopUps} WHERE status = 'paid'
    UNION ALL SELECT 'card_clearing', -amount_cents, 0 FROM ${walletTopUps} WHERE status = 'paid'
    UNION ALL SELECT value ->> 0, value ->> 1, 0 FROM (SELECT ${WHEREABOUTS} AS legs FROM ${purchases}
        UNION ALL SELECT ${CHARGED_BACK} FROM ${chargebacks}
        UNION ALL SELECT ${RETURNED} FROM ${returnedTransfers}
        UNION ALL SELECT ${SENT_BACK} FROM ${topUpRefunds} WHERE status <> 'failed') AS one, json_each(one.legs)
      WHERE value ->> 0 IS NOT NULL
    UNION ALL SELECT account, amount_cents, 0 FROM ${ledgerPostings}
      JOIN ${ledgerEntries} ON posting_id = ${ledgerPostings.id} WHERE ${OF_THE_PLATFORM}
  ) GROUP BY account HAVING SUM(expected) <> SUM(actual) ORDER BY account ${MOST}`,
);

const entryDifferences = write(
  () => sql`SELECT account AS subject, SUM(entered) AS expectedCents,
    SUM(balance) AS actualCents
  FROM (
    SELECT account, balance_cents AS balance, 0 AS entered FROM ${ledgerAccounts}
    UNION ALL SELECT account, 0, amount_cents FROM ${ledgerEntries}
  ) GROUP BY account HAVING SUM(balance) <> SUM(entered) ORDER BY account ${MOST}`,
);

/** Postings and the rows that explain them: `expected` is what the row says, `actual` what was posted. */
const postingDifferences = write(
  () => sql`SELECT subject, SUM(expected) AS expectedCents, SUM(actual) AS actualCents
  FROM (
    SELECT 'top_up:' || id AS subject, amount_cents AS expected, 0 AS actual FROM ${walletTopUps} WHERE status = 'paid'
    UNION ALL SELECT 'capture:' || id, amount_cents, 0 FROM ${purchases} WHERE ${CAPTURED} AND NOT ${IS_RESTORED}
    UNION ALL SELECT 'payout:' || id, ${NET} - ${WITHHELD}, 0 FROM ${purchases}
      WHERE amount_cents > 0 AND status = 'released' AND NOT ${WAS_RETURNED}
    UNION ALL SELECT kind || ':' || reference, 0, SUM(MAX(amount_cents, 0)) FROM ${ledgerPostings}
      JOIN ${ledgerEntries} ON posting_id = ${ledgerPostings.id}
      WHERE kind = 'top_up' OR (kind = 'payout' AND NOT EXISTS (SELECT 1 FROM ${returnedTransfers}
        WHERE purchase_id = substr(${ledgerPostings.reference}, 1, 36))) OR (kind = 'capture' AND length(reference) = 36 AND NOT EXISTS (SELECT 1 FROM ${ledgerPostings} AS undone
        WHERE undone.kind = 'refund' AND undone.reference = ${ledgerPostings.reference}))
      GROUP BY kind, reference
  ) GROUP BY subject HAVING SUM(expected) <> SUM(actual) ORDER BY subject ${MOST}`,
);

const fundedDifferences = write(
  () => sql`SELECT agent_id AS subject, SUM(paid) AS expectedCents,
    SUM(funded) AS actualCents
  FROM (
    SELECT agent_id, funded_cents AS funded, 0 AS paid FROM ${wallets}
    UNION ALL SELECT agent_id, 0, amount_cents FROM ${walletTopUps} WHERE status = 'paid'
  ) GROUP BY agent_id HAVING SUM(funded) <> SUM(paid) ORDER BY agent_id ${MOST}`,
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
  () => sql`SELECT COALESCE(SUM(CAST(units AS INTEGER) - amount_cents * ${Number(UNITS_PER_CENT)}), 0)
    AS units FROM ${usdcPayments} JOIN ${purchases} ON id = purchase_id WHERE ${CAPTURED}`,
);

const kindOfAccount = sql<string>`CASE WHEN instr(${ledgerAccounts.account}, ':') = 0 THEN ${ledgerAccounts.account}
  ELSE substr(${ledgerAccounts.account}, 1, instr(${ledgerAccounts.account}, ':') - 1) END`;
const totals = query(() =>
  build
    .select({ name: kindOfAccount, cents: sql<number>`SUM(${ledgerAccounts.balanceCents})` })
    .from(ledgerAccounts)
    .groupBy(sql`1`),
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

/** All of one moment: the reads are one transaction. It scans the ledger: not for the path of a request. */
export async function readReconciliation(db: Database, overdueBefore: IsoTime): Promise<Reconciliation> {
  const [accounts, entries, postings, funded, overdue, sums, above] = await Promise.all([
    db.all<Difference>(accountDifferences()),
    db.all<Difference>(entryDifferences()),
    db.all<Difference>(postingDifferences()),
    db.all<Difference>(fundedDifferences()),
    overdueTopUps.all(db, { before: overdueBefore }),
    totals.all(db),
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
