import { Refusal } from '../kernel/errors.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { escrowErrors, findSale, requireSale, type Sale } from '../sales/index.ts';

/** The purchase that an operator acts on. */
export async function operatedPurchase({ market }: Pick<Ports, 'market'>, purchaseId: string): Promise<Sale> {
  const sale = await findSale(market, purchaseId);
  if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
  return sale;
}

/** What the audit chain says an operator acted on. */
export const auditPurchase = (input: { readonly purchaseId: string; readonly reason: string }) => ({
  subject: { type: 'purchase', id: input.purchaseId },
  reason: input.reason,
});

/** How far a purchase got, as it is now. */
export async function viewStatus({ market }: Pick<Ports, 'market'>, purchaseId: string) {
  const { status } = await requireSale(market, purchaseId);
  return { purchaseId, status };
}
