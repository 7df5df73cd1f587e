import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { siteOf } from '../approval-links.ts';
import { enrolmentChallenge, requireEnroller } from './enrolment.ts';
import { insertEnrolment } from './enrolments.store.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { listPasskeyIds } from './passkeys.store.ts';

/** How long a key may take to answer. */
const CHALLENGE_MS = 10 * MINUTE_MS;

export const challengePasskey = defineOperation({
  name: 'challengePasskey',
  summary: 'Begin to enrol a passkey of the person behind the agent.',
  description:
    'The answer is what a browser on the site asks for in navigator.credentials.create(). The person approves purchases ' +
    'with the passkey, which no API key can.',
  area: 'Agents',
  auth: 'optional',
  scope: 'manage',
  input: z.object({
    token: z.string().max(128).optional().describe('Of the mailed link, in place of a key.'),
  }),
  output: z.object({
    challenge: z
      .string()
      .describe('base64url; good for one passkey, within ten minutes, or as long as the mailed link.'),
    passkeyIds: z.array(z.string()).describe('Those that are enrolled already.'),
    relyingParty: z.string().describe('The host of the site.'),
    userId: z.string().describe('The id of the agent.'),
  }),
  errors: [passkeyErrors.enrolment_not_allowed, passkeyErrors.enrolment_link_over],
  http: { method: 'post', path: '/agents/me/passkeys/challenge', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { token }) {
    const { ports, now } = ctx;
    const { agentId, by, enrolmentId } = await requireEnroller(ctx, token);
    const id = enrolmentId ?? ports.ids.uuid();
    const expiresAt = isoTime(now + CHALLENGE_MS);
    const answer = {
      challenge: await enrolmentChallenge(ports.keyedHash, id),
      passkeyIds: await listPasskeyIds(ports.market, agentId),
      relyingParty: new URL(siteOf(ctx)).hostname,
      userId: agentId,
    };
    const isNew = enrolmentId === null;
    await ctx.commit(isNew ? [insertEnrolment({ id, agentId, enrolledBy: by, expiresAt })] : [], answer);
    return answer;
  },
});
