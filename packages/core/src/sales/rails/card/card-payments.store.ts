import { sql } from 'drizzle-orm';
import { insertInto, prepared, updateSet } from '../../../db/statement.ts';
import { cardPayments } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';

/** What is asked of the processor for a saved card, and what it answered. */
export type CardPayment = Readonly<typeof cardPayments.$inferSelect>;

const byPurchase = prepared<{ id: string }>(sql`SELECT purchase_id AS purchaseId, customer_id AS customerId,
    payment_method_id AS paymentMethodId, payment_id AS paymentId, charge_id AS chargeId
  FROM ${cardPayments} WHERE purchase_id = ${sql.placeholder('id')}`);

export async function requireCardPayment(market: Database, purchaseId: string): Promise<CardPayment> {
  const found = await market.first<CardPayment>(byPurchase({ id: purchaseId }));
  if (found === null) throw new Error(`Purchase ${purchaseId} has no card.`);
  return found;
}

/** The card that will be asked is written down with the sale: a lost answer is asked for again. */
export function insertCardPayment(
  payment: Pick<CardPayment, 'purchaseId' | 'customerId' | 'paymentMethodId'>,
): Statement {
  return insertInto(cardPayments, payment);
}

export function setCardPayment(
  purchaseId: string,
  changes: Partial<Pick<CardPayment, 'paymentId' | 'chargeId'>>,
): Statement {
  return updateSet(cardPayments, changes, sql`purchase_id = ${purchaseId}`);
}
