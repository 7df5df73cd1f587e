import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { lineOf } from '../../kernel/text-schema.ts';
import { isoTime } from '../../kernel/time.ts';
import { purchaseId } from '../sales.schema.ts';
import { findSale, isStatusConflict } from '../sales.store.ts';
import { escrowErrors } from './escrow.errors.ts';
import { holdUntil } from './escrow.rules.ts';
import { recordShipment } from './escrow.store.ts';

/** A physical order leaves: its time in escrow begins (clause: Sale settlement). */
export const shipOrder = defineOperation({
  name: 'shipOrder',
  summary: 'Record the shipment of a physical order; its time in escrow begins.',
  area: 'Selling',
  auth: 'seller',
  scope: 'sell',
  input: z.object({
    purchaseId,
    carrier: lineOf(100),
    trackingNumber: lineOf(100),
  }),
  output: z.object({
    carrier: z.string(),
    holdUntil: z.iso.datetime().nullable().describe('When the money is released, if nobody disputes.'),
    purchaseId: z.uuid(),
    shippedAt: z.iso.datetime(),
    trackingNumber: z.string(),
  }),
  errors: [escrowErrors.purchase_not_found, escrowErrors.not_sale_owner, escrowErrors.not_to_be_shipped],
  http: {
    method: 'post',
    path: '/sell/orders/{purchaseId}/shipment',
    status: 200,
  },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { purchaseId }) => findSale(market, purchaseId),
  async handle(ctx, { purchaseId, carrier, trackingNumber }, sale) {
    if (!sale || sale.amountCents === 0) throw new Refusal(escrowErrors.purchase_not_found);
    if (sale.sellerId !== ctx.caller.agentId) throw new Refusal(escrowErrors.not_sale_owner);
    const shippedAt = isoTime(ctx.now);
    const shipment = {
      carrier,
      holdUntil: holdUntil(sale.payment, shippedAt, shippedAt),
      shippedAt,
      trackingNumber,
    };
    const answer = { ...shipment, purchaseId };
    try {
      await ctx.commit(recordShipment(purchaseId, shipment), answer);
    } catch (error) {
      if (isStatusConflict(error)) throw new Refusal(escrowErrors.not_to_be_shipped);
      throw error;
    }
    return answer;
  },
});
