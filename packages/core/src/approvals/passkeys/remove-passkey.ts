import { z } from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { deletePasskey, isNoPasskey } from './passkeys.store.ts';

export const removePasskey = defineOperation({
  name: 'removePasskey',
  summary: 'Remove a passkey: it approves nothing any more.',
  description: 'Takes a key without a budget. What it approved before stays approved until it expires.',
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
    const answer = { id: passkeyId, removed: true as const };
    try {
      await ctx.commit(deletePasskey(ctx.caller.agentId, passkeyId), answer);
    } catch (error) {
      throw isNoPasskey(error) ? new Refusal(passkeyErrors.passkey_not_found) : error;
    }
    return answer;
  },
});
