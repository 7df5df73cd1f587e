import * as z from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { queueLinkMail } from '../../mail/index.ts';
import { recoveryMail } from './account-mail.rules.ts';
import { mailedPage } from './mailed-link.ts';
import { findRecoverable, insertRecovery } from './recoveries.store.ts';
import { requesterOf } from './requester-of.ts';

/** Whoever took over the account by changing its address must not recover it at once. */
const AFTER_CHANGE_MS = 7 * DAY_MS;

const NOTICE =
  'If an account can be recovered this way, a link was mailed to its verified address. The link works for 24 hours.';

/** The way back into an account whose keys are lost: a link to its verified address. */
export const requestRecovery = defineOperation({
  name: 'requestRecovery',
  summary: 'Ask for a link that recovers an account whose API keys are lost.',
  description:
    'Needs no key. The answer is always the same, whether there is such an account or not. The link goes to the ' +
    'verified e-mail address of the account, unless that was changed within 7 days. One network has five such mails a day sent to ' +
    'one reader, all together ten; beyond that the first of each network goes out, up to 50.',
  area: 'Agents',
  auth: 'none',
  input: z.object({
    email: z.email().max(254).optional().describe('The verified address. Left out: send `handle`.'),
    handle: z.string().max(64).optional().describe('The handle of the agent. Left out: send `email`.'),
  }),
  output: z.object({ notice: z.string() }),
  errors: [],
  http: { method: 'post', path: '/agents/recovery', status: 202 },
  rate: 'register',
  replay: 'stored',
  async handle(ctx, { email, handle }) {
    if ((email === undefined) === (handle === undefined))
      throw new Refusal(commonErrors.validation_failed, {
        fields: [
          { path: email === undefined ? 'email' : 'handle', message: 'Send one of `email` and `handle`.' },
        ],
      });
    const answer = { notice: NOTICE };
    await ctx.commit([], answer);
    // Afterwards, so that the time of the answer does not tell whether there is an account.
    if (ctx.settings.sendsMail) ctx.ports.background.run(mailLinks(ctx, { email, handle }));
    return answer;
  },
});

async function mailLinks(
  { ports, settings, baseUrl, now, network }: OperationContext,
  named: { readonly email: string | undefined; readonly handle: string | undefined },
): Promise<void> {
  const [requestedAt, linkExpiresAt] = [isoTime(now), isoTime(now + DAY_MS)];
  const requester = await requesterOf({ ports, network });
  const found = await findRecoverable(ports.market, named, isoTime(now - AFTER_CHANGE_MS));
  const statements = await Promise.all(
    found.map(async ({ agentId, address }): Promise<Statement[]> => {
      const id = ports.ids.uuid();
      const place = { baseUrl, siteUrl: settings.siteUrl };
      const url = await mailedPage(ports, place, { purpose: 'recovery_link', id });
      const mail = {
        purpose: 'recovery_link',
        reference: id,
        recipient: address,
        agentId,
        requester,
      } as const;
      return [
        insertRecovery({ id, agentId, requestedAt, linkExpiresAt }),
        queueLinkMail({ ...mail, ...recoveryMail(url, linkExpiresAt) }, requestedAt),
      ];
    }),
  );
  if (found.length > 0) await ports.market.commit(statements.flat());
}
