import { and, eq, inArray, sql, sum } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { query } from '../../db/query.ts';
import { openSubjects, processorEntries } from '../../db/tables/ledger.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardPayments, checkoutPayments, payments } from '../../db/tables/sales.ts';
import type { Database } from '../../kernel/ports/database.ts';

/** Of a payment: a refund was asked for and is not final. Until then the ledger does not say it, and the processor may. */
export const IS_BEING_REFUNDED = sql`refunded_at IS NULL AND (refund_requested_at IS NOT NULL OR outcome IS NOT NULL)`;

/** What such a refund changes the processor's balance by: what banks took of the sale is no part of it. */
export const PENDING_CENTS = sql`(taken_net_cents + taken_fee_cents - amount_cents)`;

const pending = query(() => {
  const paidBy = (table: typeof cardPayments | typeof checkoutPayments) =>
    build.select({ paymentId: table.paymentId }).from(table).where(eq(table.purchaseId, purchases.id));
  const refunds = build
    .select({ cents: sum(processorEntries.amountCents) })
    .from(processorEntries)
    .where(
      and(
        eq(processorEntries.kind, 'refund'),
        eq(processorEntries.paymentId, sql`COALESCE(${paidBy(cardPayments)}, ${paidBy(checkoutPayments)})`),
      ),
    );
  return build
    .select({ cents: sql<number>`COALESCE(SUM(${PENDING_CENTS}), 0)` })
    .from(openSubjects)
    .crossJoin(purchases)
    .crossJoin(payments)
    .where(
      and(
        eq(purchases.id, sql`substr(${openSubjects.subject}, 10)`),
        eq(payments.purchaseId, purchases.id),
        inArray(purchases.status, ['held', 'authorized']),
        IS_BEING_REFUNDED,
        sql`${refunds} <= ${PENDING_CENTS}`,
      ),
    );
});

/** What left the processor's balance for refunds that are not final: zero or less. */
export async function readPendingRefunds(db: Database): Promise<number> {
  return (await pending.first(db))?.cents ?? 0;
}
