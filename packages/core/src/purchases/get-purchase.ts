import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import {
  deliveryErrors,
  escrowErrors,
  findSale,
  pageToken,
  paymentErrors,
  purchaseId,
  requireBuyer,
  requireOpenQuery,
} from '../sales/index.ts';
import { purchaseAnswer, purchaseView } from './purchases.schema.ts';
import { type OpenSale, showPurchase, showState } from './show-purchase.ts';

/** Clause: GET /marketplace/purchases/{id}. */
export const getPurchase = defineOperation({
  name: 'getPurchase',
  summary: 'Your purchase with its receipt, and its content relayed again from the seller.',
  description:
    'Content is never stored. The first time, a purchase that is paid for is collected: the seller is asked, and only a ' +
    'delivered answer is charged. Later the seller is asked again, and what it sends is shown only if it is what you bought.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'buy',
  input: z.object({
    purchaseId,
    token: pageToken,
    content: z
      .enum(['include', 'omit'])
      .default('include')
      .describe('`omit`: how it stands; the seller is not asked, nothing is collected or charged.'),
  }),
  output: purchaseView,
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_purchase_owner,
    escrowErrors.purchase_link_expired,
    ...Object.values(deliveryErrors),
    paymentErrors.payment_not_confirmed,
    paymentErrors.payments_not_available,
    paymentErrors.collections_limited,
    paymentErrors.purchase_in_progress,
    paymentErrors.reservation_gone,
  ],
  http: { method: 'get', path: '/marketplace/purchases/{id}', status: 200, names: { purchaseId: 'id' } },
  mcp: {
    tool: 'get_purchase',
    title: 'Get a purchase',
    description:
      'Your purchase: status, receipt and content. After a checkout was paid, the first call collects: the seller ' +
      'is asked, and you are charged only if it delivers. Later calls relay the content again, free. Needs the key ' +
      'that bought.',
    answer: purchaseAnswer,
    unlisted: ['token'],
    hints: { readOnly: false, destructive: false, idempotent: true },
  },
  openToSuspended: true,
  rate: 'purchase',
  movesMoney: true,
  prefetch: ({ market }, { purchaseId }) => findSale(market, purchaseId),
  async handle(ctx, { token, content }, sale) {
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    const linkExpiresAt = await requireBuyer(ctx.ports, sale, ctx.caller, token);
    const show = content === 'omit' ? showState : showPurchase;
    const open: OpenSale = (found) => requireOpenQuery(found, token);
    return { ...(await show(ctx.ports, await open(sale), open)), linkExpiresAt };
  },
});
