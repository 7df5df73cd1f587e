import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { z } from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation, FileAnswer } from '../../kernel/operation/operation.ts';
import { inquiryErrors } from '../inquiries.errors.ts';
import { findAttachment } from './attachments.store.ts';
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
  async handle({ ports, requestId }, _input, row) {
    if (!row) throw new Refusal(inquiryErrors.attachment_not_found);
    const { sha256, contentType, filename } = row;
    return new FileAnswer({ digest: `sha256:${sha256}`, contentType, filename }, async () => {
      const object = await ports.attachments?.get(sha256);
      if (object?.kind === 'found' && (await sha256Hex(object.bytes)) === sha256) return object.bytes;
      // Bytes are stored before their row and deleted after it: where they are missing, the store has lost them.
      if (object?.kind !== 'unavailable') {
        ports.log.error('attachment_damaged', {
          requestId,
          attachmentId: row.id,
          found: object?.kind ?? null,
        });
      }
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
    });
  },
});
