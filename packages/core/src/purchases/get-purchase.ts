import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { purchaseId, purchaseView } from './purchases.schema.ts';
import { findPurchase } from './purchases.store.ts';
import { relay } from './relay-purchase.ts';

/** Clause: GET /marketplace/purchases/{id}. */
export const getPurchase = defineOperation({
  name: 'getPurchase',
  summary: 'Your purchase with its receipt, and its content relayed again from the seller.',
  description:
    'Content is never stored. `contentMatchesReceipt` says whether what the seller sends now is what you bought.',
  area: 'Purchasing',
  auth: 'agent',
  input: z.object({ purchaseId }),
  output: purchaseView,
  errors: [purchaseErrors.purchase_not_found, purchaseErrors.not_purchase_owner],
  http: { method: 'get', path: '/marketplace/purchases/{id}', status: 200, names: { purchaseId: 'id' } },
  mcp: {
    tool: 'get_purchase',
    title: 'Get a purchase',
    names: { purchaseId: 'purchase_id' },
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'purchase',
  prefetch: ({ market }, { purchaseId }) => findPurchase(market, purchaseId),
  async handle(ctx, _input, purchase) {
    if (!purchase) throw new Refusal(purchaseErrors.purchase_not_found);
    if (purchase.buyerId !== ctx.caller.agentId) throw new Refusal(purchaseErrors.not_purchase_owner);
    return relay(ctx, purchase);
  },
});
