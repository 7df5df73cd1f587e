import * as z from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { ACTING_SCOPES } from '../../kernel/operation/key-scopes.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { erasureErrors } from './erasure.errors.ts';
import { isErasureToken, parseErasureToken } from './erasure-link.ts';
import { cancelDue, findErasure, isErasureChanged } from './erasures.store.ts';

export const cancelErasure = defineOperation({
  name: 'cancelErasure',
  summary: 'Keep your account: cancel its erasure.',
  description:
    'With any key of the account that may do more than read, or with the token of the link that was sent. Listings stay off the market until you put ' +
    'them back.',
  area: 'Agents',
  auth: 'optional',
  scope: ACTING_SCOPES,
  whileErasing: true,
  openToSuspended: true,
  input: z.object({
    token: z
      .string()
      .max(200)
      .optional()
      .describe('Of the link in the mail or the notice, in place of a key.'),
  }),
  output: z.object({ cancelledAt: z.iso.datetime(), state: z.literal('none') }),
  errors: [erasureErrors.erasure_not_due, erasureErrors.erasure_link_invalid],
  http: { method: 'post', path: '/account-erasures/cancel', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { token }) {
    const { ports, caller, now } = ctx;
    const sent = token === undefined ? null : parseErasureToken(token);
    if (token === undefined && caller === null) throw new Refusal(commonErrors.missing_api_key);
    const agentId = token === undefined ? caller?.agentId : sent?.agentId;
    const erasure = agentId === undefined ? null : await findErasure(ports.market, agentId);
    if (token !== undefined) {
      const isLink = erasure !== null && sent !== null && (await isErasureToken(ports, erasure, sent.mac));
      if (!isLink) throw new Refusal(erasureErrors.erasure_link_invalid);
    }
    if (erasure === null) throw new Refusal(erasureErrors.erasure_not_due);
    const cancelledAt = isoTime(now);
    const answer = { cancelledAt, state: 'none' as const };
    try {
      await ctx.commit(cancelDue(erasure, token === undefined ? 'key' : 'link', cancelledAt), answer);
    } catch (error) {
      throw isErasureChanged(error) ? new Refusal(erasureErrors.erasure_not_due) : error;
    }
    return answer;
  },
});
