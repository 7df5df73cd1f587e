import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { queueAccountMail } from '../../mail/index.ts';
import { recordAgentEvent } from '../events/agent-events.store.ts';
import { recordPartyMark } from '../reputation/party-marks.store.ts';
import { emailChangedMail } from './account-mail.rules.ts';
import { emailErrors } from './email.errors.ts';
import { findEmailLink, isLinkUsed, type OpenEmailLink, takeEmailLink } from './email-links.store.ts';
import { openMailedLink } from './mailed-link.ts';
import { cancelRecoveries } from './recoveries.store.ts';

export const linkToken = z.string().max(200).describe('Of the mailed link.');

/** A person confirms an e-mail address, by the link that was mailed to it. */
export const verifyEmail = defineOperation({
  name: 'verifyEmail',
  summary: 'Confirm an e-mail address, by the link that was mailed to it.',
  description:
    'Needs no key: whoever reads the mail may do it, once, within 24 hours. The address is the account’s from then on. The ' +
    'address before it is told, and so is the callbackUrl.',
  area: 'Agents',
  auth: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({ isChange: z.boolean(), verifiedAt: z.iso.datetime() }),
  errors: [emailErrors.email_link_not_found],
  http: { method: 'post', path: '/agents/email/verify', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { token }) {
    const { ports, now } = ctx;
    const at = isoTime(now);
    const id = await openMailedLink(ports, 'email_link', token);
    const link = id && (await findEmailLink(ports.market, id, at));
    if (!link) throw new Refusal(emailErrors.email_link_not_found);
    const answer = { isChange: link.isChange, verifiedAt: at };
    try {
      await ctx.commit(await confirm(ctx, link), answer);
    } catch (error) {
      if (isLinkUsed(error)) throw new Refusal(emailErrors.email_link_not_found);
      throw error;
    }
    return answer;
  },
});

async function confirm({ ports, now, settings }: OperationContext, link: OpenEmailLink) {
  const { id, agentId, person, isChange, isOther } = link;
  const at = isoTime(now);
  const eventId = ports.ids.uuid();
  const mail = { purpose: 'account_notice', reference: eventId, ...emailChangedMail() } as const;
  return [
    // Before the change, so that it goes to the address that is replaced.
    ...(isOther && settings.sendsMail ? [queueAccountMail(agentId, mail, at)] : []),
    ...takeEmailLink({ id, agentId }, at),
    // A recovery that was asked for at another address ends with that address.
    ...(isOther ? [cancelRecoveries(agentId, at)] : []),
    recordPartyMark(agentId, 'email', await ports.keyedHash.hex('email_mark', person)),
    ...recordAgentEvent(agentId, 'account.email_verified', { isChange }, eventId, at),
  ];
}
