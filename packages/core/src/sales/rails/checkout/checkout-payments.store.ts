import { sql } from 'drizzle-orm';
import { insertInto, prepared, updateSet } from '../../../db/statement.ts';
import { checkoutPayments } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';

/** The page on which a purchase is paid, and what was paid there. */
export type CheckoutPayment = Readonly<typeof checkoutPayments.$inferSelect>;

const byPurchase = prepared<{ id: string }>(sql`SELECT purchase_id AS purchaseId, session_id AS sessionId,
    checkout_url AS checkoutUrl, payment_id AS paymentId, charge_id AS chargeId
  FROM ${checkoutPayments} WHERE purchase_id = ${sql.placeholder('id')}`);

export function findCheckoutPayment(market: Database, purchaseId: string): Promise<CheckoutPayment | null> {
  return market.first<CheckoutPayment>(byPurchase({ id: purchaseId }));
}

export async function requireCheckoutPayment(market: Database, purchaseId: string): Promise<CheckoutPayment> {
  const found = await findCheckoutPayment(market, purchaseId);
  if (found === null) throw new Error(`Purchase ${purchaseId} has no checkout.`);
  return found;
}

export function insertCheckoutPayment(purchaseId: string): Statement {
  return insertInto(checkoutPayments, { purchaseId });
}

export function setCheckoutPayment(
  purchaseId: string,
  changes: Partial<Omit<CheckoutPayment, 'purchaseId'>>,
): Statement {
  return updateSet(checkoutPayments, changes, sql`purchase_id = ${purchaseId}`);
}
