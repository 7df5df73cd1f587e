import { eq, getTableColumns } from 'drizzle-orm';
import { build } from '../../../db/build.ts';
import { type Params, query, toStatement } from '../../../db/query.ts';
import { insertInto } from '../../../db/statement.ts';
import { cardPayments } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';

/** What is asked of the processor for a saved card, and what it answered. */
export type CardPayment = Readonly<typeof cardPayments.$inferSelect>;

const byPurchase = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(cardPayments)).from(cardPayments).where(eq(cardPayments.purchaseId, p.id)),
);

export async function requireCardPayment(market: Database, purchaseId: string): Promise<CardPayment> {
  const found = await byPurchase.first(market, { id: purchaseId });
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
  return toStatement(build.update(cardPayments).set(changes).where(eq(cardPayments.purchaseId, purchaseId)));
}
