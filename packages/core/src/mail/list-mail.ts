import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { listOutbox, MAIL_PURPOSES } from './mail.store.ts';

/** For the operator: mails by state, with their recipients. */
export const listMail = defineOperation({
  name: 'listMail',
  summary: 'Mails of the last 30 days, newest first.',
  description: 'For the operator. Without the texts; `reference` is the id of what a mail is about.',
  area: 'Inquiries',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    status: z.enum(['queued', 'sent', 'failed']).optional(),
    ...pageFields,
  }),
  output: z.object({
    limit: z.int(),
    mails: z.array(
      z.object({
        attempts: z.int(),
        createdAt: z.iso.datetime(),
        failedAt: z.iso.datetime().nullable(),
        purpose: z.enum(MAIL_PURPOSES),
        recipient: z.string(),
        reference: z.uuid(),
        sentAt: z.iso.datetime().nullable(),
        subject: z.string().nullable().describe('Null while it is not written yet.'),
      }),
    ),
    offset: z.int(),
    total: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/mail', status: 200 },
  rate: 'read',
  audit: () => ({ subject: { type: 'mail', id: null } }),
  async handle({ ports }, { status, limit, offset }) {
    const { mails, total } = await listOutbox(ports.market, status ?? null, { limit, offset });
    return { limit, mails, offset, total };
  },
});
