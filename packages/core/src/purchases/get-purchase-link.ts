import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { escrowErrors, findSale, purchaseId, purchasePageOf, requireBuyer } from '../sales/index.ts';

/** Renews the link of a purchase's page: one that expired opens nothing any more. */
export const getPurchaseLink = defineOperation({
  name: 'getPurchaseLink',
  summary: 'A new link to the page of your purchase.',
  description:
    'For a person who should see it without your key. Whoever has the link may collect the content and dispute, for 180 ' +
    'days. Links that were made before stay valid until they expire.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'buy',
  input: z.object({ purchaseId }),
  output: z.object({ linkExpiresAt: z.iso.datetime(), purchaseUrl: z.url() }),
  errors: [escrowErrors.purchase_not_found, escrowErrors.not_purchase_owner],
  http: {
    method: 'get',
    path: '/marketplace/purchases/{id}/link',
    status: 200,
    names: { purchaseId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { purchaseId }) => findSale(market, purchaseId),
  async handle({ ports, caller, baseUrl, settings }, { purchaseId }, sale) {
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    await requireBuyer(ports, sale, caller, undefined);
    const { url, expiresAt } = await purchasePageOf(
      ports,
      { baseUrl, siteUrl: settings.siteUrl },
      purchaseId,
    );
    return { linkExpiresAt: expiresAt, purchaseUrl: url };
  },
});
