import * as z from 'zod';
import { recordAccountNotice } from '../../agents/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { siteOf } from '../approval-links.ts';
import { passkeyRemovedMail } from '../owner-mails.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { deletePasskey, isNoPasskey } from './passkeys.store.ts';

export const removePasskey = defineOperation({
  name: 'removePasskey',
  summary: 'Remove a passkey: it approves nothing any more.',
  description:
    'Takes a key without a budget. What it approved before stays approved until it expires. Your callbackUrl and ' +
    'your e-mail address are told.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({ passkeyId: z.string().max(1400) }),
  output: z.object({ id: z.string(), removed: z.literal(true) }),
  errors: [passkeyErrors.passkey_not_found, passkeyErrors.enrolment_not_allowed],
  http: { method: 'delete', path: '/agents/me/passkeys/{id}', status: 200, names: { passkeyId: 'id' } },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { passkeyId }) {
    if (ctx.caller.policies.length > 0) throw new Refusal(passkeyErrors.enrolment_not_allowed);
    const { agentId } = ctx.caller;
    const notice = {
      type: 'passkey.removed',
      data: { byKeyId: ctx.caller.keyId },
      mail: passkeyRemovedMail(`${siteOf(ctx)}/approvals`),
    } as const;
    const answer = { id: passkeyId, removed: true as const };
    try {
      await ctx.commit(
        [...deletePasskey(agentId, passkeyId), ...recordAccountNotice(ctx, agentId, notice)],
        answer,
      );
    } catch (error) {
      throw isNoPasskey(error) ? new Refusal(passkeyErrors.passkey_not_found) : error;
    }
    ctx.ports.background.run(ctx.ports.jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
