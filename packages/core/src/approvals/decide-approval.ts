import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { approvalStatus, type Decision } from './approval.rules.ts';
import { siteOf } from './approval-links.ts';
import { approvalErrors } from './approvals.errors.ts';
import {
  type Approval,
  findApproval,
  findApprovalWays,
  isDecidedBefore,
  recordDecision,
} from './approvals.store.ts';
import { challengeFor } from './get-approval.ts';
import { isOwnerToken } from './owner-link.ts';
import { passkeyAnswer } from './passkeys/passkey.schema.ts';
import { findPasskey, recordPasskeyUse } from './passkeys/passkeys.store.ts';

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
    passkey: passkeyAnswer
      .optional()
      .describe('The PublicKeyCredential of navigator.credentials.get(), as JSON.'),
    token: z.string().max(128).optional().describe('Of the mailed link.'),
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
    const proof = await proofOf(ctx, approval, decision, { passkey, token });
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

interface Proof {
  readonly by: 'passkey' | 'mail';
  readonly statements: readonly Statement[];
}

interface Sent {
  readonly passkey?: z.output<typeof passkeyAnswer> | undefined;
  readonly token?: string | undefined;
}

async function proofOf(
  ctx: OperationContext<'none'>,
  approval: Approval,
  decision: Decision,
  { passkey: response, token }: Sent,
): Promise<Proof | null> {
  const { keyedHash, market, passkeys } = ctx.ports;
  if (token !== undefined) {
    const verifiedAt = (await findApprovalWays(market, approval))?.verifiedAt ?? null;
    const link = { purpose: 'approval_mail', id: approval.id, verifiedAt } as const;
    if (await isOwnerToken(keyedHash, link, token)) return { by: 'mail', statements: [] };
  }
  if (response === undefined) return null;
  const passkey = await findPasskey(market, approval.agentId, response.id);
  if (passkey === null) return null;
  const challenge = await challengeFor(ctx.ports, approval, decision);
  const counter = await passkeys.verifyAssertion(response as JsonObject, passkey, {
    challenge,
    origin: siteOf(ctx),
  });
  return counter === null ? null : { by: 'passkey', statements: [recordPasskeyUse(passkey.id, counter)] };
}
