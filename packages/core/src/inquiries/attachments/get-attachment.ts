import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation, FileAnswer, type OperationContext } from '../../kernel/operation/operation.ts';
import { inquiryErrors } from '../inquiries.errors.ts';
import { type AttachmentRow, findAttachment } from './attachments.store.ts';
import { SERVED_TYPES } from './content-type.rules.ts';

/** Clause: GET /relay/attachments/{id}. */
export const getAttachment = defineOperation({
  name: 'getAttachment',
  summary: 'The bytes of an attachment.',
  description:
    'A download, never a page: whoever wrote the inquiry chose the content. Check it against X-Content-SHA256.',
  area: 'Inquiries',
  auth: 'none',
  input: z.object({ attachmentId: id }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: SERVED_TYPES },
  errors: [inquiryErrors.attachment_not_found],
  http: { method: 'get', path: '/relay/attachments/{id}', status: 200, names: { attachmentId: 'id' } },
  rate: 'read',
  prefetch: ({ market }, { attachmentId }) => findAttachment(market, attachmentId),
  async handle(ctx, _input, row) {
    if (!row) throw new Refusal(inquiryErrors.attachment_not_found);
    return attachmentFile(ctx, row);
  },
});

/** A file, with its bytes read once its head is sent. */
export function attachmentFile(
  { ports, requestId }: Pick<OperationContext, 'ports' | 'requestId'>,
  { id: attachmentId, sha256, contentType, filename }: AttachmentRow,
): FileAnswer {
  return new FileAnswer({ digest: `sha256:${sha256}`, contentType, filename }, async () => {
    const object = await ports.attachments?.get(sha256);
    if (object?.kind === 'found' && (await sha256Hex(object.bytes)) === sha256) return object.bytes;
    // Bytes are stored before their row and deleted after it: where they are missing, the store has lost them.
    if (object?.kind !== 'unavailable') {
      ports.log.error('attachment_damaged', {
        requestId,
        attachmentId,
        found: object?.kind ?? null,
      });
    }
    throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
  });
}
