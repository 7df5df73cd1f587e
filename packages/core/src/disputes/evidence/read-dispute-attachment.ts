import * as z from 'zod';
import { attachmentFile, SERVED_TYPES } from '../../inquiries/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation, FileAnswer } from '../../kernel/operation/operation.ts';
import { purchaseId } from '../../sales/index.ts';
import { evidenceErrors } from './evidence.errors.ts';
import { findEvidence } from './evidence.store.ts';

/** For the operator: a file of either party. */
export const readDisputeAttachment = defineOperation({
  name: 'readDisputeAttachment',
  summary: 'A file of a dispute.',
  description: 'For the operator. A download, never a page: whoever made the statement chose the content.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({ purchaseId, attachmentId: id }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: SERVED_TYPES },
  errors: [evidenceErrors.evidence_not_found],
  http: {
    method: 'get',
    path: '/admin/disputes/{id}/attachments/{attachmentId}',
    status: 200,
    names: { purchaseId: 'id', attachmentId: 'attachmentId' },
  },
  rate: 'read',
  audit: ({ purchaseId }) => ({ subject: { type: 'purchase', id: purchaseId } }),
  async handle(ctx, { purchaseId, attachmentId }) {
    const row = await findEvidence(ctx.ports.market, purchaseId, attachmentId);
    if (!row) throw new Refusal(evidenceErrors.evidence_not_found);
    return attachmentFile(ctx, row);
  },
});
