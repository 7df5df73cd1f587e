import { sql } from 'drizzle-orm';
import { type Params, write } from '../../db/query.ts';
import {
  ledgerAdjustments,
  ledgerEntries,
  ledgerPostings,
  processorEntries,
} from '../../db/tables/ledger.ts';
import { purchases } from '../../db/tables/purchases.ts';
import {
  cardPayments,
  checkoutPayments,
  payments,
  returnedTransfers,
  transfers,
} from '../../db/tables/sales.ts';
import { walletTopUps } from '../../db/tables/wallet.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { IS_BEING_REFUNDED, PENDING_CENTS } from './pending-refunds.store.ts';

/** How one object at the processor stands to what the ledger says of it. `pending`: both wait for it to be final. */
export type Comparison = 'matched' | 'pending' | 'onlyOutside' | 'onlyInLedger' | 'differs';

/** `payment:pi_…`, `refund:pi_…` (all refunds of one payment), `dispute:du_…`, `transfer:tr_…`, `payout:txn_…` and the like. */
export interface ComparedObject {
  readonly id: string;
  readonly currency: string;
  readonly comparison: Comparison;
  /** What it changed the platform's balance by, there and here. */
  readonly outsideCents: number;
  readonly ledgerCents: number;
}

export interface ObjectCount {
  readonly kind: string;
  readonly currency: string;
  readonly comparison: Comparison;
  readonly count: number;
}

export interface ObjectPeriod {
  readonly since: IsoTime;
  readonly until: IsoTime;
}

/** The payment that a sale or a top-up is known by outside. Postings of a sale that was restored have a number behind its id. */
const PAYMENT = sql`COALESCE(
  (SELECT payment_id FROM ${cardPayments} WHERE purchase_id = substr(reference, 1, 36)),
  (SELECT payment_id FROM ${checkoutPayments} WHERE purchase_id = substr(reference, 1, 36)),
  (SELECT payment_id FROM ${walletTopUps} WHERE ${walletTopUps.id} = reference), reference)`;
/** The references of chargebacks: the sale's or top-up's id, the dispute's, the number of the movement. */
const DISPUTE = sql`rtrim(rtrim(substr(reference, 38), '0123456789'), ':')`;

const OF_PROCESSOR = sql`SELECT kind || ':' || CASE kind
    WHEN 'payment' THEN COALESCE(payment_id, object_id, entry_id)
    WHEN 'refund' THEN COALESCE(payment_id, object_id, entry_id)
    WHEN 'dispute' THEN COALESCE(object_id, entry_id)
    WHEN 'transfer' THEN COALESCE(transfer_id, object_id, entry_id)
    ELSE entry_id END AS id, currency, created_at AS at, amount_cents AS outside, 0 AS posted, 1 AS is_outside
    FROM ${processorEntries}
  UNION ALL SELECT 'fee:' || entry_id, currency, created_at, -fee_cents, 0, 1
    FROM ${processorEntries} WHERE fee_cents <> 0`;

/** What an operator posts bears the name of the object that it explains. Refunds made outside are worked off as disputes. */
const OF_LEDGER = sql`SELECT CASE
    WHEN by_operator IS NOT NULL THEN by_operator
    WHEN kind IN ('top_up', 'reserve') OR (kind = 'capture' AND length(reference) = 36) THEN 'payment:' || ${PAYMENT}
    WHEN kind IN ('capture', 'refund', 'release_reserve') THEN 'refund:' || ${PAYMENT}
    WHEN kind = 'chargeback' AND ${DISPUTE} LIKE 'refund:%' THEN ${DISPUTE}
    WHEN kind = 'chargeback' THEN 'dispute:' || ${DISPUTE}
    WHEN kind = 'payout' THEN 'transfer:' || COALESCE(
      (SELECT transfer_id FROM ${returnedTransfers} WHERE payout_reference = reference),
      (SELECT transfer_id FROM ${transfers} WHERE purchase_id = substr(reference, 1, 36)), reference)
    WHEN reference LIKE 'fee:%' THEN reference
    WHEN kind IN ('processor_fee', 'dispute_fee') THEN 'fee:' || reference
    WHEN kind = 'bank_payout' THEN 'payout:' || reference
    WHEN kind = 'adjustment' THEN 'other:' || reference
    ELSE kind || ':' || reference END AS id, 'usd' AS currency, at, 0 AS outside, -amount_cents AS posted, 0 AS is_outside
  FROM (SELECT kind, ${ledgerPostings.reference} AS reference, ${ledgerPostings.createdAt} AS at,
      ${ledgerEntries.amountCents} AS amount_cents,
      (SELECT ${ledgerAdjustments.reference} FROM ${ledgerAdjustments}
        WHERE ${ledgerAdjustments.id} = ${ledgerPostings.reference}) AS by_operator
    FROM ${ledgerEntries} JOIN ${ledgerPostings} ON ${ledgerPostings.id} = posting_id
    WHERE account IN ('card_clearing', 'payouts'))`;

/** A refund that was asked for is posted when it is final, and shows at the processor from its beginning. */
const IS_PENDING = sql`id GLOB 'refund:*' AND EXISTS (SELECT 1 FROM ${payments}
  JOIN ${purchases} ON ${purchases.id} = purchase_id
  WHERE purchase_id IN (SELECT purchase_id FROM ${cardPayments} WHERE payment_id = substr(compared.id, 8)
      UNION ALL SELECT purchase_id FROM ${checkoutPayments} WHERE payment_id = substr(compared.id, 8))
    AND ${IS_BEING_REFUNDED} AND outsideCents - ledgerCents = ${PENDING_CENTS})`;

/** An object of two months is one of both. */
const compared = (p: Params<ObjectPeriod>) => sql`SELECT id, currency, outsideCents, ledgerCents,
    CASE WHEN outsideCents = ledgerCents THEN 'matched' WHEN ${IS_PENDING} THEN 'pending' WHEN inLedger = 0 THEN 'onlyOutside'
      WHEN isOutside = 0 THEN 'onlyInLedger' ELSE 'differs' END AS comparison
  FROM (SELECT id, currency, SUM(outside) AS outsideCents, SUM(posted) AS ledgerCents,
      SUM(is_outside) AS isOutside, SUM(1 - is_outside) AS inLedger
    FROM (SELECT * FROM (${OF_PROCESSOR}) UNION ALL SELECT * FROM (${OF_LEDGER}))
    GROUP BY id, currency HAVING MIN(at) < ${p.until} AND MAX(at) >= ${p.since}) AS compared`;

const counts = write(
  (
    p: Params<ObjectPeriod>,
  ) => sql`SELECT substr(id, 1, instr(id || ':', ':') - 1) AS kind, currency, comparison,
    COUNT(*) AS count FROM (${compared(p)}) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
);

const unmatched = write(
  (p: Params<ObjectPeriod & { after: string; limit: number }>) => sql`SELECT * FROM (${compared(p)})
    WHERE comparison NOT IN ('matched', 'pending') AND id > ${p.after} ORDER BY id, currency LIMIT ${p.limit}`,
);

/** It reads the ledger and the processor's entries from their beginning: not for the path of a buyer's request. */
export function countObjects(db: Database, period: ObjectPeriod): Promise<ObjectCount[]> {
  return db.all<ObjectCount>(counts({ ...period }));
}

/** Those that do not match, by their ids. */
export function listUnmatched(
  db: Database,
  page: ObjectPeriod & { after: string; limit: number },
): Promise<ComparedObject[]> {
  return db.all<ComparedObject>(unmatched({ ...page }));
}
