import * as z from 'zod';
import { ATTACHMENTS_OF_BODY, attachments } from '../../inquiries/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { escrowErrors, findSale, purchaseId } from '../../sales/index.ts';
import { evidenceErrors } from './evidence.errors.ts';
import { statementText, statementView } from './evidence.schema.ts';
import { makeStatement } from './make-statement.ts';

/** For the operator: a question to both parties, or what was found out. */
export const addOperatorStatement = defineOperation({
  name: 'addOperatorStatement',
  summary: 'Say something to both parties of a dispute, with files.',
  description: 'For the operator. Both parties read it. At most 10 statements, until the decision.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({ purchaseId, body: statementText, attachments }),
  output: z.object({ statement: statementView }),
  errors: [
    escrowErrors.purchase_not_found,
    evidenceErrors.not_disputed,
    evidenceErrors.evidence_closed,
    evidenceErrors.evidence_full,
  ],
  http: {
    method: 'post',
    path: '/admin/disputes/{id}/statements',
    status: 201,
    names: { purchaseId: 'id' },
    ...ATTACHMENTS_OF_BODY,
  },
  rate: 'write',
  replay: 'stored',
  audit: ({ purchaseId }) => ({ subject: { type: 'purchase', id: purchaseId } }),
  async handle(ctx, { purchaseId, body, attachments }) {
    const sale = await findSale(ctx.ports.market, purchaseId);
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    return makeStatement(ctx, sale, { author: 'operator', body, attachments });
  },
});
