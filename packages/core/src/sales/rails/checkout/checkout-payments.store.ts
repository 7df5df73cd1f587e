import { eq, getTableColumns } from 'drizzle-orm';
import { build } from '../../../db/build.ts';
import { type Params, query, toStatement } from '../../../db/query.ts';
import { insertInto } from '../../../db/statement.ts';
import { checkoutPayments } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';

/** The page on which a purchase is paid, and what was paid there. */
export type CheckoutPayment = Readonly<typeof checkoutPayments.$inferSelect>;

const byPurchase = query((p: Params<{ id: string }>) =>
  build
    .select(getTableColumns(checkoutPayments))
    .from(checkoutPayments)
    .where(eq(checkoutPayments.purchaseId, p.id)),
);

export function findCheckoutPayment(market: Database, purchaseId: string): Promise<CheckoutPayment | null> {
  return byPurchase.first(market, { id: purchaseId });
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
  return toStatement(
    build.update(checkoutPayments).set(changes).where(eq(checkoutPayments.purchaseId, purchaseId)),
  );
}
