import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { post, settleClaimBy } from '../ledger/index.ts';
import { findClaim, insertSettlement, isRecoveryConflict, requireSale, sellerEvent } from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';

const way = z.enum(['bank', 'usdc_clearing', 'adjustments']);

/** For the operator: what neither a reversed transfer nor a later payout settles. */
export const settleClaim = defineOperation({
  name: 'settleClaim',
  summary:
    'Record that a seller paid what it owed of a lost chargeback, or was paid what it had borne of a won one.',
  description:
    'For the operator, once the money has moved by other means: all that is open of the claim counts as settled, and the ' +
    'ledger posts it between `chargebacks` and `account`, the account of the platform that it came into or left; ' +
    '`adjustments` writes it off. The seller is told.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({
    disputeId: z.string().min(1).max(255).describe('Of the chargeback: `subjectId` of what is overdue.'),
    account: way.default('bank'),
    reason: reasonField,
  }),
  output: z.object({
    account: way,
    disputeId: z.string(),
    sellerId: z.uuid(),
    settledCents: z.int().describe('Positive: from the seller; negative: to it.'),
  }),
  errors: [adminErrors.claim_not_found, adminErrors.claim_settled],
  http: {
    method: 'post',
    path: '/admin/chargebacks/{id}/settlement',
    status: 200,
    names: { disputeId: 'id' },
  },
  rate: 'write',
  replay: 'stored',
  audit: ({ disputeId, reason }) => ({ subject: { type: 'chargeback', id: disputeId }, reason }),
  async handle(ctx, { disputeId, account }) {
    const { ports } = ctx;
    const claim = await findClaim(ports.market, disputeId);
    if (claim === null) throw new Refusal(adminErrors.claim_not_found);
    const { purchaseId, sellerId, claimCents, withheldCents, tries } = claim;
    const settledCents = claimCents - withheldCents;
    if (settledCents === 0) throw new Refusal(adminErrors.claim_settled);
    const sale = await requireSale(ports.market, purchaseId);
    const at = isoTime(ctx.now);
    const number = tries + 1;
    const answer = { account, disputeId, sellerId, settledCents };
    const chargeback = settledCents > 0 ? 'lost' : 'won';
    try {
      await ctx.commit(
        [
          insertSettlement({ disputeId, number, cents: settledCents, way: account }, at),
          ...settleClaimBy(account, `${disputeId}:${number}`, sellerId, settledCents).map((one) =>
            post(one, ports.ids.uuid(), at),
          ),
          ...sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback, settledCents }),
        ],
        answer,
        { after: answer },
      );
    } catch (error) {
      throw isRecoveryConflict(error) ? new Refusal(adminErrors.claim_settled) : error;
    }
    return answer;
  },
});
