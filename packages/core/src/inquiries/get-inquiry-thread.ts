import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { inquiryErrors } from './inquiries.errors.ts';
import { inquiryId, wholeThread } from './inquiries.schema.ts';
import { findThread } from './inquiries.store.ts';
import { viewThread } from './inquiry-view.rules.ts';

/** Clause: GET /inquiries/{id}/thread. Whoever knows the id may read the thread. */
export const getInquiryThread = defineOperation({
  name: 'getInquiryThread',
  summary: 'An inquiry with everything that was written in it.',
  area: 'Inquiries',
  auth: 'none',
  input: z.object({ inquiryId }),
  output: z.object(wholeThread),
  errors: [inquiryErrors.inquiry_not_found],
  http: { method: 'get', path: '/inquiries/{id}/thread', status: 200, names: { inquiryId: 'id' } },
  rate: 'read',
  prefetch: ({ market }, { inquiryId }) => findThread(market, inquiryId),
  async handle({ now }, _input, record) {
    if (!record) throw new Refusal(inquiryErrors.inquiry_not_found);
    return viewThread(record, now);
  },
});
