import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { approvalStatus } from './approval.rules.ts';
import { approvalErrors } from './approvals.errors.ts';
import { findApproval, isDecidedBefore, recordDecision } from './approvals.store.ts';
import { ownerProof, proveOwner } from './owner-proof.ts';

/** A person approves or declines what waits for it. */
export const decideApproval = defineOperation({
  name: 'decideApproval',
  summary: 'Approve or decline a purchase, as the person behind the agent.',
  description:
    'Takes what only that person has: an answer of its passkey to the challenge of this decision, or the token of the ' +
    'link that was mailed to the verified address. An API key is ignored. What is approved can be bought once, with the ' +
    'same request, before it expires.',
  area: 'Agents',
  auth: 'none',
  input: z.object({
    approvalId: id,
    decision: z.enum(['approve', 'decline']),
    ...ownerProof,
  }),
  output: z.object({
    decidedAt: z.iso.datetime(),
    id: z.uuid(),
    status: z.enum(['approved', 'declined']),
  }),
  errors: [approvalErrors.approval_not_found, approvalErrors.approval_not_open, approvalErrors.not_the_owner],
  http: { method: 'post', path: '/approvals/{id}/decision', status: 200, names: { approvalId: 'id' } },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { approvalId }) => findApproval(market, approvalId),
  async handle(ctx, { decision, passkey, token }, found) {
    if (!found) throw new Refusal(approvalErrors.approval_not_found);
    const { approval } = found;
    const proof = await proveOwner(ctx, approval, decision, { passkey, token });
    if (proof === null) throw new Refusal(approvalErrors.not_the_owner);
    if (approvalStatus(approval, ctx.now) !== 'pending') throw new Refusal(approvalErrors.approval_not_open);
    const decidedAt = isoTime(ctx.now);
    const answer = {
      decidedAt,
      id: approval.id,
      status: decision === 'approve' ? ('approved' as const) : ('declined' as const),
    };
    try {
      await ctx.commit(
        [...recordDecision(approval.id, decision, proof.by, decidedAt), ...proof.statements],
        answer,
      );
    } catch (error) {
      throw isDecidedBefore(error) ? new Refusal(approvalErrors.approval_not_open) : error;
    }
    return answer;
  },
});
