import { eq, sql } from 'drizzle-orm';
import { asInteger, build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, query, write } from '../../db/query.ts';
import {
  comparedObjects,
  ledgerAdjustments,
  ledgerComparisons,
  ledgerEntries,
  ledgerPostings,
} from '../../db/tables/ledger.ts';
import { payoutBatches } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import {
  cardPayments,
  checkoutPayments,
  paidElsewhere,
  payments,
  returnedTransfers,
  transfers,
} from '../../db/tables/sales.ts';
import { tabs, usdcPayments } from '../../db/tables/usdc-payments.ts';
import { walletTopUps } from '../../db/tables/wallet.ts';
import { UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { addedInLedger } from './compared-rows.store.ts';

/** Postings of a sale that was restored have a number behind its id. */
const PURCHASE = sql`substr(reference, 1, 36)`;
/** The payment that a sale or a top-up is known by outside. */
const PAYMENT = sql`COALESCE(
  (SELECT payment_id FROM ${cardPayments} WHERE purchase_id = ${PURCHASE}),
  (SELECT payment_id FROM ${checkoutPayments} WHERE purchase_id = ${PURCHASE}),
  (SELECT payment_id FROM ${walletTopUps} WHERE ${walletTopUps.id} = ${PURCHASE}), reference)`;
/** The references of chargebacks: the sale's or top-up's id, the dispute's, the number of the movement. */
const DISPUTE = sql`rtrim(rtrim(substr(reference, 38), '0123456789'), ':')`;

/** Refunds made outside are worked off as disputes. */
const OF_CARD = sql`CASE
    WHEN kind IN ('top_up', 'reserve') OR (kind = 'capture' AND length(reference) = 36) THEN 'payment:' || ${PAYMENT}
    WHEN kind IN ('capture', 'refund', 'release_reserve') THEN 'refund:' || ${PAYMENT}
    WHEN kind = 'chargeback' AND ${DISPUTE} LIKE 'refund:%' THEN ${DISPUTE}
    WHEN kind = 'chargeback' THEN 'dispute:' || ${DISPUTE}
    WHEN kind = 'payout' THEN 'transfer:' || COALESCE(
      (SELECT transfer_id FROM ${returnedTransfers} WHERE payout_reference = reference),
      (SELECT transfer_id FROM ${transfers} WHERE purchase_id = ${PURCHASE}), reference)
    WHEN reference LIKE 'fee:%' THEN reference
    WHEN kind IN ('processor_fee', 'dispute_fee') THEN 'fee:' || reference
    WHEN kind = 'bank_payout' THEN 'payout:' || reference
    WHEN kind = 'adjustment' THEN 'other:' || reference
    ELSE kind || ':' || reference END`;

/** Of what the operator sent by its own means, the evidence may name the transaction. */
const SENT_ELSEWHERE = sql`(SELECT lower(substr(evidence, instr(evidence, '0x'), 66)) FROM ${paidElsewhere}
  WHERE ${paidElsewhere.purchaseId} = ${PURCHASE} AND paid_from = 'usdc_clearing' AND instr(evidence, '0x') > 0)`;

/** Of gas that the payer of a tab bears: what went back to it. */
const RETURN_OF_TAB = sql`(SELECT COALESCE(return_transaction, (SELECT refund_id FROM ${payments}
  WHERE ${payments.purchaseId} = ${tabs.purchaseId})) FROM ${tabs} WHERE ${tabs.purchaseId} = substr(reference, 5))`;
/** What came in for a tab is compared as it is opened, and what is left of it as it is sent back. */
const IS_TAB = sql`EXISTS (SELECT 1 FROM ${tabs} WHERE ${tabs.purchaseId} = ${PURCHASE} AND expires_at IS NOT NULL)`;

/** The transaction on chain. A payout may be of several sales. */
const OF_USDC = sql`CASE kind
    WHEN 'capture' THEN 'payment:' || COALESCE(
      (SELECT settled_by FROM ${usdcPayments} WHERE purchase_id = ${PURCHASE}), reference)
    WHEN 'refund' THEN 'transfer:' || COALESCE(${SENT_ELSEWHERE},
      (SELECT refund_id FROM ${payments} WHERE purchase_id = ${PURCHASE}), reference)
    WHEN 'payout' THEN 'transfer:' || COALESCE(${SENT_ELSEWHERE},
      (SELECT transaction_hash FROM ${payoutBatches} WHERE ${payoutBatches.id} =
        (SELECT payout_batch_id FROM ${transfers} WHERE purchase_id = ${PURCHASE})), reference)
    WHEN 'gas' THEN 'transfer:' || COALESCE(${RETURN_OF_TAB},
      (SELECT transaction_hash FROM ${payoutBatches} WHERE ${payoutBatches.id} = reference), reference)
    ELSE kind || ':' || reference END`;

/** What a payer sent above the price lies on chain until the sale is refunded, and no posting has it. */
const EXCESS = sql`CASE WHEN account = 'usdc_clearing' AND kind IN ('capture', 'refund') THEN COALESCE((SELECT
    CAST(units AS INTEGER) / ${Number(UNITS_PER_CENT)} - ${purchases.amountCents} FROM ${usdcPayments}
      JOIN ${purchases} ON ${purchases.id} = purchase_id WHERE purchase_id = ${PURCHASE}), 0)
    * CASE WHEN ${IS_TAB} THEN 0 WHEN kind = 'capture' THEN 1 ELSE -1 END
    + CASE WHEN kind = 'capture' AND ${IS_TAB} THEN amount_cents ELSE 0 END ELSE 0 END`;

/** What an operator posts bears the name of the object that it explains. */
const ofEntries = write((p: Params<{ after: number; upTo: number }>) =>
  insertFrom(
    comparedObjects,
    {
      rail: sql`rail`,
      id: sql`CASE WHEN by_operator IS NOT NULL THEN by_operator
          WHEN rail = 'card' THEN ${OF_CARD} ELSE ${OF_USDC} END`,
      currency: 'usd',
      outsideCents: 0,
      ledgerCents: sql`SUM(${EXCESS} - amount_cents)`,
      isOutside: false,
      isInLedger: true,
      firstAt: sql`MIN(at)`,
      lastAt: sql`MAX(at)`,
    },
    (select) =>
      select
        .from(
          sql`(SELECT kind, ${ledgerPostings.reference} AS reference, ${ledgerPostings.createdAt} AS at, account,
              ${ledgerEntries.amountCents} AS amount_cents,
              CASE WHEN account IN ('card_clearing', 'payouts') THEN 'card' ELSE 'usdc' END AS rail,
              (SELECT ${ledgerAdjustments.reference} FROM ${ledgerAdjustments}
                WHERE ${ledgerAdjustments.id} = ${ledgerPostings.reference}) AS by_operator
            FROM ${ledgerEntries} JOIN ${ledgerPostings} ON ${ledgerPostings.id} = ${ledgerEntries.postingId}
            WHERE account IN ('card_clearing', 'payouts', 'usdc_clearing', 'payouts_usdc')
              AND ${ledgerEntries.id} > ${asInteger(p.after)} AND ${ledgerEntries.id} <= ${asInteger(p.upTo)})`,
        )
        .groupBy(sql`1, 2`),
  ).onConflictDoUpdate(addedInLedger()),
);

const comparison = query(() =>
  build
    .select({
      afterEntryId: ledgerComparisons.afterEntryId,
      comparedUntil: ledgerComparisons.comparedUntil,
      lastEntryId: sql<number>`(SELECT COALESCE(MAX(${ledgerEntries.id}), 0) FROM ${ledgerEntries})`,
    })
    .from(ledgerComparisons),
);

const advance = write((p: Params<{ after: number; upTo: number; until: IsoTime | null }>) =>
  build
    .update(ledgerComparisons)
    .set({
      afterEntryId: p.upTo,
      comparedUntil: sql`COALESCE(${p.until}, ${ledgerComparisons.comparedUntil})`,
    })
    .where(eq(ledgerComparisons.afterEntryId, p.after)),
);

export interface LedgerComparison {
  readonly afterEntryId: number;
  readonly lastEntryId: number;
  /** Everything from before was compared; null: nothing yet. */
  readonly comparedUntil: IsoTime | null;
}

export async function readLedgerComparison(db: Database): Promise<LedgerComparison> {
  const row = await comparison.first(db);
  if (row === null) throw new Error('The row of the ledger comparison is missing.');
  return row;
}

const NOBODY_ELSE = 'ledger_comparison_latest';

/** Compares the entries after one and up to another; `until`: those were all from before that moment. */
export function compareEntries(range: { after: number; upTo: number; until: IsoTime | null }): Statement[] {
  const { after, upTo } = range;
  return [advance(range), guardOneChange(NOBODY_ELSE), ofEntries({ after, upTo })];
}

/** Another run compared them. */
export const isComparedAlready = (error: unknown): boolean => isGuard(error, NOBODY_ELSE);
