import { sql } from 'drizzle-orm';
import { write } from '../../db/query.ts';
import { openSubjects, processorEntries } from '../../db/tables/ledger.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardPayments, checkoutPayments, payments } from '../../db/tables/sales.ts';
import type { Database } from '../../kernel/ports/database.ts';

/** Of a payment: a refund was asked for and is not final. Until then the ledger does not say it, and the processor may. */
export const IS_BEING_REFUNDED = sql`refunded_at IS NULL AND (refund_requested_at IS NOT NULL OR outcome IS NOT NULL)`;

/** What such a refund changes the processor's balance by: what banks took of the sale is no part of it. */
export const PENDING_CENTS = sql`(taken_net_cents + taken_fee_cents - amount_cents)`;

const pending = write(
  () => sql`SELECT COALESCE(SUM(${PENDING_CENTS}), 0) AS cents FROM ${openSubjects}
    CROSS JOIN ${purchases} ON ${purchases.id} = substr(subject, 10) CROSS JOIN ${payments} ON purchase_id = ${purchases.id}
    WHERE ${purchases.status} IN ('held', 'authorized') AND ${IS_BEING_REFUNDED}
      AND (SELECT SUM(${processorEntries.amountCents}) FROM ${processorEntries} WHERE ${processorEntries.kind} = 'refund'
        AND ${processorEntries.paymentId} = COALESCE(
          (SELECT payment_id FROM ${cardPayments} WHERE ${cardPayments.purchaseId} = ${purchases.id}),
          (SELECT payment_id FROM ${checkoutPayments} WHERE ${checkoutPayments.purchaseId} = ${purchases.id})))
        <= ${PENDING_CENTS}`,
);

/** What left the processor's balance for refunds that are not final: zero or less. */
export async function readPendingRefunds(db: Database): Promise<number> {
  const [row] = await db.all<{ cents: number }>(pending());
  return row?.cents ?? 0;
}
