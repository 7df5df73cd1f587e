import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { escrowErrors, findSale, pageToken, purchaseId } from '../../sales/index.ts';
import { evidenceErrors } from './evidence.errors.ts';
import { disputeView, viewDispute } from './evidence.schema.ts';
import { readStatements } from './evidence.store.ts';
import { requireParty } from './require-party.ts';

export const getDispute = defineOperation({
  name: 'getDispute',
  summary:
    'The dispute of a purchase of yours, as its buyer or its seller: how it stands, and what was said.',
  description:
    'The statements of both parties and of the operator, with their files. The reason that the buyer gave is for the operator alone.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'read',
  input: z.object({ purchaseId, token: pageToken }),
  output: disputeView,
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_purchase_owner,
    escrowErrors.purchase_link_expired,
    evidenceErrors.not_disputed,
  ],
  http: {
    method: 'get',
    path: '/marketplace/purchases/{id}/dispute',
    status: 200,
    names: { purchaseId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { purchaseId }) =>
    Promise.all([findSale(market, purchaseId), readStatements(market, purchaseId)]),
  async handle({ ports, caller }, { token }, [sale, statements]) {
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    await requireParty(ports, sale, caller, token);
    const dispute = viewDispute(sale, statements, 'party');
    if (dispute === null) throw new Refusal(evidenceErrors.not_disputed);
    return dispute;
  },
});
