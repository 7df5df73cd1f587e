import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { HOUR_MS, isoTime } from '../../kernel/time.ts';
import { queueAccountMail } from '../../mail/index.ts';
import { approvalLinks } from '../approval-links.ts';
import { passkeyLinkMail } from '../owner-mails.ts';
import { enrolmentToken } from './enrolment.ts';
import { insertEnrolment, isLinkNotMailed, requireLinkMailed } from './enrolments.store.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { readEnrolmentState } from './passkeys.store.ts';

/** A further passkey, or the first after the first hour, takes somebody who reads the owner's mail. */
export const mailPasskeyLink = defineOperation({
  name: 'mailPasskeyLink',
  summary: 'Have a link mailed to your verified address, with which a person enrols a passkey.',
  description:
    'The link enrols one passkey, within an hour. It is in the mail only: no key reads it. Takes a key without a budget; at ' +
    'most ten are mailed to a person in a day.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({}),
  output: z.object({ expiresAt: z.iso.datetime() }),
  errors: [
    passkeyErrors.enrolment_not_allowed,
    passkeyErrors.email_not_verified,
    passkeyErrors.too_many_links,
  ],
  http: { method: 'post', path: '/agents/me/passkeys/link', status: 202 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx) {
    const { ports, caller, now, settings } = ctx;
    const { agentId } = caller;
    if (caller.policies.length > 0) throw new Refusal(passkeyErrors.enrolment_not_allowed);
    const verifiedAt = (await readEnrolmentState(ports.market, agentId))?.verifiedAt ?? null;
    if (verifiedAt === null || !settings.sendsMail) throw new Refusal(passkeyErrors.email_not_verified);
    const [id, expiresAt] = [ports.ids.uuid(), isoTime(now + HOUR_MS)];
    const url = approvalLinks(ctx).enrolment(await enrolmentToken(ports.keyedHash, id, verifiedAt));
    const mail = { purpose: 'passkey_link', reference: id, ...passkeyLinkMail(url, expiresAt) } as const;
    const answer = { expiresAt };
    try {
      await ctx.commit(
        [
          insertEnrolment({ id, agentId, enrolledBy: 'mail', expiresAt }),
          queueAccountMail(agentId, mail, isoTime(now)),
          requireLinkMailed(),
        ],
        answer,
      );
    } catch (error) {
      if (!isLinkNotMailed(error)) throw error;
      throw new Refusal(passkeyErrors.too_many_links, { retryAfterSeconds: HOUR_MS / 1000 });
    }
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
