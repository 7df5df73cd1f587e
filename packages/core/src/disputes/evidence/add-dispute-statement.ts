import * as z from 'zod';
import { ATTACHMENTS_OF_BODY, attachments } from '../../inquiries/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { escrowErrors, findSale, pageToken, purchaseId } from '../../sales/index.ts';
import { evidenceErrors } from './evidence.errors.ts';
import { statementText, statementView } from './evidence.schema.ts';
import { makeStatement } from './make-statement.ts';
import { requireParty } from './require-party.ts';

/** Evidence of a party. */
export const addDisputeStatement = defineOperation({
  name: 'addDisputeStatement',
  summary: 'Say something about a disputed purchase of yours, as its buyer or its seller, with files.',
  description:
    'Read by the other party and the operator, who decides; where a bank decides, the operator hands it in there. At most 10 ' +
    'statements of each party, with five files of 4 MB each; the rules for attachments are those of POST /inquiries. Taken until the decision.',
  area: 'Purchasing',
  auth: 'optional',
  scope: ['buy', 'sell'],
  input: z.object({ purchaseId, body: statementText, attachments, token: pageToken }),
  output: z.object({ statement: statementView }),
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_purchase_owner,
    escrowErrors.purchase_link_expired,
    evidenceErrors.not_disputed,
    evidenceErrors.evidence_closed,
    evidenceErrors.evidence_full,
  ],
  http: {
    method: 'post',
    path: '/marketplace/purchases/{id}/dispute/statements',
    status: 201,
    names: { purchaseId: 'id' },
    ...ATTACHMENTS_OF_BODY,
  },
  openToSuspended: true,
  rate: 'inquiry',
  replay: 'stored',
  prefetch: ({ market }, { purchaseId }) => findSale(market, purchaseId),
  async handle(ctx, { body, attachments, token }, sale) {
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    const author = await requireParty(ctx.ports, sale, ctx.caller, token);
    return makeStatement(ctx, sale, { author, body, attachments });
  },
});
