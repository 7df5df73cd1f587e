import * as z from 'zod';
import { attachmentFile, SERVED_TYPES } from '../../inquiries/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation, FileAnswer } from '../../kernel/operation/operation.ts';
import { escrowErrors, findSale, pageToken, purchaseId } from '../../sales/index.ts';
import { evidenceErrors } from './evidence.errors.ts';
import { findEvidence } from './evidence.store.ts';
import { requireParty } from './require-party.ts';

export const getDisputeAttachment = defineOperation({
  name: 'getDisputeAttachment',
  summary: 'A file of a dispute of yours.',
  description:
    'A download, never a page: whoever made the statement chose the content. Check it against X-Content-SHA256.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'read',
  input: z.object({ purchaseId, attachmentId: id, token: pageToken }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: SERVED_TYPES },
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_purchase_owner,
    escrowErrors.purchase_link_expired,
    evidenceErrors.evidence_not_found,
  ],
  http: {
    method: 'get',
    path: '/marketplace/purchases/{id}/dispute/attachments/{attachmentId}',
    status: 200,
    names: { purchaseId: 'id', attachmentId: 'attachmentId' },
  },
  rate: 'read',
  async handle(ctx, { purchaseId, attachmentId, token }) {
    const { market } = ctx.ports;
    const [sale, row] = await Promise.all([
      findSale(market, purchaseId),
      findEvidence(market, purchaseId, attachmentId),
    ]);
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    await requireParty(ctx.ports, sale, ctx.caller, token);
    if (!row) throw new Refusal(evidenceErrors.evidence_not_found);
    return attachmentFile(ctx, row);
  },
});
